import { type AdmissionCase, configMap, OURS, owned, pod, secret, service, workload } from './case.ts';

const IDENTITY = { 'tenantplane.io/tenant-cluster': 'team-dev/dev', 'tenantplane.io/virtual-name': 'settings' } as const;

/** What is a controller’s, by its own words. */
const posing = (name: string, threats: string, rule: string, labels: object, annotations: object): AdmissionCase => ({
  name: `behind a made-up owner, ${name}`,
  threats,
  object: owned(configMap({ labels: { ...labels }, annotations: { ...annotations } }), 'ReplicaSet', 'web'),
  rules: [rule],
  tenant: { rendered: Object.keys(annotations).length > 0 ? 'AnnotationBlocked' : 'LabelRekeyed' },
});
const OF_PROD = { 'tenantplane.io/tenant': 'prod' } as const;
const ROLE = { 'tenantplane.io/role': 'isolation' } as const;

/** What labels and annotations say, and to whom. */
export const METADATA_CASES: readonly AdmissionCase[] = [
  {
    name: 'a pod without its tenant’s label',
    threats: 'N2, L1',
    object: pod({}, { labels: { app: 'web' } }),
    rules: ['lbl'],
    tenant: { rendered: 'silently' },
  },
  {
    name: 'a pod with another tenant’s label',
    threats: 'L1, MTB-PL1-CC-TI-2',
    object: pod({}, { labels: { ...OURS, 'tenantplane.io/tenant': 'prod' } }),
    rules: ['lbl', 'rsv'],
    tenant: { rendered: 'LabelRekeyed' },
  },
  {
    name: 'a pod poses as the tenant’s DNS',
    threats: 'L1, N2',
    object: pod({}, { labels: { ...OURS, 'tenantplane.io/role': 'dns' } }),
    rules: ['lbl', 'rsv'],
    tenant: { rendered: 'LabelRekeyed' },
  },
  {
    name: 'a Deployment’s pods pose as the tenant’s DNS',
    threats: 'L1, K3',
    by: 'replicaset',
    object: owned(pod({}, { labels: { ...OURS, 'tenantplane.io/role': 'dns' } }), 'ReplicaSet', 'web'),
    rules: ['lbl'],
    tenant: { rendered: 'LabelRekeyed' },
    tenantObject: workload('Deployment', {}, 'web', { 'tenantplane.io/role': 'dns' }),
  },
  // whose ReplicaSet has a name that begins like one of ours, or that is of a kind that ours never is
  ...(
    [
      ['a Deployment called tenantplane', 'replicaset', 'ReplicaSet', 'tenantplane-6d5f7c9b8'],
      ['a Job called like our DNS', 'job', 'Job', 'tenantplane-dns-1'],
      ['a ReplicationController called like our DNS', 'single-manager', 'ReplicationController', 'tenantplane-dns-1'],
    ] as const
  ).map(
    ([what, by, kind, name]): AdmissionCase => ({
      name: `the pods of ${what} pose as the tenant’s DNS`,
      threats: 'L1, K3',
      by,
      object: owned(pod({}, { labels: { ...OURS, 'tenantplane.io/role': 'dns' } }), kind, name),
      rules: ['lbl'],
      tenant: { rendered: 'LabelRekeyed' },
      tenantObject: workload('Deployment', {}, 'web', { 'tenantplane.io/role': 'dns' }),
    }),
  ),
  {
    name: 'a pod exempts itself',
    threats: 'N2',
    object: pod({}, { labels: { ...OURS, 'tenantplane.io/isolation-exempt': 'true' } }),
    rules: ['lbl', 'rsv'],
    tenant: { rendered: 'LabelRekeyed' },
  },
  {
    name: 'a running pod drops its tenant’s label',
    threats: 'N2',
    operation: 'UPDATE',
    before: pod(),
    object: pod({}, { labels: { app: 'web' } }),
    rules: ['lbl', 'rsv'],
    tenant: { rendered: 'silently' },
  },
  {
    name: 'a running pod drops it through its status',
    threats: 'N2, CVE-2026-30963',
    operation: 'UPDATE',
    subresource: 'status',
    before: pod(),
    object: pod({}, { labels: { app: 'web' } }),
    rules: ['rsv'],
    tenant: { rendered: 'silently' },
  },
  {
    name: 'an object poses as a projected one',
    threats: 'L1, R5',
    object: configMap({ annotations: { ...IDENTITY } }),
    rules: ['rsv'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'an object poses as ours',
    threats: 'L1',
    object: configMap({ labels: { 'app.kubernetes.io/managed-by': 'tenantplane' } }),
    rules: ['rsv'],
    tenant: { rendered: 'LabelRekeyed' },
  },
  {
    name: 'an object poses as another tenant’s',
    threats: 'L1, CVE-2025-55205',
    object: service({}, { labels: { 'tenantplane.io/tenant': 'prod' } }),
    rules: ['rsv'],
    tenant: { rendered: 'LabelRekeyed' },
  },
  posing('an object takes an identity of ours', 'L1, R5', 'rsv', {}, { ...IDENTITY }),
  posing('an object says that it comes from Git', 'L1, R5', 'rsv', {}, { 'tenantplane.io/origin': 'git' }),
  posing('an object poses as another tenant’s', 'L1, CVE-2025-55205', 'rsv', OF_PROD, {}),
  posing('an object takes a role', 'L1', 'rsv', ROLE, {}),
  posing('a replicator copies another namespace’s Secret', 'L5', 'tool', {}, { 'replicator.v1.mittwald.de/replicate-from': 'other/keys' }),
  posing(
    'an account takes a role of the cloud',
    'P9',
    'tool',
    {},
    { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::000000000000:role/admin' },
  ),
  {
    name: 'a projected object loses its identity',
    threats: 'L1, R5',
    operation: 'UPDATE',
    before: configMap({ annotations: { ...IDENTITY } }),
    object: configMap({ annotations: {} }),
    rules: ['rsv'],
    tenant: { rendered: 'silently' },
  },
  ...(
    [
      ['delivery is told to leave an object', 'L2', { 'argocd.argoproj.io/sync-options': 'Prune=false' }],
      ['an object runs as a hook', 'L2', { 'argocd.argoproj.io/hook': 'PreSync' }],
      ['delivery is told to stop', 'L2', { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' }],
      ['a link runs a script', 'L3, CVE-2026-45738, CVE-2022-31035', { 'link.argocd.argoproj.io/x': 'javascript:alert(1)' }],
      ['a field is filled from another object', 'L4, L5', { 'config.kubernetes.io/apply-time-mutation': '- sourceRef: {kind: Secret}' }],
    ] as const
  ).map(
    ([name, threats, annotations]): AdmissionCase => ({
      name,
      threats,
      object: configMap({ annotations: { ...annotations } }),
      rules: ['tool'],
      tenant: { rendered: 'AnnotationBlocked' },
    }),
  ),
  {
    name: 'a function is smuggled in',
    threats: 'L4',
    object: configMap({ annotations: { 'config.kubernetes.io/function': 'container: {image: registry.example/evil}' } }),
    rules: ['tool'],
    tenant: 'FunctionInTenant',
  },
  {
    name: 'a replicator copies another namespace’s Secret',
    threats: 'L5',
    object: secret({}, { annotations: { 'replicator.v1.mittwald.de/replicate-from': 'kube-system/keys' } }),
    rules: ['tool'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'an account takes a role of the cloud',
    threats: 'P9',
    object: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'mine', annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::000000000000:role/admin' } },
    },
    rules: ['tool'],
    tenant: 'FactRead',
  },
  {
    name: 'an annotation holds a bomb',
    threats: 'L7, CVE-2023-40584',
    object: configMap({ annotations: { 'example.com/note': 'a'.repeat(20_000) } }),
    rules: ['size'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
];
