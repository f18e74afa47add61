import { objectsFolder } from '../plan/assign.ts';
import type { InputObject, Plan } from '../plan/plan-types.ts';
import type { Sort } from './causes.ts';
import { compareObjects } from './compare-objects.ts';
import { hostTree, type TreeObject } from './host-tree.ts';
import { refusals } from './refusal-changes.ts';

/** The plan of a package whose configuration is edited already, and whose objects are not yet. */
export interface Between {
  sortOf(id: string, before: TreeObject | undefined, after: TreeObject | undefined): Sort | undefined;
  /** @param key of a refusal that only one side has */
  sortOfRefusal(key: string, verb: 'added' | 'removed'): Sort | undefined;
}

/** Configuration as it is after the edits, with the tenants' objects as they were before. */
export function configurationAlone(before: readonly InputObject[], after: readonly InputObject[]): readonly InputObject[] {
  const isObject = ({ source }: InputObject): boolean => objectsFolder(source.path) !== undefined;
  return [...after.filter((input) => !isObject(input)), ...before.filter(isObject)];
}

/** @param plan where there are edits of both sorts; otherwise there is nothing to tell apart */
export function between(plan: Plan | undefined): Between {
  if (plan === undefined) return { sortOf: () => undefined, sortOfRefusal: () => undefined };
  const tree = hostTree(plan);
  const refused = refusals(plan);
  return {
    sortOf(id, before, after) {
      const there = tree.get(id);
      if (same(there, after)) return 'configuration';
      return same(there, before) ? 'objects' : 'both';
    },
    sortOfRefusal: (key, verb) => (refused.has(key) === (verb === 'added') ? 'configuration' : 'objects'),
  };
}

function same(a: TreeObject | undefined, b: TreeObject | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return compareObjects(a.object, b.object).length === 0;
}
