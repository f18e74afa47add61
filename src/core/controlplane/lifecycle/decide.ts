import { at, stringAt } from '../../kube/json.ts';
import { annotationsOf } from '../../kube/object.ts';
import type { Action } from './action.ts';
import { blockerOf, externalAddress, isSettled } from './blockers.ts';
import { certificatesFound, lifetimesOf } from './certificates.ts';
import { type Found, found, rowOf } from './condition-reasons.ts';
import { endpointOf } from './endpoints.ts';
import { type LifecycleObservation, unread, wasReady } from './observation.ts';
import { createdAt, isReady, POD_GRACE, serversFound, unreadySince } from './servers.ts';
import { teardown } from './teardown.ts';
import { workOf } from './work.ts';

export const FINALIZER = 'tenantplane.io/control-plane' as const;
export const PAUSED = 'tenantplane.io/paused' as const;

export type Phase = 'Pending' | 'Provisioning' | 'Ready' | 'Degraded';

/** What one pass over a TenantCluster decides: what to do, in order, and what to say. */
export interface LifecycleDecision {
  readonly actions: readonly Action[];
  readonly found: readonly Found[];
  readonly ready: { readonly status: 'True' | 'False' | 'Unknown'; readonly reason: string; readonly message: string };
  readonly phase: Phase;
  readonly endpoint?: string;
  readonly externalEndpoint?: string;
  readonly kubernetesVersion?: string;
  readonly certificates: readonly { readonly name: string; readonly notAfter: number }[];
  /** what stays behind of a tenant that is deleted */
  readonly leftovers: readonly string[];
  /** milliseconds after which to look again although nothing has changed */
  readonly lookAgain?: number;
}

/** Nothing that is watched changes when an API answers again, or when Secrets can be read. */
const RETRY = 5_000;
/** Secrets are not watched: that one has come, or gone, is seen by looking. */
const UNWATCHED_RETRY = 10_000;
const OF_SECRETS: ReadonlySet<string> = new Set([
  'DatastoreSecretMissing',
  'AuthoritiesLost',
  'AuthoritiesBroken',
  'ObjectForeign',
  'ObjectFixed',
]);

/** Pure: the same observation gives the same decision, so a pass that was cut off anywhere is repeated and not undone. */
export function decide(o: LifecycleObservation): LifecycleDecision {
  const finalizers = at(o.tenantCluster, 'metadata', 'finalizers');
  const held = Array.isArray(finalizers) && finalizers.includes(FINALIZER);
  const settings = o.config.ready ? o.config.settings : undefined;
  const external = externalAddress(o);
  const version = o.api.kind === 'answers' ? o.api.version : stringAt(o.tenantCluster, 'status', 'kubernetesVersion');
  const about = {
    certificates: lifetimesOf(o).map(({ name, notAfter }) => ({ name, notAfter })),
    ...(settings !== undefined && { endpoint: endpointOf(settings) }),
    ...(external !== undefined && { externalEndpoint: external }),
    ...(version !== undefined && { kubernetesVersion: version }),
  };
  const certificates = certificatesFound(o);
  const parts = [isolationFound(o), serversFound(o), ...(certificates === undefined ? [] : [certificates])];

  const deleted = stringAt(o.tenantCluster, 'metadata', 'deletionTimestamp') !== undefined;
  if (deleted && !held) return { ...about, ...summary(o, parts), actions: [], leftovers: [] };
  // before the deletion too: who paused it works on what would be taken down, or keeps it from going by mistake
  if (annotationsOf(o.tenantCluster).get(PAUSED) === 'true') {
    const paused = deleted
      ? found('Paused', 'DeletionHeld', `The annotation ${PAUSED} asks for it; nothing is taken down until that annotation is removed.`)
      : found('Paused', 'User', `The annotation ${PAUSED} asks for it; nothing is changed.`);
    return { ...about, ...summary(o, [...parts, paused]), actions: [], leftovers: [] };
  }
  if (deleted) {
    const { actions, found: deleting, leftovers } = teardown(o);
    return { ...about, ...summary(o, [...parts, deleting]), actions, leftovers, ...(unread(o.secrets) && { lookAgain: RETRY }) };
  }
  const blocker = blockerOf(o);
  const work = blocker ?? (isSettled(o) ? workOf(o) : undefined);
  const state = work === undefined ? [] : 'found' in work ? [work.found] : work.reconciling === undefined ? [] : [work.reconciling];
  // first, so that nothing is ever made that nobody takes down
  const actions: readonly Action[] = [...(held ? [] : [{ do: 'add-finalizer' } as const]), ...(work?.actions ?? [])];
  const again = lookAgain(o, state);
  return { ...about, ...summary(o, [...parts, ...state]), actions, leftovers: [], ...(again !== undefined && { lookAgain: again }) };
}

function isolationFound({ boundary, config }: LifecycleObservation): Found {
  if (!config.ready || boundary.kind === 'unknown')
    return found('IsolationEnforced', 'NotVerified', boundary.kind === 'unknown' ? boundary.why : 'There is nothing to compare with.');
  if (boundary.enforced) return found('IsolationEnforced', 'Enforced', 'Each object of the boundary is as planned.');
  const { problems } = boundary;
  const more = problems.length > SHOWN ? ` And ${problems.length - SHOWN} more.` : '';
  const message = `${problems.slice(0, SHOWN).join(' ')}${more}`;
  return found('IsolationEnforced', boundary.missing > 0 ? 'BoundaryMissing' : 'BoundaryDrifted', message);
}
/** problems that a message names */
const SHOWN = 3;

type Summary = Pick<LifecycleDecision, 'found' | 'ready' | 'phase'>;

function summary(o: LifecycleObservation, parts: readonly Found[]): Summary {
  const of = (type: Found['type']): Found | undefined => parts.find((part) => part.type === type);
  const [stalled, reconciling, paused] = [of('Stalled'), of('Reconciling'), of('Paused')];
  const unwell = parts.find((part) => BLAMED.includes(part.type) && rowOf(part).status === 'False');
  const doubtful = parts.find((part) => BLAMED.includes(part.type) && rowOf(part).status === 'Unknown');
  // of what is being taken down nothing is expected
  const expected = reconciling?.reason !== 'Deleting' && (wasReady(o) || reconciling === undefined);
  const blamed = stalled ?? (expected ? unwell : undefined);
  const started = o.live.statefulSet !== undefined;
  const phase = (): Phase => {
    if (blamed !== undefined) return wasReady(o) ? 'Degraded' : started ? 'Provisioning' : 'Pending';
    if (reconciling !== undefined || doubtful !== undefined) return started ? 'Provisioning' : 'Pending';
    return 'Ready';
  };
  const ready = (): LifecycleDecision['ready'] => {
    if (blamed !== undefined) return { status: 'False', reason: blamed.reason, message: blamed.message };
    const going = reconciling ?? doubtful;
    // a first start that does not get on says why
    const starting = reconciling !== undefined && reconciling.reason !== 'Deleting';
    const why = starting && unwell?.type === 'ControlPlaneReady' && unwell.reason !== 'NotStarted' ? ` ${unwell.message}` : '';
    if (going !== undefined) return { status: 'Unknown', reason: 'Progressing', message: `${going.message}${why}` };
    return {
      status: 'True',
      reason: 'Succeeded',
      message: `Kubernetes ${o.api.kind === 'answers' ? o.api.version : ''} answers, isolated as planned.`,
    };
  };
  return { found: paused === undefined ? parts : parts.filter((part) => part !== stalled), ready: ready(), phase: phase() };
}
const BLAMED: readonly Found['type'][] = ['IsolationEnforced', 'ControlPlaneReady', 'CertificatesValid'];

function lookAgain(o: LifecycleObservation, state: readonly Found[]): number | undefined {
  const { live, api, secrets, namespaces, now } = o;
  if (state.some(({ reason }) => OF_SECRETS.has(reason))) return UNWATCHED_RETRY;
  if (api.kind === 'failed' || (unread(secrets) && namespaces.controlPlane === 'ours')) return RETRY;
  if (live.statefulSet === undefined) return undefined;
  // what is no news yet is news then
  const since = live.pods.length === 0 ? unreadySince(o) : Math.max(...live.pods.filter((pod) => !isReady(pod)).map(createdAt));
  const left = since + POD_GRACE - now;
  return left > 0 ? left + 1000 : undefined;
}
