import type { Plan } from '../../core/plan/plan-types.ts';
import type { TreeDifference } from '../tree/compare-tree.ts';

/** Files of the tree that no plan accounts for. An applier that reads a folder takes whatever lies in it. */
export interface Unaccounted {
  /** nothing explains them */
  readonly foreign: readonly string[];
  /** they may stand there for a tenant whose tree stays as it was */
  readonly unproven: readonly string[];
}

const SHARED: ReadonlySet<string> = new Set(['platform', 'config']);

export function unaccounted(plan: Plan, { tree, removed }: TreeDifference): Unaccounted {
  const known = new Set([...plan.shared, ...plan.tenants.flatMap(({ files }) => files)].map(({ path }) => path));
  for (const path of removed) known.add(path);
  const frozen = new Set(plan.tenants.flatMap((tenant) => (tenant.frozen === undefined ? [] : [tenant.namespace])));
  const stays = (path: string): boolean => {
    const folder = path.slice(0, Math.max(0, path.indexOf('/')));
    return frozen.size > 0 && path.endsWith('.yaml') && (SHARED.has(folder) || frozen.has(folder) || folder.startsWith('cp-'));
  };
  const others = [...tree.files].filter((path) => !known.has(path)).sort();
  return { foreign: others.filter((path) => !stays(path)), unproven: others.filter(stays) };
}
