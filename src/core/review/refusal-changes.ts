import type { Decision, DecisionNote } from '../decision/decision.ts';
import { pointerOf } from '../decision/pointer-of.ts';
import { pointer } from '../kube/pointer.ts';
import type { Plan } from '../plan/plan-types.ts';
import { compare } from '../plan/subjects.ts';
import type { Between } from './between.ts';
import type { Causes, Sort } from './causes.ts';
import { identity } from './host-tree.ts';
import type { OutOfScopeChange, RefusalChange, RefusalReason } from './review.ts';
import type { Reviewed } from './reviewed.ts';
import { type Sides, tenantId } from './sides.ts';

const REFUSED: ReadonlySet<Decision['disposition']> = new Set(['Rejected', 'Conflict', 'Deferred', 'Held', 'Failed', 'Undecided']);
const OUT_OF_SCOPE: ReadonlySet<Decision['disposition']> = new Set(['OutOfScope', 'Planned']);

/** Subjects that one side refuses or holds with a code, and the other does not; and those that are refused for more than they were. */
export function refusalChanges({ before, after }: Sides<Reviewed>, causes: Causes, between: Between): RefusalChange[] {
  const [was, is] = [refusals(before.plan), refusals(after.plan)];
  const unjudged = heldSubjects(before.plan);
  const frozen = new Set(after.plan.tenants.filter((tenant) => tenant.frozen !== undefined).map(tenantId));
  const row = (verb: RefusalChange['verb'], decision: Decision, sort: Sort | undefined): RefusalChange[] =>
    told(decision).map((subject) => ({
      verb,
      ...subject,
      also: alsoOf(decision).map((note) => reasonText(note, decision)),
      causes: causes.ofDecision(decision, verb === 'added' ? 'after' : 'before', sort),
    }));
  const added = [...is].flatMap(([key, decision]) => {
    const old = was.get(key);
    if (old === undefined && unjudged.has(subjectKey(decision))) return [];
    if (old === undefined) return row('added', decision, between.sortOfRefusal(key, decision, 'added'));
    return hasMore(decision, old) ? row('added', decision, undefined) : [];
  });
  // what a frozen tenant is not asked about any more is not mended
  const removed = [...was].flatMap(([key, decision]) =>
    is.has(key) || frozen.has(tenantId(decision.tenant)) ? [] : row('removed', decision, between.sortOfRefusal(key, decision, 'removed')),
  );
  return [...added, ...removed].sort((a, b) => compare(a.verb, b.verb) || bySubject(a, b));
}

/** Objects that no rule takes to the host, and that were not there or were taken before. */
export function outOfScopeChanges({ before, after }: Sides<Reviewed>, causes: Causes): OutOfScopeChange[] {
  const was = outOfScope(before.plan);
  const unjudged = heldSubjects(before.plan);
  return [...outOfScope(after.plan)]
    .flatMap(([key, decision]) =>
      was.has(key) || unjudged.has(subjectKey(decision))
        ? []
        : told(decision).map((subject) => ({ ...subject, causes: causes.ofDecision(decision, 'after', undefined) })),
    )
    .sort(bySubject);
}

function bySubject(a: OutOfScopeChange, b: OutOfScopeChange): number {
  return compare(a.tenant ?? '', b.tenant ?? '') || compare(identity(a.subject), identity(b.subject));
}

export function refusals(plan: Plan): ReadonlyMap<string, Decision> {
  const found = new Map<string, Decision>();
  for (const decision of skipped(plan)) {
    const subject = decision.source ?? decision.host;
    // that a tenant is frozen is said once, not of each of its objects
    if (decision.reason === 'TenantFrozen' || subject === undefined || !REFUSED.has(decision.disposition)) continue;
    found.set(`${tenantId(decision.tenant)}|${identity(subject)}|${decision.code}`, decision);
  }
  return found;
}

/** Objects of frozen tenants that a plan knows nothing of but that they wait. */
function heldSubjects(plan: Plan): ReadonlySet<string> {
  return new Set(
    skipped(plan)
      .filter(({ reason }) => reason === 'TenantFrozen')
      .map(subjectKey),
  );
}

function subjectKey({ tenant, source, host }: Decision): string {
  const subject = source ?? host;
  return `${tenantId(tenant)}|${subject === undefined ? '' : identity(subject)}`;
}

function outOfScope(plan: Plan): ReadonlyMap<string, Decision> {
  const found = new Map<string, Decision>();
  for (const decision of skipped(plan)) {
    // what is read as a fact has its effect
    if (decision.reason === 'FactRead' || decision.source === undefined || !OUT_OF_SCOPE.has(decision.disposition)) continue;
    found.set(`${tenantId(decision.tenant)}|${identity(decision.source)}`, decision);
  }
  return found;
}

function skipped(plan: Plan): readonly Decision[] {
  return [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions].filter(({ action }) => action === 'Skip');
}

/** What else is wrong with what is refused: its notes, but the sentence that is said already. */
function alsoOf({ code, message, notes }: Decision): readonly DecisionNote[] {
  return notes.filter((note) => note.severity !== 'info' && (note.code !== code || note.message !== message));
}

function hasMore(now: Decision, before: Decision): boolean {
  const left = alsoOf(before).map(({ code }) => code);
  return alsoOf(now).some(({ code }) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function reasonText({ code, reason, message, remedy, path }: DecisionNote, { source }: Decision): RefusalReason {
  const line = source?.file.line;
  return { code, reason, message, remedy, ...(path !== undefined && { pointer: pointer(path) }), ...(line !== undefined && { line }) };
}

function told(decision: Decision): Omit<OutOfScopeChange, 'causes'>[] {
  const { source, tenant, code, reason, message, remedy } = decision;
  const subject = source ?? decision.host;
  if (subject === undefined) return [];
  const { apiVersion, kind, namespace, name } = subject;
  const own = pointerOf(decision);
  return [
    {
      ...(tenant.name !== '' && { tenant: tenantId(tenant) }),
      subject: { apiVersion, kind, namespace, name },
      ...(source !== undefined && { file: source.file.path, document: source.file.document }),
      ...(source?.file.line !== undefined && { line: source.file.line }),
      ...(own !== undefined && { pointer: own }),
      code,
      reason,
      message,
      remedy,
    },
  ];
}
