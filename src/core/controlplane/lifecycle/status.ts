import { asObject, at, equal, type Json, type JsonObject, objectsOf, stringAt } from '../../kube/json.ts';
import { annotationsOf, type KubeObject } from '../../kube/object.ts';
import { type Found, rowOf } from './condition-reasons.ts';
import type { LifecycleDecision } from './decide.ts';
import { knownTime } from './known-time.ts';

/** Ask for a pass with any new text in it; the status repeats the text when the pass is done. */
export const RECONCILE_REQUESTED = 'tenantplane.io/reconcile-requested-at' as const;

/** The API's limit is 32 kB; people read the beginning. */
const MESSAGE = 1024;

/** Who works on the tenant. It stands there before the first status, and is not part of what a pass finds. */
const LEADER = 'leader';

/** The whole status of a TenantCluster, but for its leader. Times of conditions move only where their status does; what is no more the case is not in it. */
export function statusOf(tenantCluster: KubeObject, decision: LifecycleDecision, now: number): JsonObject {
  const before = objectsOf(conditionsOf(tenantCluster));
  const generation = Number(at(tenantCluster, 'metadata', 'generation') ?? 0);
  const condition = (type: string, status: string, reason: string, message: string): JsonObject => {
    const old = before.find((each) => each['type'] === type);
    const since = old?.['status'] === status ? stringAt(old, 'lastTransitionTime') : undefined;
    // a time that cannot be would stand there for good, and be counted from
    const known = knownTime(since, now) === undefined ? undefined : since;
    const lastTransitionTime = known ?? `${new Date(now).toISOString().slice(0, 19)}Z`;
    return { type, status, reason, message: cut(message), observedGeneration: generation, lastTransitionTime };
  };
  const { ready, found, phase, endpoint, externalEndpoint, kubernetesVersion, certificates } = decision;
  const requested = annotationsOf(tenantCluster).get(RECONCILE_REQUESTED);
  return {
    observedGeneration: generation,
    phase,
    ...(endpoint !== undefined && { endpoint }),
    ...(externalEndpoint !== undefined && { externalEndpoint }),
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(requested !== undefined && { lastHandledReconcileAt: requested }),
    conditions: [
      condition('Ready', ready.status, ready.reason, ready.message),
      ...found.map((each) => condition(each.type, rowOf(each).status, each.reason, each.message)),
    ],
    ...(certificates.length > 0 && {
      certificates: certificates.map(({ name, notAfter }) => ({ name, notAfter: `${new Date(notAfter).toISOString().slice(0, 19)}Z` })),
    }),
  };
}

/** Whether writing it would change anything. */
export function isNews(tenantCluster: KubeObject, status: JsonObject): boolean {
  const { [LEADER]: _, ...live } = asObject(tenantCluster['status']) ?? {};
  return !equal(live, status);
}

/**
 * What else stands in a live status: fields and conditions that somebody wrote by hand. An apply leaves them there, and they would be read as
 * the reconciler's. @returns a merge patch that leaves the wanted status alone; undefined where it is alone
 */
export function withoutOthers(live: Json | undefined, wanted: JsonObject): JsonObject | undefined {
  const others = Object.keys(asObject(live) ?? {}).filter((field) => field !== LEADER && !Object.hasOwn(wanted, field));
  const more = objectsOf(at(live, 'conditions')).length > objectsOf(wanted['conditions']).length;
  return others.length === 0 && !more ? undefined : { ...wanted, ...Object.fromEntries(others.map((field) => [field, null])) };
}

/** Something that people are told by an Event: a condition that came, went or changed its reason. */
export interface Transition {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export function transitionsOf(tenantCluster: KubeObject, found: readonly Found[]): readonly Transition[] {
  const before = new Map(objectsOf(conditionsOf(tenantCluster)).map((each) => [each['type'], each['reason']]));
  return found
    .filter(({ type, reason }) => before.get(type) !== reason && !QUIET.has(reason))
    .map((each) => ({ type: rowOf(each).remedy === undefined ? 'Normal' : 'Warning', reason: each.reason, message: cut(each.message) }));
}
/** what goes by in every start, and says nothing */
const QUIET: ReadonlySet<string> = new Set(['NotStarted', 'NotVerified', 'Starting']);

function conditionsOf(tenantCluster: KubeObject): Json | undefined {
  return at(tenantCluster, 'status', 'conditions');
}

function cut(message: string): string {
  return message.length <= MESSAGE ? message : `${message.slice(0, MESSAGE - 1)}…`;
}
