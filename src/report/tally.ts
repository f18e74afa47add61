import type { Decision, DecisionNote } from '../core/decision/decision.ts';
import type { Plan, TenantPlan } from '../core/plan/plan-types.ts';

/** How many of a tenant's decisions are what. Every decision is counted once; warnings are counted beside them. */
export interface Tally {
  /** tenant objects that have a host object */
  readonly projected: number;
  /** host objects made for the tenant: namespaces, isolation, names */
  readonly made: number;
  readonly outOfScope: number;
  /** tenant objects that are facts for the render, and are not projected themselves */
  readonly read: number;
  /** tenant objects that are not rendered and could be */
  readonly refused: number;
  /** objects that wait for a fact or for a person */
  readonly held: number;
  readonly removed: number;
  /** things to look at that go with a rendered object */
  readonly warnings: number;
}

export type Outcome = Exclude<keyof Tally, 'warnings'>;

/** Host objects that come from a source and are no projection of it. */
const MADE: ReadonlySet<string> = new Set(['ShortNameMade', 'ConfigCopied']);

export function outcomeOf(decision: Decision): Outcome {
  if (decision.action === 'Delete') return 'removed';
  if (decision.action !== 'Skip') return decision.source === undefined || MADE.has(decision.reason) ? 'made' : 'projected';
  if (decision.reason === 'FactRead') return 'read';
  switch (decision.disposition) {
    case 'OutOfScope':
    case 'Planned':
      return 'outOfScope';
    case 'Rejected':
    case 'Conflict':
    case 'Failed':
      return 'refused';
    case 'Held':
    case 'Deferred':
    case 'Undecided':
      return 'held';
  }
}

/**
 * Warnings of a decision: its own and those of its notes. A refusal has none: all that is said of it is why. That a tenant is
 * gone is said once for all its files, not here.
 */
export function warningsOf(decision: Decision): number {
  if (isRefusal(decision)) return 0;
  const own = decision.severity !== 'info' && decision.reason !== 'TenantRemoved' ? 1 : 0;
  return own + decision.notes.filter((note) => note.severity !== 'info').length;
}

/** What is said for the record of an object that is rendered: what was left out, what was changed. */
export function recordNotes(decision: Decision): readonly DecisionNote[] {
  return isRefusal(decision) ? [] : decision.notes.filter((note) => note.severity === 'info');
}

/** Whether the decision keeps an object off the host for a reason that someone should act on. */
export function isRefusal(decision: Decision): boolean {
  const outcome = outcomeOf(decision);
  return outcome === 'refused' || outcome === 'held';
}

export function tally(decisions: readonly Decision[]): Tally {
  const counts = { projected: 0, made: 0, outOfScope: 0, read: 0, refused: 0, held: 0, removed: 0, warnings: 0 };
  const gone = new Set<string | undefined>();
  for (const decision of decisions) {
    counts[outcomeOf(decision)] += 1;
    counts.warnings += warningsOf(decision);
    if (decision.reason === 'TenantRemoved') gone.add(decision.params['tenant']);
  }
  counts.warnings += gone.size;
  return counts;
}

/** Decisions by code, most frequent first. */
export function byCode(decisions: readonly Decision[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const decision of decisions) {
    const key = `${decision.code} ${decision.reason}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** Every decision of a plan, tenant by tenant, then those that belong to none. */
export function decisionsOf(plan: Plan): readonly Decision[] {
  return [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions];
}

export function tenantId(tenant: Pick<TenantPlan, 'namespace' | 'name'>): string {
  return `${tenant.namespace}/${tenant.name}`;
}
