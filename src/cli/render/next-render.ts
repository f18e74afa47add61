import type { ReasonName } from '../../core/decision/reasons.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import type { TreeChanges } from '../../report/render-text.ts';
import { differs, type TreeDifference } from '../tree/compare-tree.ts';

/** Said of an object because it stands otherwise; once it is written, it stands as it should. */
const OF_A_CHANGE: ReadonlySet<ReasonName> = new Set(['ReplaceNeeded', 'ReplicasHandedOver']);

/**
 * What the next render of the same sources will find, after this one has written: the same plan, and nothing to change. Undefined
 * where the plan leans on how the tree stood: where something leaves it, stays for a tenant that is frozen or lost, or cannot be
 * changed in place.
 */
export function nextChanges(plan: Plan, difference: TreeDifference): TreeChanges | undefined {
  if (!differs(difference)) return difference;
  const stays = (plan.stays?.size ?? 0) > 0;
  if (plan.removed.length > 0 || stays || [plan, ...plan.tenants].some(tellsOfChange)) return undefined;
  return { added: [], changed: [], removed: [], unchanged: difference.unchanged + difference.contents.size };
}

function tellsOfChange({ decisions }: Pick<Plan, 'decisions'>): boolean {
  return decisions.some(({ notes }) => notes.some(({ reason }) => OF_A_CHANGE.has(reason)));
}

/** The tree by path once the difference is written, where nothing leaves it. */
export function treeAfter(before: ReadonlyMap<string, string>, { contents }: TreeDifference): ReadonlyMap<string, string> {
  return new Map([...before, ...[...contents].map(([path, text]): [string, string] => [path, text()])]);
}
