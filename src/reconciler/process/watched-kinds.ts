import { CONTROL_PLANE_POD } from '../../core/isolation/peers.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import { labelsOf } from '../../core/kube/object.ts';
import type { Change } from '../../kube/reflector/object-store.ts';
import type { Resource } from '../../kube/transport/resource-path.ts';

/** One kind of the host of which a copy is kept, and what a change of an object of it means. */
export interface WatchedKind {
  readonly resource: Resource;
  /** under which the copy is found; the resource's plural, if not said */
  readonly store?: string;
  readonly labelSelector?: string;
  /** names, labels and annotations are enough */
  readonly metadataOnly?: boolean;
  /**
   * Whose passes a change calls for. `self`: it is a TenantCluster of this shard. `neighbour`: it is one of any shard. `profile`, `policy`: of those that refer to it. `child`: of the tenant whose
   * namespace it is in or is, and of the one that its annotation names. `shared`: of all, for it is of no namespace.
   */
  readonly concerns: 'self' | 'neighbour' | 'profile' | 'policy' | 'child' | 'shared';
  /** whether status alone matters too: others write it all the time; or the one field of it that does */
  readonly status: boolean | 'leader';
  /** which changes count, where not all do */
  readonly counts?: (change: Change) => boolean;
}

function resource(group: string, version: string, kind: string, plural: string, namespaced: boolean): Resource {
  return { group, version, kind, plural, namespaced };
}

const OWN = 'tenantplane.io';
const NETWORKING = 'networking.k8s.io';
const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const FLOW = 'flowcontrol.apiserver.k8s.io';

const OF_CONTROL_PLANES = Object.entries(CONTROL_PLANE_POD)
  .map(([key, value]) => `${key}=${value}`)
  .join(',');

export const TENANT_CLUSTERS: Resource = resource(OWN, 'v1alpha1', 'TenantCluster', 'tenantclusters', true);

/** Copies of the TenantClusters of all shards: without spec and status, where this process is for a shard. */
export const ALL_TENANT_CLUSTERS = 'all-tenantclusters';

/** What a process watches that is for a shard, or for all TenantClusters where it is for none. */
export function watchedKinds(shard: string | undefined): readonly WatchedKind[] {
  if (shard === undefined) return WATCHED_KINDS;
  return WATCHED_KINDS.flatMap((kind): WatchedKind[] =>
    kind.resource === TENANT_CLUSTERS
      ? [
          { ...kind, labelSelector: shard },
          { resource: TENANT_CLUSTERS, store: ALL_TENANT_CLUSTERS, metadataOnly: true, concerns: 'neighbour', status: false },
        ]
      : [kind],
  );
}

/**
 * Every kind that is watched. Boundaries are made of whole namespaces, so nothing is left out there: what opens one is nobody's we know, and has no
 * label of ours. Secrets and ConfigMaps are not among them.
 */
export const WATCHED_KINDS: readonly WatchedKind[] = [
  { resource: TENANT_CLUSTERS, concerns: 'self', status: 'leader' },
  { resource: resource(OWN, 'v1alpha1', 'IsolationProfile', 'isolationprofiles', false), concerns: 'profile', status: false },
  { resource: resource(OWN, 'v1alpha1', 'SyncPolicy', 'syncpolicies', false), concerns: 'policy', status: false },
  { resource: resource('', 'v1', 'Namespace', 'namespaces', false), concerns: 'child', status: true },
  { resource: resource(NETWORKING, 'v1', 'NetworkPolicy', 'networkpolicies', true), concerns: 'child', status: false },
  { resource: resource(NETWORKING, 'v1', 'Ingress', 'ingresses', true), concerns: 'child', status: false },
  { resource: resource('', 'v1', 'ResourceQuota', 'resourcequotas', true), concerns: 'child', status: false },
  { resource: resource('', 'v1', 'LimitRange', 'limitranges', true), concerns: 'child', status: false },
  { resource: resource('', 'v1', 'ServiceAccount', 'serviceaccounts', true), concerns: 'child', status: false },
  { resource: resource('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets', true), concerns: 'child', status: false },
  { resource: resource(RBAC, 'v1', 'Role', 'roles', true), concerns: 'child', status: false },
  { resource: resource(RBAC, 'v1', 'RoleBinding', 'rolebindings', true), concerns: 'child', status: false },
  { resource: resource(RBAC, 'v1', 'ClusterRoleBinding', 'clusterrolebindings', false), concerns: 'shared', status: false },
  { resource: resource('', 'v1', 'Service', 'services', true), concerns: 'child', status: true },
  {
    resource: resource('apps', 'v1', 'StatefulSet', 'statefulsets', true),
    labelSelector: `${OWN}/tenant`,
    concerns: 'child',
    status: true,
  },
  { resource: resource('', 'v1', 'Pod', 'pods', true), labelSelector: `${OWN}/tenant`, concerns: 'child', status: true, counts: podCounts },
  {
    resource: resource('', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', true),
    labelSelector: OF_CONTROL_PLANES,
    concerns: 'child',
    status: true,
  },
  {
    resource: resource('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses', false),
    metadataOnly: true,
    concerns: 'shared',
    status: false,
  },
  {
    resource: resource(ADMISSION, 'v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', false),
    concerns: 'shared',
    status: false,
  },
  {
    resource: resource(ADMISSION, 'v1', 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', false),
    concerns: 'shared',
    status: false,
  },
  { resource: resource(FLOW, 'v1', 'FlowSchema', 'flowschemas', false), concerns: 'shared', status: false },
  { resource: resource(FLOW, 'v1', 'PriorityLevelConfiguration', 'prioritylevelconfigurations', false), concerns: 'shared', status: false },
];

/** Pods of a tenant's workloads are counted while it is taken down, and matter to nothing else. */
function podCounts({ type, object }: Change): boolean {
  return type === 'deleted' || isControlPlane(object);
}

function isControlPlane(pod: KubeObject): boolean {
  const labels = labelsOf(pod);
  return Object.entries(CONTROL_PLANE_POD).every(([key, value]) => labels.get(key) === value);
}
