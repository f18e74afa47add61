/**
 * The library: the planner and what it takes and gives, for tools that want the answers without the files. Functions for kpt's
 * TypeScript SDK are exported from `tenantplane/kpt-functions`.
 */
export type { Action, Decision, DecisionNote, Flow, ObjectRef, Outcome, TraceStep } from './core/decision/decision.ts';
export { type HostName, hostName, type NamedHost, type NameLimits, parseHostName } from './core/identity/host-name.ts';
export { KEY, MANAGED_BY, MAPPING } from './core/identity/metadata.ts';
export { KINDS, type KindRow, kindRow } from './core/kube/kinds.ts';
export type { KubeObject } from './core/kube/object.ts';
export { plan } from './core/plan/plan.ts';
export type {
  Finding,
  HostFile,
  InputObject,
  Observation,
  Plan,
  PreviousObject,
  RenderConfig,
  TenantPlan,
} from './core/plan/plan-types.ts';
export type { Source } from './core/plan/tenant-context.ts';
