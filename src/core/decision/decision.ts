import type { Source } from '../plan/tenant-context.ts';
import type { Change, Note } from '../translate/edit.ts';
import type { Disposition, ReasonName, Severity } from './reasons.ts';

export type Action = 'Create' | 'Update' | 'Delete' | 'Skip';
export type Flow = 'ToHost' | 'ToTenant' | 'None';
export type Outcome = 'Matched' | 'NotMatched' | 'Passed' | 'Blocked' | 'Rewrote' | 'NotApplicable' | 'Undecided' | 'NotReached';

export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One rule that was looked at, in order. `NotReached` is not `Passed`. */
export interface TraceStep {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly because?: string;
}

/** A warning that goes with a decision, with its sentence filled in. */
export interface DecisionNote extends Note {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly remedy: string;
}

/**
 * Why one subject is on the host, or is not: one for each input object, each compiled object and each removed object.
 * Holds no clock, no random, no digest of a shared object and never a Secret value.
 */
export interface Decision {
  readonly tenant: { readonly namespace: string; readonly name: string };
  readonly source?: ObjectRef & { readonly file: Source };
  readonly host?: ObjectRef & { readonly file: string };
  readonly flow: Flow;
  readonly action: Action;
  readonly disposition: Disposition;
  readonly reason: ReasonName;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly params: Readonly<Record<string, string>>;
  readonly remedy: string;
  /** what decided, first the decisive one: `SyncPolicy/default[v1/Pod]`, `IsolationProfile/restricted#blockHostPathVolumes` */
  readonly causes: readonly string[];
  readonly trace: readonly TraceStep[];
  readonly fields: readonly Change[];
  /** ids of the rules that changed something, sorted */
  readonly rewrites: readonly string[];
  readonly notes: readonly DecisionNote[];
}
