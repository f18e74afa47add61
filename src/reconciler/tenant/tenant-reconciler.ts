import { decide, type LifecycleDecision } from '../../core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation } from '../../core/controlplane/lifecycle/observation.ts';
import { isNews, statusOf, transitionsOf, withoutOthers } from '../../core/controlplane/lifecycle/status.ts';
import { KEY, labelValue, MANAGED_BY } from '../../core/identity/metadata.ts';
import { controlPlaneNamespace } from '../../core/isolation/control-plane-namespace.ts';
import { stringAt } from '../../core/kube/json.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import { type Failure, isReason } from '../../kube/failure.ts';
import { applyObject } from '../../kube/objects/apply.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import { mergePatch } from '../../kube/objects/patch.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import { masked } from '../../report/mask-credentials.ts';
import { TENANT_CLUSTERS } from '../process/watched-kinds.ts';
import type { Outcome, TenantReconciler } from '../reconcile.ts';
import { execute } from './execute.ts';
import type { Execution } from './execution.ts';
import { observe, type Sources } from './observe.ts';

export interface TenantDeps extends Sources {
  readonly transport: Transport;
  readonly events: EventRecorder;
  /** whether this process alone may still write for a tenant, by its key; asked right before each write */
  holds(key: string): boolean;
  /** told that a tenant is gone */
  forget(tenantCluster: KubeObject): void;
  /** runs one piece of work under a name, for spans */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** told of what each pass decided and did, for logs and metrics */
  onPass(pass: Pass): void;
}

export interface Pass {
  readonly observation: LifecycleObservation;
  readonly decision: LifecycleDecision;
  readonly done: readonly string[];
  readonly failure?: string;
}

/** Milliseconds until the next pass where what was made is not watched: Secrets and ConfigMaps are read one by one, and no watch tells of them. */
const SOON = 50;

/** One pass: look, decide, do, say. It can be cut off at any point, since the next one looks again. */
export function tenantReconciler(deps: TenantDeps): TenantReconciler {
  const refused: Refused = new Map();
  return {
    reconcile: async (key, signal) => {
      const tenantCluster = deps.view.store('tenantclusters').get(key);
      // it is gone, and what had to go before it with it
      if (tenantCluster === undefined) {
        const [namespace = '', name = ''] = key.split('/');
        deps.forget({ metadata: { namespace, name } });
        refused.delete(key);
        return { result: 'success' };
      }
      return pass(tenantCluster, { ...deps, refused }, { transport: deps.transport, signal });
    },
  };
}

/** Why the last pass over a tenant could not do what it decided, by its key: the next one says it to people. */
type Refused = Map<string, string>;

async function pass(tenantCluster: KubeObject, deps: TenantDeps & { readonly refused: Refused }, call: Call): Promise<Outcome> {
  const observed = await observe(tenantCluster, deps, call);
  // a host that does not answer says nothing of the tenant
  if (observed.failure !== undefined) return { result: 'error', failure: observed.failure.message };
  const key = `${namespaceOf(tenantCluster) ?? ''}/${nameOf(tenantCluster)}`;
  const decision = withRefusal(decide(observed.observation), deps.refused.get(key));
  const execution: Execution = {
    call,
    holds: () => deps.holds(key),
    clock: deps.clock,
    onTenantRequest: deps.onTenantRequest,
    observed,
    namespace: controlPlaneNamespace(nameOf(tenantCluster), namespaceOf(tenantCluster) ?? ''),
    metadata: (name) => metadataOf(tenantCluster, name),
  };
  // alone: nothing is made that nobody would take down, and both change the object that everything else was decided on
  const marks = decision.actions.filter((action) => action.do === 'add-finalizer' || action.do === 'remove-finalizer');
  const leaving = marks.some((action) => action.do === 'remove-finalizer');
  // what is decided is said before it is done: a start that hangs has said that it starts
  let failure: Failure | undefined = marks.length > 0 ? undefined : await say(tenantCluster, decision, deps, call);
  const done: string[] = [];
  let foreign = false;
  for (const action of failure !== undefined ? [] : marks.length > 0 ? marks : decision.actions) {
    if (!deps.holds(key)) return { result: 'error', failure: 'It is no longer this process’s to work on.' };
    failure = await deps.step(`tenantplane.provision.${action.do}`, () => execute(action, execution));
    if (failure !== undefined) {
      // what nobody here has made is another's, and the next pass finds it there too
      foreign = action.do === 'apply' && !action.force && isReason(failure, 'Conflict');
      break;
    }
    done.push(action.do);
  }
  if (failure === undefined) deps.refused.delete(key);
  else if (foreign || !conflictOrGone(failure)) deps.refused.set(key, masked(failure.message));
  if (leaving && failure === undefined) farewell(tenantCluster, decision, deps);
  deps.onPass({ observation: observed.observation, decision, done, ...(failure !== undefined && { failure: failure.message }) });
  if (failure !== undefined)
    return conflictOrGone(failure) && !foreign
      ? { result: 'success', requeueAfter: SOON * 20 }
      : { result: 'error', failure: failure.message };
  const unseen = decision.actions.some((action) => UNWATCHED.has(action.do === 'delete' ? kindOf(action.object) : action.do));
  const again = unseen ? SOON : decision.lookAgain;
  return { result: 'success', ...(again !== undefined && { requeueAfter: again }) };
}
const UNWATCHED: ReadonlySet<string> = new Set(['make-authorities', 'make-token', 'delete-secret', 'publish-kubeconfig', 'ConfigMap']);

/** An action that the host refuses again and again looks like one that takes long, if nobody says so. */
function withRefusal(decision: LifecycleDecision, why: string | undefined): LifecycleDecision {
  if (why === undefined || decision.actions.length === 0) return decision;
  const say = (message: string): string => `${message} The last attempt failed: ${why}`;
  const { ready, found } = decision;
  return {
    ...decision,
    found: found.map((each) => (each.type === 'Reconciling' ? { ...each, message: say(each.message) } : each)),
    ready: ready.reason === 'Progressing' ? { ...ready, message: say(ready.message) } : ready,
  };
}

/** The copy that was decided on was a moment old; the next pass has the new one. */
function conflictOrGone(failure: Failure): boolean {
  return isReason(failure, 'Conflict') || isReason(failure, 'NotFound');
}

async function say(tenantCluster: KubeObject, decision: LifecycleDecision, deps: TenantDeps, call: Call): Promise<Failure | undefined> {
  const status = statusOf(tenantCluster, decision, deps.clock.wall());
  if (!isNews(tenantCluster, status)) return undefined;
  if (!deps.holds(`${namespaceOf(tenantCluster) ?? ''}/${nameOf(tenantCluster)}`)) return undefined;
  const { apiVersion, kind } = tenantCluster;
  const metadata = {
    name: nameOf(tenantCluster),
    namespace: namespaceOf(tenantCluster) ?? '',
    uid: stringAt(tenantCluster, 'metadata', 'uid') ?? '',
  };
  const object: KubeObject = { apiVersion: apiVersion ?? '', kind: kind ?? '', metadata, status };
  const written = await applyObject(TENANT_CLUSTERS, object, {
    ...call,
    fieldManager: 'tenantplane-status',
    force: true,
    subresource: 'status',
  });
  if ('failure' in written) return written.failure;
  const rest = withoutOthers(written.value['status'], status);
  if (rest !== undefined) {
    const resourceVersion = stringAt(written.value, 'metadata', 'resourceVersion') ?? '';
    const ref = { resource: TENANT_CLUSTERS, namespace: metadata.namespace, name: metadata.name };
    const options = { ...call, fieldManager: 'tenantplane-status', subresource: 'status' } as const;
    const cleared = await mergePatch(ref, { metadata: { resourceVersion }, status: rest }, options);
    if ('failure' in cleared) return cleared.failure;
  }
  for (const { type, reason, message } of transitionsOf(tenantCluster, decision.found))
    deps.events.record({ type, reason, action: 'Reconcile', note: message, regarding: tenantCluster });
  return undefined;
}

/** What stays behind is told as an Event and in the log: the object that could say it is gone. */
function farewell(tenantCluster: KubeObject, { leftovers }: LifecycleDecision, { events }: TenantDeps): void {
  const note = leftovers.length === 0 ? 'The control plane is removed, and nothing of it stays.' : `Stays behind: ${leftovers.join('; ')}.`;
  events.record({
    type: leftovers.length === 0 ? 'Normal' : 'Warning',
    reason: 'Deleted',
    action: 'Delete',
    note,
    regarding: tenantCluster,
  });
}

function metadataOf(tenantCluster: KubeObject, name: string) {
  const [tenant, namespace] = [nameOf(tenantCluster), namespaceOf(tenantCluster) ?? ''];
  return {
    name,
    namespace: controlPlaneNamespace(tenant, namespace),
    labels: { [KEY.managedBy]: MANAGED_BY, [KEY.tenant]: labelValue(tenant), [KEY.role]: 'control-plane' },
    annotations: { [KEY.tenantCluster]: `${namespace}/${tenant}` },
  };
}
