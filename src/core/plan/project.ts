import { metadataChecks } from '../checks/metadata-checks.ts';
import { podChecks, podContentChecks } from '../checks/pod-checks.ts';
import { policyChecks, scopeChecks } from '../checks/scope-checks.ts';
import type { Outcome } from '../decision/decision.ts';
import { clone } from '../kube/json.ts';
import { commonSteps } from '../translate/common-steps.ts';
import { createEdit, type Edit, type Refusal } from '../translate/edit.ts';
import { podSteps } from '../translate/pod/pod-steps.ts';
import type { KindTranslation } from '../translate/translation.ts';
import type { Subject, TenantContext } from './tenant-context.ts';
import { EMPTY_TRACE, type Trace } from './trace.ts';

/** What became of one tenant object: an edit of its host object, or the refusals that keep it off the host. */
export interface Projection {
  readonly subject: Subject;
  readonly edit?: Edit;
  readonly refusals: readonly Refusal[];
  readonly trace: Trace;
}

export function isProjected({ edit, refusals }: Projection): boolean {
  return edit !== undefined && refusals.length === 0;
}

/** Where its source stands, as one text. */
export function placeOf({ subject: { source } }: Projection): string {
  return `${source.path}#${source.document}`;
}

/** What scope and policy say of a subject. */
export interface Gate {
  readonly refusals: readonly Refusal[];
  readonly trace: Trace;
}

const NONE: readonly Refusal[] = [];

/** Scope and policy of a subject: the first refusal ends the list, since what follows presumes what came before. */
export function gate(subject: Subject, ctx: Pick<TenantContext, 'policy' | 'tenant' | 'profile'>): Gate {
  let refusals = NONE;
  let trace = EMPTY_TRACE;
  for (const checks of [scopeChecks, policyChecks]) {
    for (const check of checks) {
      if (refusals.length > 0) {
        trace = trace.add(check.id, 'NotReached');
        continue;
      }
      // Scope and policy read the settings alone, so they run before the rest of the context exists.
      const found = check.run(subject, ctx as TenantContext);
      trace = trace.add(check.id, outcomeOf(found));
      if (found !== undefined) refusals = found;
    }
  }
  return { refusals, trace };
}

function outcomeOf(found: readonly Refusal[] | undefined): Outcome {
  return found === undefined ? 'NotApplicable' : found.length === 0 ? 'Passed' : 'Blocked';
}

/** Whether nothing in the object itself keeps it off the host. Where it may stand among others is not asked. */
export function isSound(subject: Subject, ctx: TenantContext, translation: KindTranslation | undefined): boolean {
  const lists = [metadataChecks, subject.row.podSpec === undefined ? [] : podContentChecks, translation?.checks ?? []];
  return lists.every((checks) => checks.every((check) => (check.run(subject, ctx)?.length ?? 0) === 0));
}

/** Runs the checks of an object's content, then translates it. All refusals are collected, so that a person sees every reason. */
export function project(subject: Subject, ctx: TenantContext, gated: Gate, translation: KindTranslation | undefined): Projection {
  const hasPod = subject.row.podSpec !== undefined;
  let { trace, refusals } = gated;
  const gateShut = refusals.length > 0;
  for (const checks of [metadataChecks, hasPod ? podChecks : [], translation?.checks ?? []]) {
    for (const check of checks) {
      if (gateShut) {
        trace = trace.add(check.id, 'NotReached');
        continue;
      }
      const found = check.run(subject, ctx);
      trace = trace.add(check.id, outcomeOf(found));
      if (found !== undefined && found.length > 0) refusals = [...refusals, ...found];
    }
  }
  if (refusals.length > 0) return { subject, refusals, trace: trace.add(TRANSLATE, 'NotReached') };

  const edit = createEdit(clone(subject.object), subject.key === 'Secret');
  for (const steps of [commonSteps, hasPod ? podSteps : [], translation?.steps ?? []]) {
    for (const step of steps) step(edit, subject, ctx);
  }
  return { subject, edit, refusals: edit.refusals, trace: trace.add(TRANSLATE, edit.refusals.length > 0 ? 'Blocked' : 'Rewrote') };
}

const TRANSLATE = 'translate';
