import { type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf } from '../../../src/core/kube/object.ts';
import { type AdmissionCase, claimSpec, container, OURS, owned, pod, template, workload } from './case.ts';

const KINDS = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job', 'CronJob'] as const;

/** A workload whose pods, or Jobs, have this metadata besides. */
function templated(
  kind: string,
  metadata: JsonObject,
  place: 'template' | 'jobTemplate' = 'template',
  fields: JsonObject = {},
): KubeObject {
  const { labels, ...more } = { labels: {}, ...metadata };
  const pods = template(kind.endsWith('Job') ? { restartPolicy: 'Never', ...fields } : fields, place === 'template' ? labels : {});
  const own = place === 'template' ? { ...pods, metadata: { ...objectAt(pods, 'metadata'), ...more } } : pods;
  const object = kind === 'ReplicationController' ? controller() : workload(kind);
  const spec = { ...objectAt(object, 'spec'), ...(kind === 'StatefulSet' && { serviceName: 'web' }) };
  if (kind !== 'CronJob') return { ...object, spec: { ...spec, template: own } };
  return {
    ...object,
    spec: { ...spec, jobTemplate: { ...(place === 'jobTemplate' && { metadata: { ...metadata } }), spec: { template: own } } },
  };
}

/** With labels of its own: without, the API gives it those of its pods. */
function controller(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { selector: { app: 'web' } },
  };
}

function ephemeral(metadata: JsonObject): JsonObject {
  return {
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'v', ephemeral: { volumeClaimTemplate: { metadata, spec: claimSpec() } } },
    ],
  };
}

function withClaims(metadata: JsonObject): KubeObject {
  const object = templated('StatefulSet', {});
  const volumeClaimTemplates = [
    { metadata: { name: 'fine' }, spec: claimSpec() },
    { metadata: { name: 'data', ...metadata }, spec: claimSpec() },
  ];
  return { ...object, spec: { ...objectAt(object, 'spec'), volumeClaimTemplates } };
}

const IDENTITY = { annotations: { 'tenantplane.io/origin': 'git', 'tenantplane.io/tenant-cluster': 'team-dev/dev' } } as const;
const PROD = { labels: { 'tenantplane.io/tenant': 'prod' } } as const;
const MANAGED = { labels: { 'app.kubernetes.io/managed-by': 'tenantplane' } } as const;
const TOOL = { annotations: { 'replicator.v1.mittwald.de/replicate-from': 'other/keys' } } as const;
const TRACKED = { labels: { 'argocd.argoproj.io/instance': 'other' } } as const;

const PLACES: readonly (readonly [string, (metadata: JsonObject) => KubeObject])[] = [
  ...KINDS.map((kind) => [`a ${kind}’s pods`, (metadata: JsonObject) => templated(kind, metadata)] as const),
  ['a CronJob’s Jobs', (metadata) => templated('CronJob', metadata, 'jobTemplate')],
  ['a set’s claims', withClaims],
  ['claims of a pod’s volumes', (metadata) => pod(ephemeral(metadata))],
  ['claims of a Deployment’s volumes', (metadata) => templated('Deployment', {}, 'template', ephemeral(metadata))],
  ['claims of a CronJob’s volumes', (metadata) => templated('CronJob', {}, 'template', ephemeral(metadata))],
];

const profileOf = (object: KubeObject): Partial<AdmissionCase> => (kindOf(object) === 'DaemonSet' ? { profile: 'edge' } : {});
const refused = (name: string, threats: string, object: KubeObject, fields: Partial<AdmissionCase> = {}): AdmissionCase => ({
  name,
  threats,
  object,
  rules: ['tpl-meta'],
  ...profileOf(object),
  ...fields,
});

/** What Kubernetes makes of a template has the template's labels and annotations, and Kubernetes is not asked who told it. */
export const TEMPLATE_CASES: readonly AdmissionCase[] = [
  ...PLACES.flatMap(([what, make]) => [
    refused(`${what} take an identity of ours`, 'L1, K3', make({ ...IDENTITY })),
    refused(`${what} tell a tool`, 'L5, K3', make({ ...TOOL })),
    refused(`${what} pose as another tenant’s`, 'L1, K3, MTB-PL1-CC-TI-2', make({ ...PROD })),
  ]),
  refused('a set’s claims are managed by us', 'L1, K3', withClaims({ ...MANAGED })),
  refused('a Deployment’s pods are delivery’s', 'L2, K3', templated('Deployment', { ...TRACKED })),
  refused('a Deployment’s pods are another tenant’s later', 'L1, K3, MTB-PL1-CC-TI-2', templated('Deployment', { ...PROD }), {
    operation: 'UPDATE',
    before: templated('Deployment', {}),
  }),
  refused(
    'a Deployment’s pods tell a tool behind a harmless annotation',
    'L5, K3',
    templated('Deployment', { annotations: { 'example.com/a': 'b', ...TOOL.annotations } }),
  ),
  refused('a CronJob’s Jobs are delivery’s later', 'L2, K3', templated('CronJob', { ...TRACKED }, 'jobTemplate'), {
    operation: 'UPDATE',
    before: templated('CronJob', {}),
  }),
  refused('a Deployment’s pods are given an identity later', 'L1, K3', templated('Deployment', { ...IDENTITY }), {
    operation: 'UPDATE',
    before: templated('Deployment', {}),
  }),
];

const RENDERED = {
  labels: { 'tenantplane.io/pod-name': 'web' },
  annotations: { 'tenantplane.io/x': 'a', 'argocd.argoproj.io/x': 'a' },
} as const;
const RESTARTED = { ...RENDERED, annotations: { ...RENDERED.annotations, 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' } };
const fine = (name: string, object: KubeObject, fields: Partial<AdmissionCase> = {}): AdmissionCase => ({
  name,
  threats: '',
  object,
  rules: [],
  ...profileOf(object),
  ...fields,
});

/** Beside each: what people and tools do with workloads every day. */
export const ORDINARY_TEMPLATES: readonly AdmissionCase[] = [
  ...PLACES.map(([what, make]) =>
    fine(`${what} say the truth`, make({ labels: { app: 'web', ...OURS }, annotations: { 'example.com/a': 'b' } })),
  ),
  fine('a rendered Deployment is restarted', templated('Deployment', RESTARTED), {
    operation: 'UPDATE',
    before: templated('Deployment', { ...RENDERED }),
  }),
  fine(
    'a rendered Deployment gets another image',
    templated('Deployment', { ...RENDERED }, 'template', { containers: [container({ image: 'registry.example/app:2' })] }),
    { operation: 'UPDATE', before: templated('Deployment', { ...RENDERED }) },
  ),
  fine(
    'a rendered CronJob gets another image',
    templated('CronJob', { ...RENDERED }, 'template', { containers: [container({ image: 'registry.example/app:2' })] }),
    { operation: 'UPDATE', before: templated('CronJob', { ...RENDERED }) },
  ),
  fine('a ReplicaSet of a rendered Deployment', owned(templated('ReplicaSet', { ...RENDERED }), 'Deployment', 'web'), { by: 'deployment' }),
  fine('a rendered Deployment, by delivery', templated('Deployment', { ...RENDERED }), { by: 'argocd' }),
  fine('another manager of a Deployment’s pods', templated('Deployment', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } })),
  fine('another label of a Deployment’s pods with our name', templated('Deployment', { labels: { 'example.com/by': 'tenantplane' } })),
];
