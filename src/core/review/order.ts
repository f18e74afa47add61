import { compare } from '../plan/subjects.ts';
import type { Effect, HostChange, InputChange, Review } from './review.ts';

/** What a reviewer has to see first, worst first. */
export const URGENCY: readonly Effect[] = [
  'data-deleted',
  'deleted',
  'recreated',
  'restarted',
  'isolation-weaker',
  'cluster-scoped',
  'quota',
  'isolation-stronger',
];

export function urgencyOf({ effects }: HostChange): number {
  const found = effects.map((effect) => URGENCY.indexOf(effect));
  return found.length === 0 ? URGENCY.length : Math.min(...found);
}

/** Worst first; what is alike stays in the order of the review. */
export function byUrgency(a: HostChange, b: HostChange): number {
  return urgencyOf(a) - urgencyOf(b);
}

/** Changes that come from the same edits. */
export interface CauseGroup {
  readonly causes: readonly InputChange[];
  /** worst first */
  readonly changes: readonly HostChange[];
}

/** Groups with the worst change first. */
export function groupsByCause({ causes, changes }: Review): CauseGroup[] {
  const known = new Map(causes.map((cause) => [cause.id, cause]));
  const groups = new Map<string, HostChange[]>();
  for (const change of changes) {
    const key = [...change.causes].sort(compare).join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()]
    .map((group) => ({ causes: (group[0]?.causes ?? []).flatMap((id) => known.get(id) ?? []), changes: [...group].sort(byUrgency) }))
    .sort((a, b) => worst(a) - worst(b) || b.changes.length - a.changes.length);
}

function worst({ changes }: CauseGroup): number {
  return Math.min(...changes.map(urgencyOf));
}
