import type { Check } from '../checks/check.ts';
import { metadataChecks } from '../checks/metadata-checks.ts';
import { podChecks } from '../checks/pod-checks.ts';
import { policyChecks, scopeChecks } from '../checks/scope-checks.ts';
import type { TraceStep } from '../decision/decision.ts';
import { clone } from '../kube/json.ts';
import { commonSteps } from '../translate/common-steps.ts';
import { createEdit, type Edit, type Refusal } from '../translate/edit.ts';
import { podSteps } from '../translate/pod/pod-steps.ts';
import type { KindTranslation } from '../translate/translation.ts';
import type { Subject, TenantContext } from './tenant-context.ts';
import { traceStep } from './trace.ts';

/** What became of one tenant object: an edit of its host object, or the refusals that keep it off the host. */
export interface Projection {
  readonly subject: Subject;
  readonly edit?: Edit;
  readonly refusals: readonly Refusal[];
  readonly trace: readonly TraceStep[];
}

/** Scope and policy of a subject: the first refusal ends the list, since what follows presumes what came before. */
export function gate(subject: Subject, ctx: Pick<TenantContext, 'policy' | 'tenant'>, trace: TraceStep[]): readonly Refusal[] {
  let refusals: readonly Refusal[] = [];
  for (const checks of [scopeChecks, policyChecks]) {
    for (const check of checks) {
      if (refusals.length > 0) {
        trace.push(traceStep(check.id, 'NotReached'));
        continue;
      }
      // Scope and policy read the tenant's settings and policy alone, so they run before the rest of the context exists.
      const found = check.run(subject, ctx as TenantContext);
      trace.push(traceStep(check.id, found === undefined ? 'NotApplicable' : found.length === 0 ? 'Passed' : 'Blocked'));
      if (found !== undefined) refusals = found;
    }
  }
  return refusals;
}

/** Runs the checks of an object's content, then translates it. All refusals are collected, so that a person sees every reason. */
export function project(
  subject: Subject,
  ctx: TenantContext,
  gated: { readonly refusals: readonly Refusal[]; readonly trace: readonly TraceStep[] },
  translation: KindTranslation | undefined,
): Projection {
  const trace: TraceStep[] = [...gated.trace];
  const lists: readonly (readonly Check[])[] = [
    metadataChecks,
    subject.row.podSpec === undefined ? [] : podChecks,
    translation?.checks ?? [],
  ];
  const refusals: Refusal[] = [...gated.refusals];
  for (const checks of lists) {
    for (const check of checks) {
      if (gated.refusals.length > 0) {
        trace.push(traceStep(check.id, 'NotReached'));
        continue;
      }
      const found = check.run(subject, ctx);
      trace.push(traceStep(check.id, found === undefined ? 'NotApplicable' : found.length === 0 ? 'Passed' : 'Blocked'));
      if (found !== undefined) refusals.push(...found);
    }
  }
  if (refusals.length > 0) {
    trace.push(traceStep('translate', 'NotReached'));
    return { subject, refusals, trace };
  }
  const edit = createEdit(clone(subject.object), subject.key === 'Secret');
  for (const steps of [commonSteps, subject.row.podSpec === undefined ? [] : podSteps, translation?.steps ?? []]) {
    for (const step of steps) step(edit, subject, ctx);
  }
  trace.push(traceStep('translate', edit.refusals.length > 0 ? 'Blocked' : 'Rewrote'));
  return { subject, edit, refusals: edit.refusals, trace };
}
