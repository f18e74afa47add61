import { join, relative, sep } from 'node:path';
import { finding } from '../../core/decision/finding.ts';
import type { Finding } from '../../core/plan/plan-types.ts';
import type { TreeDifference } from '../tree/compare-tree.ts';
import type { PlannedPackage } from './plan-package.ts';

/** Files of the tree, or on their way into it, that no plan accounts for. An applier that reads a folder takes whatever lies in it. */
export interface Unaccounted {
  /** nothing explains them */
  readonly foreign: readonly string[];
  /** they may stand there for a tenant whose tree stays as it was, frozen or missing */
  readonly unproven: readonly string[];
}

/** Of a plan of some tenants only what lies in their folders is looked at. */
export function unaccounted(
  { plan, partial }: Pick<PlannedPackage, 'plan' | 'partial'>,
  { tree, removed, added }: TreeDifference,
): Unaccounted {
  const known = new Set([...plan.shared, ...plan.tenants.flatMap(({ files }) => files)].map(({ path }) => path));
  for (const path of removed) known.add(path);
  const planned = new Set(plan.tenants.map(({ namespace }) => namespace));
  const folderOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));
  const stays = (path: string): boolean => plan.stays?.has(path) === true;
  const others = [...new Set([...tree.files, ...added])]
    .filter((path) => !known.has(path) && (!partial || planned.has(folderOf(path))))
    .sort();
  return { foreign: others.filter((path) => !stays(path)), unproven: others.filter(stays) };
}

/** A warning for each file that nothing explains, but those in the place of ours: of them a decision tells. */
export function foreignFindings(planned: PlannedPackage, difference: TreeDifference): Finding[] {
  const { root } = planned.loaded;
  const told = new Set(foreignInPlace(planned));
  return unaccounted(planned, difference)
    .foreign.filter((path) => !told.has(path))
    .map((path) => {
      const file = relative(root, join(planned.tree, path)).split(sep).join('/');
      return finding('TreeFileForeign', { file }, { path: file, document: 0 });
    });
}

/** Files in the place of ours that somebody changed so that they are not recognisably ours, or that were never ours. */
export function foreignInPlace({ plan }: Pick<PlannedPackage, 'plan'>): readonly string[] {
  const decisions = [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions];
  const files = decisions
    .filter((decision) => decision.reason === 'HostObjectForeign')
    .map((decision) => (decision.params['file'] ?? '').replace(/^host\//, ''));
  return [...new Set(files)].sort();
}
