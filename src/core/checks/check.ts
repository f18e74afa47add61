import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import type { Refusal } from '../translate/edit.ts';

/**
 * A check is a pure function with an id: no refusal means that the object passes; undefined means that the check does not
 * apply to it. A policy is an ordered list of checks. All checks of a list run, so that a person sees every reason at once;
 * the first refusal is the decision.
 */
export interface Check {
  /** stands in traces: `isolation.host-path` */
  readonly id: string;
  run(subject: Subject, ctx: TenantContext): readonly Refusal[] | undefined;
}
