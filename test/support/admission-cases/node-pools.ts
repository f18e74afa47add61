import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { type AdmissionCase, OTHER_POOL, OURS, owned, POOL, POOLED, pod, workload } from './case.ts';
import { is, NOT_SENT } from './variation.ts';

const ELSEWHERE = { ...OURS, 'tenantplane.io/tenant': 'prod' } as const;
const BATCH: JsonObject = { ...OTHER_POOL[0] };
const GPU: JsonObject = { ...OTHER_POOL[1] };

const namespace = (annotations: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'pool-test', labels: { 'tenantplane.io/role': 'workload' }, annotations },
});

const OWN_NODES: JsonObject = { ...POOLED.nodeSelector };
const LABELS = 'example.com/kept=,pool=qa';

/** Onto the nodes of another tenant of the same profile, and off a tenant's own. */
export const NODE_POOL_CASES: readonly AdmissionCase[] = [
  {
    name: 'a pod goes to the node pool of another tenant of its profile',
    threats: 'P19',
    object: pod({ tolerations: [{ ...POOL }] }),
    rules: ['tol'],
    tenant: { rendered: 'TolerationDropped' },
  },
  {
    name: 'a namespace gives itself the node pool of another',
    threats: 'P19, R10',
    by: 'namespace-editor',
    operation: 'UPDATE',
    before: namespace({}),
    object: namespace({ 'tenantplane.io/node-pool-tolerations': 'tenantplane.io/pool|Equal|edge|NoSchedule|' }),
    rules: ['nsu'],
    tenant: 'FactRead',
  },
  {
    name: 'a namespace opens its node pool’s tolerations to all taints',
    threats: 'P19, R10',
    by: 'namespace-editor',
    operation: 'UPDATE',
    before: namespace({ 'tenantplane.io/node-pool-tolerations': 'tenantplane.io/pool|Equal|edge|NoSchedule|' }),
    object: namespace({ 'tenantplane.io/node-pool-tolerations': '|Exists|||' }),
    rules: ['nsu'],
    tenant: 'FactRead',
  },
  {
    name: 'a pod of a tenant with nodes of its own chooses none',
    threats: 'P19',
    profile: 'pooled',
    object: pod(),
    rules: ['pool'],
    tenant: { rendered: 'silently' },
  },
  {
    name: 'a pod of a tenant with nodes of its own chooses those of another',
    threats: 'P19',
    profile: 'pooled',
    object: pod({ nodeSelector: { ...OWN_NODES, pool: 'dev' } }),
    rules: ['pool'],
    tenant: { rendered: 'silently' },
  },
  {
    name: 'a Deployment’s pods choose no nodes of their tenant’s own',
    threats: 'P19, K3',
    profile: 'pooled',
    by: 'replicaset',
    object: owned(pod(), 'ReplicaSet', 'web'),
    rules: ['pool'],
    tenant: { rendered: 'silently' },
    tenantObject: workload('Deployment'),
  },
  {
    name: 'a namespace lets its pods choose any node',
    threats: 'P19, R10',
    by: 'namespace-editor',
    operation: 'UPDATE',
    before: namespace({ 'tenantplane.io/node-pool-selector': LABELS }),
    object: namespace({ 'tenantplane.io/node-pool-selector': '' }),
    rules: ['nsu'],
    tenant: 'FactRead',
  },
  {
    name: 'a namespace says nothing of its node pool’s labels any more',
    threats: 'P19, R10',
    by: 'namespace-editor',
    operation: 'UPDATE',
    before: namespace({ 'tenantplane.io/node-pool-selector': LABELS }),
    object: namespace({}),
    rules: ['nsu'],
    tenant: 'FactRead',
  },
];

/** A pod in the namespace of the tenant with that pool, by whoever applies what was rendered. */
const elsewhere = (name: string, spec: JsonObject, rules: readonly string[], fields: Partial<AdmissionCase>): AdmissionCase =>
  is(name, pod(spec, { labels: ELSEWHERE }), rules, { where: 'elsewhere', by: 'argocd', ...fields });
const there = (name: string, tolerations: readonly JsonObject[], allowed: boolean, fields: Partial<AdmissionCase> = {}): AdmissionCase => {
  const spec = { nodeSelector: { ...OWN_NODES }, tolerations: structuredClone([...tolerations]) };
  return elsewhere(`node pool: ${name}`, spec, allowed ? [] : ['tol'], fields);
};
const choosing = (name: string, spec: JsonObject, allowed: boolean, fields: Partial<AdmissionCase> = {}): AdmissionCase =>
  elsewhere(`own nodes: ${name}`, spec, allowed ? [] : ['pool'], fields);
const AFFINITY: JsonObject = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['qa'] }] }],
    },
  },
};

/** Each label of the pool's nodes, one at a time. */
const OWN_NODE_VARIATIONS: readonly AdmissionCase[] = [
  choosing('all of their labels', { nodeSelector: { ...OWN_NODES } }, true),
  choosing('more than them', { nodeSelector: { ...OWN_NODES, 'kubernetes.io/arch': 'amd64' } }, true),
  choosing('one label', { nodeSelector: { pool: 'qa' } }, false),
  choosing('the other label', { nodeSelector: { 'example.com/kept': '' } }, false),
  choosing('another value of one', { nodeSelector: { ...OWN_NODES, pool: 'qa2' } }, false),
  choosing('a value where the pool has none', { nodeSelector: { ...OWN_NODES, 'example.com/kept': 'yes' } }, false),
  choosing('no label', { nodeSelector: {} }, false),
  choosing('an affinity alone', { affinity: structuredClone(AFFINITY) }, false),
  choosing('an affinity beside them', { nodeSelector: { ...OWN_NODES }, affinity: structuredClone(AFFINITY) }, true),
  ...(['administrator', 'daemonset', 'single-manager'] as const).map((by) => choosing(`no label, by ${by}`, {}, false, { by })),
  // The API takes none of these; the policy does not lean on that.
  choosing('a key that holds the value', { nodeSelector: { 'pool=qa': '', 'example.com/kept': '' } }, false, { since: NOT_SENT }),
  choosing('a value that holds the other label', { nodeSelector: { 'example.com/kept': ',pool=qa' } }, false, { since: NOT_SENT }),
  choosing('what was there before has no label, and stays', {}, true, {
    operation: 'UPDATE',
    before: pod({}, { labels: ELSEWHERE }),
    since: NOT_SENT,
  }),
];

/** Each field of a toleration, one at a time. */
export const NODE_POOL_VARIATIONS: readonly AdmissionCase[] = [
  ...OWN_NODE_VARIATIONS,
  there('all of its tolerations', [{ ...POOL }, BATCH, GPU], true),
  there(
    'what is unsaid is said',
    [
      { ...BATCH, operator: 'Equal' },
      { ...GPU, value: '', effect: '' },
    ],
    true,
  ),
  there('what is said is unsaid', [{ key: POOL.key, value: POOL.value, effect: POOL.effect }], true),
  there('another key', [{ ...POOL, key: 'tenantplane.io/other' }], false),
  there('another value', [{ ...POOL, value: 'other' }], false),
  there('no value', [{ key: POOL.key, effect: POOL.effect }], false),
  there('another effect', [{ ...POOL, effect: 'NoExecute' }], false),
  there('any effect', [{ key: POOL.key, operator: POOL.operator, value: POOL.value }], false),
  there('any value', [{ key: POOL.key, operator: 'Exists', effect: POOL.effect }], false),
  there('any key', [{ operator: 'Exists' }], false),
  there('for longer', [{ ...BATCH, tolerationSeconds: 31 }], false),
  there('for ever', [{ key: 'batch', value: 'yes', effect: 'NoExecute' }], false),
  there('one of its own and one of nobody’s', [GPU, { key: 'other', operator: 'Exists' }], false),
  // The API takes none of these; the policy does not lean on that.
  there('a key that holds the whole text', [{ key: 'tenantplane.io/pool|Equal|edge|NoSchedule|', operator: '' }], false, {
    since: NOT_SENT,
  }),
  there('a key that holds other fields', [{ key: 'tenantplane.io/pool|Equal', operator: 'edge', value: 'NoSchedule' }], false, {
    since: NOT_SENT,
  }),
  there('the texts of two', [{ key: 'gpu|Exists|||,tenantplane.io/pool', value: 'edge', effect: 'NoSchedule' }], false, {
    since: NOT_SENT,
  }),
];
