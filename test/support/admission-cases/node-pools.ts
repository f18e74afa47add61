import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { type AdmissionCase, OTHER_POOL, OURS, POOL, pod } from './case.ts';
import { is, NOT_SENT } from './variation.ts';

const ELSEWHERE = { ...OURS, 'tenantplane.io/tenant': 'prod' } as const;
const BATCH: JsonObject = { ...OTHER_POOL[0] };
const GPU: JsonObject = { ...OTHER_POOL[1] };

const namespace = (annotations: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'pool-test', labels: { 'tenantplane.io/role': 'workload' }, annotations },
});

/** Onto the nodes of another tenant of the same profile. */
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
];

/** A pod in the namespace of the tenant with that pool, by whoever applies what was rendered. */
const there = (name: string, tolerations: readonly JsonObject[], allowed: boolean, fields: Partial<AdmissionCase> = {}): AdmissionCase =>
  is(`node pool: ${name}`, pod({ tolerations: structuredClone([...tolerations]) }, { labels: ELSEWHERE }), allowed ? [] : ['tol'], {
    where: 'elsewhere',
    by: 'argocd',
    ...fields,
  });

/** Each field of a toleration, one at a time. */
export const NODE_POOL_VARIATIONS: readonly AdmissionCase[] = [
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
