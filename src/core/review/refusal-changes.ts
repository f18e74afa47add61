import type { Decision } from '../decision/decision.ts';
import type { Plan } from '../plan/plan-types.ts';
import { compare } from '../plan/subjects.ts';
import type { Between } from './between.ts';
import type { Causes, Sort } from './causes.ts';
import { identity } from './host-tree.ts';
import type { RefusalChange } from './review.ts';
import type { Reviewed } from './reviewed.ts';
import { type Sides, tenantId } from './sides.ts';

const REFUSED: ReadonlySet<Decision['disposition']> = new Set(['Rejected', 'Conflict', 'Deferred', 'Held', 'Failed', 'Undecided']);

/** Subjects that one side refuses or holds with a code, and the other does not. */
export function refusalChanges({ before, after }: Sides<Reviewed>, causes: Causes, between: Between): RefusalChange[] {
  const [was, is] = [refusals(before.plan), refusals(after.plan)];
  const only = (verb: RefusalChange['verb'], from: typeof was, other: typeof was): RefusalChange[] =>
    [...from].flatMap(([key, decision]) =>
      other.has(key) ? [] : (refusal(verb, decision, causes, between.sortOfRefusal(key, verb)) ?? []),
    );
  return [...only('added', is, was), ...only('removed', was, is)].sort(
    (a, b) => compare(a.verb, b.verb) || compare(a.tenant ?? '', b.tenant ?? '') || compare(identity(a.subject), identity(b.subject)),
  );
}

export function refusals(plan: Plan): ReadonlyMap<string, Decision> {
  const found = new Map<string, Decision>();
  for (const decision of [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions]) {
    const subject = decision.source ?? decision.host;
    // that a tenant is frozen is said once, not of each of its objects
    if (decision.action !== 'Skip' || decision.reason === 'TenantFrozen' || subject === undefined || !REFUSED.has(decision.disposition))
      continue;
    found.set(`${tenantId(decision.tenant)}|${identity(subject)}|${decision.code}`, decision);
  }
  return found;
}

function refusal(verb: RefusalChange['verb'], decision: Decision, causes: Causes, sort: Sort | undefined): RefusalChange | undefined {
  const subject = decision.source ?? decision.host;
  if (subject === undefined) return undefined;
  const { apiVersion, kind, namespace, name } = subject;
  return {
    ...(decision.tenant.name !== '' && { tenant: tenantId(decision.tenant) }),
    verb,
    subject: { apiVersion, kind, namespace, name },
    ...(decision.source !== undefined && { file: decision.source.file.path }),
    code: decision.code,
    reason: decision.reason,
    message: decision.message,
    remedy: decision.remedy,
    causes: causes.ofDecision(decision, verb === 'added' ? 'after' : 'before', sort),
  };
}
