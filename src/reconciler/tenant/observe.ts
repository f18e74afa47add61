import { serviceAddress } from '../../core/controlplane/endpoint-names.ts';
import { findRelease, type KubernetesRelease } from '../../core/controlplane/kubernetes-versions.ts';
import { configState } from '../../core/controlplane/lifecycle/config-state.ts';
import type {
  AccessState,
  ApiState,
  BoundaryState,
  ConfigState,
  LifecycleObservation,
  LiveObjects,
  NamespaceState,
} from '../../core/controlplane/lifecycle/observation.ts';
import { CONFIG_MAP, CONTROL_PLANE } from '../../core/controlplane/names.ts';
import { KEY, labelValue } from '../../core/identity/metadata.ts';
import { controlPlaneNamespace } from '../../core/isolation/control-plane-namespace.ts';
import { RECONCILER_ACCESS } from '../../core/isolation/reconciler.ts';
import { stringAt } from '../../core/kube/json.ts';
import { annotationsOf, type KubeObject, labelsOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { HostFacts } from '../../core/plan/settings.ts';
import type { Clock } from '../../kube/clock.ts';
import type { Connection } from '../../kube/connection/connection.ts';
import { type Failure, isReason, type Result } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import type { SentRequest } from '../../kube/transport/transport.ts';
import { masked } from '../../report/mask-credentials.ts';
import type { Authorities } from '../pki/make-authorities.ts';
import { ALL_TENANT_CLUSTERS } from '../process/watched-kinds.ts';
import { type HostView, inNamespace } from './host-view.ts';
import { resourceOf } from './resources.ts';
import { readSecrets, type SecretReadings } from './secrets.ts';
import { serverPods } from './server-pods.ts';
import { askTenant, serverAddress } from './tenant-api.ts';

/** A TenantCluster with what it names. */
export interface TenantConfig {
  readonly tenantCluster: KubeObject;
  readonly profile: KubeObject;
  readonly policy: KubeObject;
}

/** What one pass looks at: the host's copies, three Secrets, and the tenant's API. */
export interface Sources {
  readonly view: HostView;
  readonly clock: Clock;
  readonly facts: HostFacts;
  readonly releases: readonly KubernetesRelease[];
  /** how the boundary stands, from what the view holds */
  boundary(config: TenantConfig): BoundaryState;
  /** how a tenant is called: as the reconciler, or as who may say what the reconciler and people may */
  connection(tenant: Reached): Connection;
  /** told of each request to a tenant */
  onTenantRequest(what: SentRequest): void;
}

export interface Reached {
  readonly authorities: Authorities;
  /** of one of its servers */
  readonly address: string;
  readonly serverName: string;
  readonly as: 'reconciler' | 'bootstrap';
}

export interface Observed {
  readonly observation: LifecycleObservation;
  readonly secrets: SecretReadings;
  /** to say in the tenant who may do what, where it can be called */
  readonly bootstrap?: Connection;
  /** the host did not say what it has: nothing may be decided from that */
  readonly failure?: Failure;
}

export async function observe(tenantCluster: KubeObject, sources: Sources, call: Call): Promise<Observed> {
  const { view, clock, facts, releases } = sources;
  const [name, namespace] = [nameOf(tenantCluster), namespaceOf(tenantCluster) ?? ''];
  const place = controlPlaneNamespace(name, namespace);
  const objects = configOf(tenantCluster, view);
  const config = configState(tenantCluster, objects.profile, objects.policy, facts);
  const datastore = config.ready ? config.settings.datastore : undefined;
  const [secrets, configMap] = await Promise.all([readSecrets(call, place, `${namespace}/${name}`, datastore), readConfigMap(call, place)]);
  const live = { ...liveObjects(view, place, namespace, name), configMaps: 'value' in configMap ? [configMap.value] : [] };
  const failure = [secrets.failure, 'failure' in configMap ? configMap.failure : undefined].find(
    (each) => each !== undefined && !isAnswer(each),
  );
  const { api, bootstrap } = await apiOf({ config, live, secrets }, sources, call.signal);
  const wanted = stringAt(tenantCluster, 'spec', 'kubernetesVersion');
  return {
    secrets,
    ...(failure !== undefined && { failure }),
    ...(bootstrap !== undefined && { bootstrap }),
    observation: {
      now: clock.wall(),
      tenantCluster,
      elders: eldersOf(tenantCluster, inNamespace(view, ALL_TENANT_CLUSTERS, namespace)),
      config,
      namespaces: {
        workload: namespaceState(view.store('namespaces').get(namespace), 'workload', tenantCluster),
        controlPlane: namespaceState(view.store('namespaces').get(place), 'control-plane', tenantCluster),
      },
      boundary: boundaryOf(config, objects, sources),
      secrets: secrets.states,
      access: accessState(view, place, secrets.failure),
      live,
      storageClasses: storageClasses(view),
      api,
      releases,
      release: findRelease(wanted === '' ? undefined : wanted, releases),
    },
  };
}

function configOf(tenantCluster: KubeObject, view: HostView): Partial<TenantConfig> & Pick<TenantConfig, 'tenantCluster'> {
  const profile = view.store('isolationprofiles').get(stringAt(tenantCluster, 'spec', 'isolationProfileRef', 'name') ?? '');
  const policy = view.store('syncpolicies').get(stringAt(tenantCluster, 'spec', 'syncPolicyRef', 'name') ?? '');
  return { tenantCluster, ...(profile !== undefined && { profile }), ...(policy !== undefined && { policy }) };
}

/** There is nothing to compare with where the configuration cannot be used. */
function boundaryOf(
  config: ConfigState,
  { tenantCluster, profile, policy }: ReturnType<typeof configOf>,
  { boundary }: Sources,
): BoundaryState {
  if (!config.ready || profile === undefined || policy === undefined) return { kind: 'unknown', why: 'There is nothing to compare with.' };
  return boundary({ tenantCluster, profile, policy });
}

interface Known {
  readonly config: ConfigState;
  readonly live: LiveObjects;
  readonly secrets: SecretReadings;
}

/** Only a server that kubelet calls ready is asked: before that, nobody answers, and a pass would wait for nothing. */
async function apiOf(
  { config, live, secrets }: Known,
  { connection, clock, onTenantRequest: onRequest }: Sources,
  signal: AbortSignal,
): Promise<{ readonly api: ApiState; readonly bootstrap?: Connection }> {
  const address = serverAddress(live.pods);
  const { authorities, states } = secrets;
  if (
    !config.ready ||
    address === undefined ||
    authorities === undefined ||
    states.authorities.state !== 'present' ||
    !states.authorities.ours
  )
    return { api: { kind: 'not-asked' } };
  const reached = { authorities, address, serverName: serviceAddress(config.settings) };
  const api = await askTenant(connection({ ...reached, as: 'reconciler' }), address, { clock, onRequest }, signal);
  return { api, bootstrap: connection({ ...reached, as: 'bootstrap' }) };
}

/** The rights that Git brings for this namespace, by name: whether they are wide enough, the host says. */
function accessState(view: HostView, place: string, failure: Failure | undefined): AccessState {
  const wanted = { Role: 'roles', RoleBinding: 'rolebindings' };
  const missing = Object.entries(wanted)
    .filter(([, plural]) => view.store(plural).get(`${place}/${RECONCILER_ACCESS}`) === undefined)
    .map(([kind]) => `${kind} ${RECONCILER_ACCESS}`);
  return { missing, ...(failure !== undefined && isReason(failure, 'Forbidden') && { refused: masked(failure.message) }) };
}

/** Asked for by name: a watch of ConfigMaps would hold everybody's. */
function readConfigMap(call: Call, namespace: string): Promise<Result<KubeObject>> {
  return getObject({ resource: resourceOf('ConfigMap'), namespace, name: CONFIG_MAP }, call);
}

/** That there is none, or that we may not read it (its Role is not there), the host has said. */
function isAnswer(failure: Failure): boolean {
  return isReason(failure, 'NotFound') || isReason(failure, 'Forbidden');
}

function liveObjects(view: HostView, place: string, namespace: string, tenant: string): Omit<LiveObjects, 'configMaps'> {
  const statefulSet = view.store('statefulsets').get(`${place}/${CONTROL_PLANE}`);
  const pods = serverPods(inNamespace(view, 'pods', place));
  const workloads = inNamespace(view, 'pods', namespace).filter((pod) => labelsOf(pod).get(KEY.tenant) === labelValue(tenant)).length;
  return {
    ...(statefulSet !== undefined && { statefulSet }),
    services: inNamespace(view, 'services', place),
    pods,
    claims: inNamespace(view, 'persistentvolumeclaims', place),
    workloads,
  };
}

function namespaceState(namespace: KubeObject | undefined, role: 'workload' | 'control-plane', tenantCluster: KubeObject): NamespaceState {
  if (namespace === undefined) return 'missing';
  const labels = labelsOf(namespace);
  const ours =
    labels.get(KEY.role) === role &&
    labels.get(KEY.tenant) === labelValue(nameOf(tenantCluster)) &&
    labels.get(KEY.tenantNamespace) === namespaceOf(tenantCluster);
  if (!ours) return 'foreign';
  return stringAt(namespace, 'metadata', 'deletionTimestamp') === undefined ? 'ours' : 'terminating';
}

/** Those of its namespace that were there first, whatever shard they are of; of the same second, by name. */
export function eldersOf(tenantCluster: KubeObject, all: readonly KubeObject[]): readonly string[] {
  const age = (object: KubeObject): string => `${stringAt(object, 'metadata', 'creationTimestamp') ?? ''}|${nameOf(object)}`;
  return all
    .filter((other) => nameOf(other) !== nameOf(tenantCluster) && age(other) < age(tenantCluster))
    .map(nameOf)
    .sort();
}

/** The annotation by which Kubernetes marks the default (docs: storage-classes). */
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

function storageClasses(view: HostView): NonNullable<LifecycleObservation['storageClasses']> {
  const all = [...view.store('storageclasses').values()];
  return { names: new Set(all.map(nameOf)), hasDefault: all.some((each) => annotationsOf(each).get(DEFAULT_CLASS) === 'true') };
}
