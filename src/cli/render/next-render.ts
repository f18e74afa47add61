import type { ReasonName } from '../../core/decision/reasons.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import type { TreeChanges } from '../../report/render-text.ts';
import { differs, type TreeDifference } from '../tree/compare-tree.ts';

/** Said because of how the tree stood: once it is written, nothing is changed any more, and it may be others who hold a host. */
const OF_THE_TREE: ReadonlySet<ReasonName> = new Set(['ReplaceNeeded', 'ReplicasHandedOver', 'IngressHostTaken', 'ProfileMovedOn']);

/**
 * What the next render of the same sources will find, after this one has written: the same plan, and nothing to change. Undefined
 * where the plan leans on how the tree stood: where something leaves it, stays for a tenant that is frozen or lost, cannot be changed
 * in place, or is refused for what another tenant held.
 */
export function nextChanges(plan: Plan, difference: TreeDifference): TreeChanges | undefined {
  if (!differs(difference)) return difference;
  const stays = (plan.stays?.size ?? 0) > 0 || plan.tenants.some(({ frozen }) => frozen !== undefined);
  if (plan.removed.length > 0 || stays || tellsOfTree(plan)) return undefined;
  return { added: [], changed: [], removed: [], unchanged: difference.unchanged + difference.contents.size };
}

function tellsOfTree({ findings, decisions, tenants }: Plan): boolean {
  const said = [...decisions, ...tenants.flatMap((tenant) => tenant.decisions)].flatMap(({ reason, notes }) => [{ reason }, ...notes]);
  return [...findings, ...said].some(({ reason }) => OF_THE_TREE.has(reason));
}

/** The tree by path once the difference is written, where nothing leaves it. */
export function treeAfter(before: ReadonlyMap<string, string>, { contents }: TreeDifference): ReadonlyMap<string, string> {
  return new Map([...before, ...[...contents].map(([path, text]): [string, string] => [path, text()])]);
}
