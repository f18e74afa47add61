import type { Path } from './json.ts';

/** What the planner does with a kind once it is in a tenant's folder. */
export type KindRole =
  /** translated to a host object when the SyncPolicy lists it */
  | 'projected'
  /** read to translate others (ServiceAccount, Namespace), never projected */
  | 'fact'
  /** configuration of tenantplane itself: refused among tenant objects */
  | 'config'
  /** never projected, whatever the policy says */
  | 'never';

export interface KindRow {
  readonly kind: string;
  readonly group: string;
  /** versions that the translation knows; another version of the group is skipped as unknown */
  readonly versions: readonly string[];
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly role: KindRole;
  /** longest host name; API limit or 63 for readability (projection rules, section 4) */
  readonly nameLimit: number;
  /** whether the host name may hold dots (DNS subdomain) or not (DNS label) */
  readonly dots: boolean;
  /** the pod spec inside the object, where it holds one */
  readonly podSpec?: Path;
  /** the metadata of the pod template, where the object holds one */
  readonly podMeta?: Path;
  /** takes its host name from the object of this kind that it makes or backs, of the same tenant name */
  readonly namedAs?: string;
}

type Row = Omit<KindRow, 'nameLimit' | 'dots' | 'scope' | 'role'> & Partial<Pick<KindRow, 'nameLimit' | 'dots' | 'scope' | 'role'>>;
const row = (r: Row): KindRow => ({ nameLimit: 63, dots: true, scope: 'Namespaced', role: 'projected', ...r });
const TEMPLATE: Pick<KindRow, 'podSpec' | 'podMeta'> = {
  podSpec: ['spec', 'template', 'spec'],
  podMeta: ['spec', 'template', 'metadata'],
};

/**
 * The closed table of kinds. Scope comes from here and never from `metadata.namespace` (CVE-2026-22872 is what happens
 * otherwise). A kind that is not here is unknown: skipped with a reason unless a SyncPolicy entry declares it.
 */
export const KINDS: readonly KindRow[] = [
  row({ kind: 'Pod', group: '', versions: ['v1'], plural: 'pods', podSpec: ['spec'], podMeta: ['metadata'] }),
  row({ kind: 'Deployment', group: 'apps', versions: ['v1'], plural: 'deployments', ...TEMPLATE }),
  row({ kind: 'StatefulSet', group: 'apps', versions: ['v1'], plural: 'statefulsets', nameLimit: 52, dots: false, ...TEMPLATE }),
  row({ kind: 'DaemonSet', group: 'apps', versions: ['v1'], plural: 'daemonsets', ...TEMPLATE }),
  row({ kind: 'ReplicaSet', group: 'apps', versions: ['v1'], plural: 'replicasets', ...TEMPLATE }),
  row({ kind: 'ReplicationController', group: '', versions: ['v1'], plural: 'replicationcontrollers', ...TEMPLATE }),
  row({ kind: 'Job', group: 'batch', versions: ['v1'], plural: 'jobs', ...TEMPLATE }),
  row({
    kind: 'CronJob',
    group: 'batch',
    versions: ['v1'],
    plural: 'cronjobs',
    nameLimit: 52,
    podSpec: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
    podMeta: ['spec', 'jobTemplate', 'spec', 'template', 'metadata'],
  }),
  row({
    kind: 'PodTemplate',
    group: '',
    versions: ['v1'],
    plural: 'podtemplates',
    podSpec: ['template', 'spec'],
    podMeta: ['template', 'metadata'],
  }),
  row({ kind: 'Service', group: '', versions: ['v1'], plural: 'services', dots: false }),
  row({ kind: 'Endpoints', group: '', versions: ['v1'], plural: 'endpoints', dots: false, namedAs: 'Service' }),
  row({ kind: 'EndpointSlice', group: 'discovery.k8s.io', versions: ['v1'], plural: 'endpointslices' }),
  row({ kind: 'ConfigMap', group: '', versions: ['v1'], plural: 'configmaps' }),
  row({ kind: 'Secret', group: '', versions: ['v1'], plural: 'secrets' }),
  row({ kind: 'PersistentVolumeClaim', group: '', versions: ['v1'], plural: 'persistentvolumeclaims' }),
  row({ kind: 'Ingress', group: 'networking.k8s.io', versions: ['v1'], plural: 'ingresses' }),
  row({ kind: 'NetworkPolicy', group: 'networking.k8s.io', versions: ['v1'], plural: 'networkpolicies' }),
  row({ kind: 'PodDisruptionBudget', group: 'policy', versions: ['v1'], plural: 'poddisruptionbudgets' }),
  row({ kind: 'HorizontalPodAutoscaler', group: 'autoscaling', versions: ['v2', 'v1'], plural: 'horizontalpodautoscalers' }),
  row({ kind: 'ExternalSecret', group: 'external-secrets.io', versions: ['v1', 'v1beta1'], plural: 'externalsecrets', namedAs: 'Secret' }),
  row({ kind: 'SealedSecret', group: 'bitnami.com', versions: ['v1alpha1'], plural: 'sealedsecrets', namedAs: 'Secret' }),

  row({ kind: 'ServiceAccount', group: '', versions: ['v1'], plural: 'serviceaccounts', role: 'fact' }),
  row({ kind: 'Namespace', group: '', versions: ['v1'], plural: 'namespaces', scope: 'Cluster', role: 'fact' }),

  row({ kind: 'TenantCluster', group: 'tenantplane.io', versions: ['v1alpha1'], plural: 'tenantclusters', role: 'config' }),
  row({
    kind: 'IsolationProfile',
    group: 'tenantplane.io',
    versions: ['v1alpha1'],
    plural: 'isolationprofiles',
    scope: 'Cluster',
    role: 'config',
  }),
  row({ kind: 'SyncPolicy', group: 'tenantplane.io', versions: ['v1alpha1'], plural: 'syncpolicies', scope: 'Cluster', role: 'config' }),
  row({ kind: 'SyncDecision', group: 'tenantplane.io', versions: ['v1alpha1'], plural: 'syncdecisions', role: 'config' }),
  row({
    kind: 'CustomResourceDefinition',
    group: 'apiextensions.k8s.io',
    versions: ['v1', 'v1beta1'],
    plural: 'customresourcedefinitions',
    scope: 'Cluster',
    role: 'config',
  }),
  ...never('', ['v1'], 'Namespaced', { ResourceQuota: 'resourcequotas', LimitRange: 'limitranges', Event: 'events', Binding: 'bindings' }),
  ...never('events.k8s.io', ['v1'], 'Namespaced', { Event: 'events' }),
  ...never('coordination.k8s.io', ['v1'], 'Namespaced', { Lease: 'leases' }),
  ...never('rbac.authorization.k8s.io', ['v1'], 'Namespaced', { Role: 'roles', RoleBinding: 'rolebindings' }),
  ...never('rbac.authorization.k8s.io', ['v1'], 'Cluster', { ClusterRole: 'clusterroles', ClusterRoleBinding: 'clusterrolebindings' }),
  ...never('', ['v1'], 'Cluster', { Node: 'nodes', PersistentVolume: 'persistentvolumes', ComponentStatus: 'componentstatuses' }),
  ...never('storage.k8s.io', ['v1'], 'Cluster', {
    StorageClass: 'storageclasses',
    CSIDriver: 'csidrivers',
    CSINode: 'csinodes',
    VolumeAttachment: 'volumeattachments',
    VolumeAttributesClass: 'volumeattributesclasses',
  }),
  ...never('storage.k8s.io', ['v1'], 'Namespaced', { CSIStorageCapacity: 'csistoragecapacities' }),
  ...never('scheduling.k8s.io', ['v1'], 'Cluster', { PriorityClass: 'priorityclasses' }),
  ...never('node.k8s.io', ['v1'], 'Cluster', { RuntimeClass: 'runtimeclasses' }),
  ...never('networking.k8s.io', ['v1'], 'Cluster', {
    IngressClass: 'ingressclasses',
    IPAddress: 'ipaddresses',
    ServiceCIDR: 'servicecidrs',
  }),
  ...never('admissionregistration.k8s.io', ['v1'], 'Cluster', {
    ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
    MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
    ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
    ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
    MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
    MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
  }),
  ...never('apiregistration.k8s.io', ['v1'], 'Cluster', { APIService: 'apiservices' }),
  ...never('certificates.k8s.io', ['v1'], 'Cluster', { CertificateSigningRequest: 'certificatesigningrequests' }),
  ...never('flowcontrol.apiserver.k8s.io', ['v1'], 'Cluster', {
    FlowSchema: 'flowschemas',
    PriorityLevelConfiguration: 'prioritylevelconfigurations',
  }),
  ...never('apps', ['v1'], 'Namespaced', { ControllerRevision: 'controllerrevisions' }),
  ...never('resource.k8s.io', ['v1'], 'Namespaced', { ResourceClaim: 'resourceclaims', ResourceClaimTemplate: 'resourceclaimtemplates' }),
  ...never('resource.k8s.io', ['v1'], 'Cluster', { DeviceClass: 'deviceclasses', ResourceSlice: 'resourceslices' }),
];

function never(group: string, versions: readonly string[], scope: KindRow['scope'], kinds: Record<string, string>): KindRow[] {
  return Object.entries(kinds).map(([kind, plural]) => row({ kind, group, versions, plural, scope, role: 'never' }));
}

const BY_KEY: ReadonlyMap<string, KindRow> = new Map(KINDS.map((r) => [r.group === '' ? r.kind : `${r.kind}.${r.group}`, r]));

/** The row of `Deployment.apps`, `Service`, …; undefined for a kind that the table does not know. */
export function kindRow(key: string): KindRow | undefined {
  return BY_KEY.get(key);
}

/** Whether the table has the kind in the version of an `apiVersion`, whose group is the row's. */
export function knowsVersion({ versions }: KindRow, apiVersion: string): boolean {
  return versions.includes(apiVersion.slice(apiVersion.indexOf('/') + 1));
}
