import { join } from 'node:path';
import { plan } from '../../core/plan/plan.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import type { CommittedTree } from '../../core/review/review.ts';
import type { Sides } from '../../core/review/sides.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { YAML_PRINTER } from '../../krm/printer.ts';
import { PLATFORM } from '../render/load-package.ts';
import { previousTree } from '../render/previous-tree.ts';
import { differenceInMemory } from '../render/tree-in-memory.ts';
import { foreignInPlace, unaccounted } from '../render/unaccounted.ts';
import type { SideToPlan } from './plan-sides.ts';

/**
 * How the tree that is committed beside the side after differs from what its package renders upon it, as `render --check` finds it;
 * undefined where there is none, where it is fresh, or where nothing would be rendered.
 */
export function committedTree({ before, after }: Sides<SideToPlan>): CommittedTree | undefined {
  const { loaded, config, treePaths } = after;
  // a tree that is gone as a whole is missing, file by file
  if (treePaths.length === 0 && before.treePaths.length === 0) return undefined;
  const rendered = plan({
    inputs: loaded.inputs,
    unreadable: loaded.findings,
    previous: previousTree(loaded.host),
    config,
    foreign: ({ path }) => path.startsWith(PLATFORM),
    printer: YAML_PRINTER,
    keepFields: false,
  });
  if (rendered.stopped) return undefined;
  const difference = differenceInMemory(rendered, { root: join(loaded.root, HOST_FOLDER), texts: loaded.host, paths: treePaths });
  const asBefore = (path: string): boolean => before.loaded.host.get(path) === loaded.host.get(path);
  const { foreign, unproven } = unaccounted({ plan: rendered, partial: false }, difference);
  const { added, removed } = difference;
  // no render tells what a frozen tenant has: it stays as it was, so the side before does
  const stood = unproven.filter((path) => !asBefore(path));
  const replaced = foreignInPlace({ plan: rendered });
  const planted = [...foreign.filter((path) => !replaced.includes(path)), ...stood.filter((path) => !before.loaded.host.has(path))];
  const changed = [...difference.changed, ...stood.filter((path) => before.loaded.host.has(path))];
  const missing = [...added, ...goneOfFrozen(rendered, before.loaded.host, loaded.host)];
  if (planted.length + replaced.length + missing.length + changed.length + removed.length === 0) return undefined;
  const named = (paths: readonly string[]): string[] => paths.map((path) => `${HOST_FOLDER}/${path}`);
  return {
    ...(after.working === true && { working: isBehind({ before, after }) ? 'behind' : 'edited' }),
    foreign: named(planted),
    replaced: named(replaced),
    changed: named([...changed.filter((path) => !asBefore(path)), ...changed.filter(asBefore)]),
    missing: named(missing),
    extra: named(removed),
  };
}

/** Whether the tree is as the side before has it, and the package is not. */
function isBehind({ before, after }: Sides<SideToPlan>): boolean {
  const same = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
    a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
  return same(before.loaded.host, after.loaded.host) && !same(before.loaded.texts, after.loaded.texts);
}

/** Files of frozen tenants' own objects that the side before has, and this one has no more. */
function goneOfFrozen({ tenants }: Plan, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const frozen = new Set(tenants.flatMap(({ namespace, frozen: why }) => (why === undefined ? [] : [namespace])));
  if (frozen.size === 0) return [];
  return [...before.keys()].filter((path) => !after.has(path) && frozen.has(path.slice(0, path.indexOf('/'))) && path.includes('-x-'));
}
