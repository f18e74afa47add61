import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf } from '../../../src/core/kube/object.ts';
import { type AdmissionCase, claimSpec, configMap, container, POOLED, pod, template, workload } from './case.ts';

/** The control-plane namespace's pod, and a Service. */
const CONTROL_PLANE: KubeObject = pod(
  {},
  { name: 'dev-control-plane-0', labels: { 'app.kubernetes.io/name': 'tenantplane-control-plane' } },
);
const API: KubeObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'dev-control-plane' }, spec: { ports: [{ port: 6443 }] } };

const connect = (name: string, object: KubeObject, subresource: string): AdmissionCase => ({
  name,
  threats: 'MTB-PL1-BC-CPI-2',
  where: 'control-plane',
  operation: 'CONNECT',
  subresource,
  before: object,
  object,
  rules: ['conn'],
});

const own = (apiVersion: string, kind: string, name: string, fields: JsonObject = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...fields,
});
const QUOTA = own('v1', 'ResourceQuota', 'tenantplane-test', { spec: { hard: { pods: '10' } } });
const DENY = own('networking.k8s.io/v1', 'NetworkPolicy', 'tenantplane-test', {
  spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
});
const RANGE = own('v1', 'LimitRange', 'tenantplane-test', { spec: { limits: [{ type: 'Container', max: { cpu: '4' } }] } });
const ROLE = own('rbac.authorization.k8s.io/v1', 'Role', 'tenantplane-test', { rules: [] });
const ACCOUNT_ = own('v1', 'ServiceAccount', 'tenantplane-test', { automountServiceAccountToken: false });
const DNS = workload('Deployment', {}, 'tenantplane-test');

const DNS_POD = pod({}, { name: 'tenantplane-test' });
const SCALED = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } as const;
/** Kinds that hold our pods, take their names or are reached under them. */
const NAMED: readonly KubeObject[] = [
  own('policy/v1', 'PodDisruptionBudget', 'tenantplane-test', { spec: { maxUnavailable: 1, selector: { matchLabels: { a: 'b' } } } }),
  own('autoscaling/v2', 'HorizontalPodAutoscaler', 'tenantplane-test', { spec: { maxReplicas: 1, scaleTargetRef: { ...SCALED } } }),
  own('networking.k8s.io/v1', 'Ingress', 'tenantplane-test', {
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  }),
  ...['Job', 'CronJob'].map((kind) => workload(kind, {}, 'tenantplane-test')),
  own('v1', 'ReplicationController', 'tenantplane-test', { spec: { selector: { app: 'web' }, template: template() } }),
  own('v1', 'PersistentVolumeClaim', 'tenantplane-test', { spec: claimSpec() }),
];

/** A tenant's namespace as it is labelled. */
const LABELS: JsonObject = {
  'tenantplane.io/tenant': 'dev',
  'tenantplane.io/tenant-namespace': 'team-dev',
  'tenantplane.io/role': 'workload',
  'tenantplane.io/isolation-profile': 'restricted',
  'pod-security.kubernetes.io/enforce': 'restricted',
};
const namespace = (labels: JsonObject, name = 'team-test'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});
const { 'tenantplane.io/role': _role, ...ROLELESS } = LABELS;

const relabel = (name: string, before: KubeObject, object: KubeObject, fields: Partial<AdmissionCase> = {}): AdmissionCase => ({
  name,
  threats: 'R10, CVE-2024-39690, CVE-2025-55205',
  by: 'namespace-editor',
  operation: 'UPDATE',
  before,
  object,
  rules: ['nsu'],
  tenant: 'FactRead',
  ...fields,
});

/** The boundary itself. */
export const PLATFORM_CASES: readonly AdmissionCase[] = [
  connect('a command runs in the control plane', CONTROL_PLANE, 'exec'),
  connect('a terminal is attached to the control plane', CONTROL_PLANE, 'attach'),
  connect('a port of the control plane is forwarded', CONTROL_PLANE, 'portforward'),
  connect('the control plane is reached through its pod', CONTROL_PLANE, 'proxy'),
  connect('the control plane is reached through its Service', API, 'proxy'),
  {
    name: 'a pod beside the control plane reads its keys',
    threats: 'MTB-PL1-CC-TI-2',
    where: 'control-plane',
    object: pod({ serviceAccountName: 'default' }),
    rules: ['cp'],
  },
  {
    name: 'a Deployment beside the control plane',
    threats: 'MTB-PL1-CC-TI-2',
    where: 'control-plane',
    object: workload('Deployment'),
    rules: ['cp'],
  },
  {
    name: 'a debugger in the control plane’s pod',
    threats: 'MTB-PL1-CC-TI-2',
    where: 'control-plane',
    operation: 'UPDATE',
    subresource: 'ephemeralcontainers',
    before: CONTROL_PLANE,
    object: {
      ...CONTROL_PLANE,
      spec: { ...(CONTROL_PLANE['spec'] as JsonObject), ephemeralContainers: [container({ name: 'debug' })] },
    },
    rules: ['cp'],
  },
  {
    name: 'the default deny is deleted',
    threats: 'M3, MTB-PL1-BC-CPI-2',
    operation: 'DELETE',
    before: DENY,
    object: DENY,
    rules: ['own'],
  },
  {
    name: 'the quota is raised',
    threats: 'M3, MTB-PL1-CC-TI-1',
    operation: 'UPDATE',
    before: QUOTA,
    object: { ...QUOTA, spec: { hard: { pods: '10000' } } },
    rules: ['own'],
    tenant: 'KindNeverProjected',
  },
  {
    name: 'the limits are lifted',
    threats: 'M3, MTB-PL1-BC-CPI-2',
    operation: 'DELETE',
    before: RANGE,
    object: RANGE,
    rules: ['own'],
  },
  {
    name: 'the pods’ account mounts its token',
    threats: 'M3, P5',
    operation: 'UPDATE',
    before: ACCOUNT_,
    object: { ...ACCOUNT_, automountServiceAccountToken: true },
    rules: ['own'],
  },
  {
    name: 'the reconciler’s Role is deleted',
    threats: 'M3, MTB-PL1-BC-CPI-2',
    operation: 'DELETE',
    before: ROLE,
    object: ROLE,
    rules: ['own'],
  },
  {
    name: 'the tenant’s DNS is scaled away',
    threats: 'M3',
    operation: 'UPDATE',
    subresource: 'scale',
    before: DNS,
    object: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'tenantplane-test' }, spec: { replicas: 0 } },
    rules: ['own'],
  },
  {
    name: 'a Deployment takes the bare name, for what is made of it',
    threats: 'M3, K3',
    object: workload('Deployment', {}, 'tenantplane'),
    rules: ['own'],
    tenant: { rendered: 'silently' },
  },
  {
    name: 'the tenant’s DNS is evicted',
    threats: 'M3',
    subresource: 'eviction',
    object: own('policy/v1', 'Eviction', 'tenantplane-dns-1'),
    rules: ['own'],
  },
  {
    name: 'a debugger in the tenant’s DNS',
    threats: 'M3, L1',
    operation: 'UPDATE',
    subresource: 'ephemeralcontainers',
    before: DNS_POD,
    object: { ...DNS_POD, spec: { ...(DNS_POD['spec'] as JsonObject), ephemeralContainers: [container({ name: 'debug' })] } },
    rules: ['own'],
  },
  ...NAMED.map(
    (object): AdmissionCase => ({
      name: `a ${kindOf(object)} takes a name of ours`,
      threats: 'M3',
      object,
      rules: ['own'],
    }),
  ),
  {
    name: 'an object takes a name of ours',
    threats: 'M3',
    object: configMap({ name: 'tenantplane-dns-live' }),
    rules: ['own'],
    tenant: { rendered: 'silently' },
  },
  ...(
    [
      ['lets no pod go', { maxUnavailable: 0 }],
      ['lets no share of pods go', { maxUnavailable: '0%' }],
      ['wants all pods', { minAvailable: '100%' }],
    ] as const
  ).map(
    ([what, spec]): AdmissionCase => ({
      name: `a budget ${what}, and holds its node`,
      threats: 'K5',
      object: own('policy/v1', 'PodDisruptionBudget', 'web', { spec: { ...spec, selector: { matchLabels: { app: 'web' } } } }),
      rules: ['drain'],
      tenant: 'DrainBlocked',
    }),
  ),
  relabel('Pod Security is lowered', namespace(LABELS), namespace({ ...LABELS, 'pod-security.kubernetes.io/enforce': 'privileged' })),
  relabel('a namespace leaves its profile', namespace(LABELS), namespace({ ...LABELS, 'tenantplane.io/isolation-profile': 'baseline' })),
  relabel('a namespace is no tenant’s any more', namespace(LABELS), namespace(ROLELESS)),
  relabel('a namespace is no tenant’s any more, through its status', namespace(LABELS), namespace(ROLELESS), {
    subresource: 'status',
    threats: 'R10, CVE-2026-30963, CVE-2026-55636',
  }),
  relabel('a namespace is no tenant’s any more, through finalize', namespace(LABELS), namespace(ROLELESS), {
    subresource: 'finalize',
    threats: 'R10, CVE-2026-30963',
  }),
  relabel(
    'a namespace of the host becomes a tenant’s',
    namespace({ team: 'host' }, 'host-test'),
    namespace({ team: 'host', ...LABELS }, 'host-test'),
  ),
  {
    name: 'a tenant’s namespace is deleted',
    threats: 'R9, CVE-2024-7598',
    by: 'namespace-editor',
    operation: 'DELETE',
    before: namespace(LABELS),
    object: namespace(LABELS),
    rules: ['ns-delete'],
  },
  relabel('a new namespace poses as a tenant’s', namespace({}), namespace(LABELS, 'posing'), { operation: 'CREATE' }),
  {
    name: 'a resource of the cluster is written',
    threats: 'K1, MTB-PL1-CC-CPI-1, CVE-2026-22872',
    object: own('rbac.authorization.k8s.io/v1', 'ClusterRole', 'mine', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
    rules: [],
    first: 'RBAC',
    tenant: 'KindIsClusterScoped',
  },
  {
    name: 'a role is given away',
    threats: 'K4, MTB-PL2-CC-TI-1',
    object: own('rbac.authorization.k8s.io/v1', 'RoleBinding', 'mine', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'intruder' }],
    }),
    rules: [],
    first: 'RBAC',
    tenant: 'KindNeverProjected',
  },
  {
    name: 'a webhook sees everybody’s objects',
    threats: 'K1',
    object: own('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'mine', { webhooks: [] }),
    rules: [],
    first: 'RBAC',
    tenant: 'KindIsClusterScoped',
  },
  {
    name: 'our own policy is deleted',
    threats: 'M3, MTB-PL1-BC-CPI-2',
    operation: 'DELETE',
    object: own('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'tenantplane-restricted-pods'),
    rules: [],
    first: 'RBAC',
  },
  {
    name: 'a pod in another tenant’s namespace',
    threats: 'MTB-PL1-CC-TI-2',
    where: 'elsewhere',
    object: pod({ nodeSelector: { ...POOLED.nodeSelector } }),
    rules: ['lbl', 'rsv'],
    first: 'RBAC',
  },
];
