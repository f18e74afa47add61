import type { JsonObject } from '../../../src/core/kube/json.ts';
import { objectAt } from '../../../src/core/kube/json.ts';
import { type KubeObject, nameOf } from '../../../src/core/kube/object.ts';
import { type AdmissionCase, claim, claimSpec, container, networkPolicy, OURS, pod, service, workload } from './case.ts';
import { is, NOT_SENT } from './variation.ts';

/** The object with these fields in its spec, beside or in place of others. */
function withSpec(object: KubeObject, fields: JsonObject): KubeObject {
  return { ...object, spec: { ...objectAt(object, 'spec'), ...fields } };
}

const finalized = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...objectAt(object, 'metadata'), finalizers: ['example.com/guard'] },
});
const labelled = (object: KubeObject, labels: JsonObject): KubeObject => ({ ...object, metadata: { name: nameOf(object), labels } });

const URGENT = { priorityClassName: 'urgent' } as const;
const other = { containers: [container({ image: 'registry.example/app:2' })] };
/** With labels of its own: a controller would take what other cases make for its own. */
const old = (kind: string, fields: JsonObject = {}): KubeObject => {
  const selector = { matchLabels: { app: `old-${kind}` } };
  const made = workload(kind, fields, 'web', selector.matchLabels);
  return withSpec(labelled(made, selector.matchLabels), kind === 'Job' ? {} : { selector });
};
const set = (fields: JsonObject = {}): KubeObject =>
  withSpec(old('StatefulSet'), {
    serviceName: 'web',
    volumeClaimTemplates: [{ metadata: { name: 'a' }, spec: claimSpec({ storageClassName: 'slow' }) }],
    ...fields,
  });
const budget = (spec: JsonObject): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});
const TIGHT = { minAvailable: '100%' } as const;
const NONE = { maxUnavailable: 0 } as const;
const alias = (spec: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'x' },
  spec: { type: 'ExternalName', ...spec },
});
const balanced = (loadBalancerClass: string): KubeObject => service({ type: 'LoadBalancer', loadBalancerClass });
const AWAY = { externalName: 'x.example.com' } as const;
const slice = (fields: JsonObject, service = 'web'): KubeObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'web', labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['192.0.2.1'] }],
  ports: [{ port: 80 }],
  ...fields,
});
const endpoints = (ip: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'web' },
  subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }],
});
const LONG = { annotations: { 'example.com/long': 'a'.repeat(20_000) } } as const;
const LONGER = { annotations: { 'example.com/long': 'b'.repeat(20_000) } } as const;
const privileged = (name: string): JsonObject => container({ name, securityContext: { privileged: true } });
const open = (spec: JsonObject): KubeObject => networkPolicy({ policyTypes: ['Ingress', 'Egress'], ingress: [{}], egress: [{}], ...spec });
const CLOSED = [{ from: [{ podSelector: {} }] }];
const CLOSED_EGRESS = [{ to: [{ podSelector: {} }] }];
const UNLABELLED: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: objectAt(pod(), 'spec') ?? {} };

const DEBUG = { subresource: 'ephemeralcontainers' } as const;
const EDGE = { profile: 'edge' } as const;
const HU = { profile: 'apart', since: 33 } as const;

type Row = readonly [what: string, before: KubeObject, after: KubeObject, rules?: readonly string[], fields?: Partial<AdmissionCase>];

/** What stands there from before a rule: everything about it may change but what the rule judges. */
const ROWS: readonly Row[] = [
  ...(['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet'] as const).map(
    (kind): Row => [`a ${kind} of a class waits longer`, old(kind, URGENT), withSpec(old(kind, URGENT), { minReadySeconds: 5 }), [], EDGE],
  ),
  [
    'a ReplicaSet of a class is scaled down by the Deployment’s controller',
    old('ReplicaSet', URGENT),
    withSpec(old('ReplicaSet', URGENT), { replicas: 0 }),
    [],
    { by: 'deployment' },
  ],
  ['a Job of a class is suspended', old('Job', URGENT), withSpec(old('Job', URGENT), { suspend: true })],
  ['a Deployment of a class rolls', old('Deployment', URGENT), old('Deployment', { ...URGENT, ...other }), ['tpl-prio']],
  ['a Deployment gets a class', old('Deployment'), old('Deployment', URGENT), ['tpl-prio']],
  ['a set of a class of claims is scaled', set(), set({ replicas: 0 })],
  ['a set of a class of claims gets a finalizer', set(), finalized(set())],
  ['a tight budget lets sick pods go', budget(TIGHT), budget({ ...TIGHT, unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
  ['a tight budget is kept in another way', budget(TIGHT), budget(NONE), ['drain']],
  ['a budget is tightened', budget({ minAvailable: 1 }), budget(TIGHT), ['drain']],
  ['a tight budget is for other pods', budget(NONE), budget({ ...NONE, selector: { matchLabels: { app: 'api' } } }), ['drain']],
  ['a load balancer of a class gets a finalizer', balanced('example.com/a'), finalized(balanced('example.com/a'))],
  [
    'a load balancer of a class gets another',
    balanced('example.com/a'),
    balanced('example.com/b'),
    ['svc-class', 'svc-type'],
    { since: NOT_SENT },
  ],
  ['a NodePort gets a finalizer', service({ type: 'NodePort' }), finalized(service({ type: 'NodePort' }))],
  [
    'external IPs of another port',
    service({ externalIPs: ['192.0.2.1'] }),
    service({ externalIPs: ['192.0.2.1'], ports: [{ port: 81 }] }),
    ['svc-ips'],
  ],
  ['an external name gets a port', alias(AWAY), alias({ ...AWAY, ports: [{ port: 80 }] })],
  ['an external name becomes another', alias(AWAY), alias({ externalName: 'y.example.com' }), ['svc-name']],
  [
    'a selector without the tenant gets a port',
    service({ selector: { a: 'b' } }),
    service({ selector: { a: 'b' }, ports: [{ port: 81 }] }),
  ],
  ['a selector without the tenant becomes another', service({ selector: { a: 'b' } }), service({ selector: { a: 'c' } }), ['svc-selector']],
  ['an external name becomes no selector', alias(AWAY), service({ selector: {} }), ['svc-selector'], { since: NOT_SENT }],
  [
    'a type with an external name left behind',
    service(AWAY),
    withSpec(service(AWAY), { type: 'ExternalName' }),
    ['svc-name'],
    { since: NOT_SENT },
  ],
  ['an open policy closes one direction', open({}), open({ egress: CLOSED_EGRESS })],
  ['an open policy closes the other', open({}), open({ ingress: CLOSED })],
  ['an open policy is opened otherwise', open({}), open({ ingress: [{}, {}] }), ['np-ingress']],
  ['an open policy lets more out', open({}), open({ egress: [{}, {}] }), ['np-egress']],
  ['an open policy is for other pods', open({}), open({ podSelector: { matchLabels: { app: 'api' } } }), ['np-egress', 'np-ingress']],
  ['an open policy gets a direction', open({ policyTypes: ['Ingress'] }), open({}), ['np-egress', 'np-ingress']],
  [
    'a claim of a class grows',
    claim({ storageClassName: 'slow' }),
    claim({ storageClassName: 'slow', resources: { requests: { storage: '2Gi' } } }),
    [],
    { since: NOT_SENT },
  ],
  ['a claim gets attributes', claim(), claim({ volumeAttributesClassName: 'gold' }), ['pvc-class'], { since: NOT_SENT }],
  [
    'a claim gets another class',
    claim({ storageClassName: 'slow' }),
    claim({ storageClassName: 'slower' }),
    ['pvc-class'],
    { since: NOT_SENT },
  ],
  [
    'a claim of hand-made volumes is bound',
    claim({ storageClassName: '' }),
    claim({ storageClassName: '', volumeName: 'pv' }),
    ['pvc-class'],
    { by: 'volume-binder' },
  ],
  ['a pod without labels gets a finalizer', UNLABELLED, finalized(UNLABELLED)],
  ['a pod without the tenant’s label is labelled', labelled(pod(), { a: 'b' }), labelled(pod(), { a: 'c' })],
  ['a pod loses the tenant’s label', pod(), labelled(pod(), { app: 'web' }), ['lbl', 'rsv']],
  [
    'a pod with a label of ours is labelled',
    labelled(pod(), { ...OURS, 'tenantplane.io/kind': 'pod' }),
    labelled(pod(), { ...OURS, 'tenantplane.io/kind': 'pod', a: 'b' }),
  ],
  ['a pod gets a label of ours', pod(), labelled(pod(), { ...OURS, app: 'web', 'tenantplane.io/kind': 'pod' }), ['lbl', 'rsv']],
  ['a pod of the node’s users gets a finalizer', pod(), finalized(pod()), [], HU],
  [
    'a privileged pod gets a debugger',
    pod({ containers: [privileged('app')] }),
    pod({ containers: [privileged('app')], ephemeralContainers: [container({ name: 'debug' })] }),
    [],
    DEBUG,
  ],
  [
    'a pod privileged at first gets a debugger',
    pod({ initContainers: [privileged('init')] }),
    pod({ initContainers: [privileged('init')], ephemeralContainers: [container({ name: 'debug' })] }),
    [],
    DEBUG,
  ],
  [
    'a privileged debugger stays',
    pod({ ephemeralContainers: [privileged('debug')] }),
    pod({ ephemeralContainers: [privileged('debug')] }),
    [],
    { ...DEBUG, since: NOT_SENT },
  ],
  ['an Endpoints object gets a finalizer', endpoints('192.0.2.1'), finalized(endpoints('192.0.2.1'))],
  ['an Endpoints object leads elsewhere', endpoints('192.0.2.1'), endpoints('192.0.2.2'), ['endpoints']],
  ['an EndpointSlice gets a finalizer', slice({}), finalized(slice({}))],
  ['an EndpointSlice leads elsewhere', slice({}), slice({ endpoints: [{ addresses: ['192.0.2.2'] }] }), ['endpoints']],
  ['an EndpointSlice leads to another port', slice({}), slice({ ports: [{ port: 81 }] }), ['endpoints']],
  ['an EndpointSlice is another Service’s', slice({}), slice({}, 'api'), ['endpoints']],
  [
    'a kubelet reports on a pod of a long annotation',
    pod({}, LONG),
    { ...pod({}, LONG), status: { phase: 'Running' } },
    [],
    { subresource: 'status', by: 'kubelet', since: NOT_SENT },
  ],
  ['a pod of a long annotation gets a finalizer', pod({}, LONG), finalized(pod({}, LONG))],
  ['a long annotation becomes another', pod({}, LONG), pod({}, LONGER), ['size']],
];

export const FROM_BEFORE: readonly AdmissionCase[] = ROWS.map(([what, before, object, rules = [], fields = {}]) =>
  is(`from before: ${what}`, object, rules, { operation: 'UPDATE', before, stood: true, ...fields }),
);
