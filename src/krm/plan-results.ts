import type { Decision, DecisionNote } from '../core/decision/decision.ts';
import { dotted, parsePointer } from '../core/kube/pointer.ts';
import { MADE_ANEW } from '../core/plan/frozen-words.ts';
import { type Finding, type Plan, type TenantPlan, writesBoundary } from '../core/plan/plan-types.ts';
import type { Source } from '../core/plan/tenant-context.ts';
import type { Result, ResultSeverity } from './results.ts';

export type FailOn = 'rejected' | 'never' | 'refused' | 'warning';
/** `error` freezes a tenant, `refused` keeps one object off the host, `warning` goes with a rendered one. */
type Grade = 'error' | 'refused' | 'warning' | 'info';

/** What each grade is called in results: an error is what makes the run fail (projection rules, section 9). */
const SEVERITIES: Readonly<Record<FailOn, Readonly<Record<Grade, ResultSeverity>>>> = {
  never: { error: 'warning', refused: 'warning', warning: 'warning', info: 'info' },
  rejected: { error: 'error', refused: 'warning', warning: 'warning', info: 'info' },
  refused: { error: 'error', refused: 'error', warning: 'warning', info: 'info' },
  warning: { error: 'error', refused: 'error', warning: 'error', info: 'info' },
};

/** Results of a plan: its findings, each decision that is more than "rendered as it should be", and a summary of each tenant. */
export function planResults(plan: Plan, failOn: FailOn): Result[] {
  const severities = SEVERITIES[failOn];
  const results: Result[] = [];
  for (const found of plan.findings) {
    // what stops everything is an error under any setting: nothing can be written
    const severity = plan.stopped && found.severity === 'error' && found.tenant === undefined ? 'error' : severities[found.severity];
    results.push(findingResult(found, severity));
  }
  for (const decision of plan.decisions) {
    // a platform's own objects are nobody's news: a package may hold thousands of them
    // a file that waits for its tenant says nothing that the tenant's own results do not
    if (decision.reason !== 'PlatformObject' && decision.reason !== 'TenantFrozen') results.push(...decisionResults(decision, severities));
  }
  for (const tenant of plan.tenants) {
    for (const decision of tenant.decisions) {
      if (decision.reason !== 'ProjectedElsewhere') results.push(...decisionResults(decision, severities));
    }
    results.push(summary(tenant, severities));
  }
  return results;
}

export function findingResult(found: Finding, severity: ResultSeverity = found.severity): Result {
  return {
    message: sentence(found),
    severity,
    ...fileOf(found.source),
    tags: { code: found.code, reason: found.reason, ...(found.tenant !== undefined && { tenant: found.tenant }) },
  };
}

function decisionResults(decision: Decision, severities: Readonly<Record<Grade, ResultSeverity>>): Result[] {
  const refused = decision.action === 'Skip' && decision.severity !== 'info';
  const own = decision.notes.find((note) => note.code === decision.code && note.message === decision.message);
  const results: Result[] = [];
  if (decision.severity !== 'info' || decision.action === 'Skip' || decision.action === 'Delete') {
    const grade = decision.severity === 'error' ? 'error' : refused ? 'refused' : decision.severity;
    results.push({ message: sentence(decision), severity: severities[grade], ...about(decision, own) });
  }
  for (const note of decision.notes) {
    if (note === own || note.severity === 'info') continue;
    results.push({ message: sentence(note), severity: severities[refused ? 'refused' : 'warning'], ...about(decision, note) });
  }
  return results;
}

function about(decision: Decision, note: DecisionNote | undefined): Partial<Result> {
  const ref = decision.source ?? decision.host;
  const pointer = decision.params['pointer'];
  const path = note?.path !== undefined ? dotted(note.path) : pointer?.startsWith('/') === true ? dotted(parsePointer(pointer)) : pointer;
  const tenant = decision.tenant.name === '' ? undefined : `${decision.tenant.namespace}/${decision.tenant.name}`;
  return {
    ...(ref !== undefined && {
      resourceRef: {
        apiVersion: ref.apiVersion,
        kind: ref.kind,
        name: ref.name,
        ...(ref.namespace !== '' && { namespace: ref.namespace }),
      },
    }),
    ...(path !== undefined && path !== '' && ref !== undefined && { field: { path } }),
    ...(decision.source === undefined ? {} : fileOf(decision.source.file)),
    tags: {
      code: note?.code ?? decision.code,
      reason: note?.reason ?? decision.reason,
      disposition: decision.disposition,
      ...(tenant !== undefined && { tenant }),
      ...(decision.causes[0] !== undefined && { cause: decision.causes[0] }),
    },
  };
}

function fileOf(source: Source): Partial<Result> {
  return source.path === '' ? {} : { file: { path: source.path, index: source.document } };
}

function sentence(of: { readonly code: string; readonly reason: string; readonly message: string; readonly remedy: string }): string {
  return `${of.code} ${of.reason}: ${of.message}${of.remedy === '' ? '' : ` ${of.remedy}`}`;
}

function summary(tenant: TenantPlan, severities: Readonly<Record<Grade, ResultSeverity>>): Result {
  const count = (test: (decision: Decision) => boolean): number => tenant.decisions.filter(test).length;
  const refused = count((decision) => decision.action === 'Skip' && decision.severity !== 'info');
  const out = count((decision) => decision.action === 'Skip' && decision.severity === 'info');
  const removed = count((decision) => decision.action === 'Delete');
  const name = `${tenant.namespace}/${tenant.name}`;
  const message =
    tenant.frozen === undefined
      ? `${name}: ${tenant.files.length} host object${tenant.files.length === 1 ? '' : 's'}, ${removed} removed, ${refused} refused, ${out} out of scope`
      : `${name}: ${writesBoundary(tenant) ? 'its boundary is written, its own objects stay as they are and' : 'its tree stays as it is, and objects of it'} ${MADE_ANEW}: ${tenant.frozen}`;
  return { message, severity: tenant.frozen === undefined ? 'info' : severities.error, tags: { kind: 'summary', tenant: name } };
}
