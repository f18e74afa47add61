import { compileReconcilerAccess } from '../../src/core/isolation/reconciler-access.ts';
import { at, clone, type Json, type JsonObject, objectsOf, type Path } from '../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../src/core/kube/object.ts';
import { DATASTORE_TYPES, DATASTORES, named, objectsFor, tenantCluster } from '../core/controlplane/tenant-clusters.ts';
import { tenantContext } from '../core/isolation/tenant.ts';

/** Something that the reconciler's account asks for, which its roles let through. */
export interface GuardCase {
  readonly what: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly object: KubeObject;
  /** what stands there before, where it is changed or deleted; it is being deleted where `leaving` */
  readonly before?: KubeObject;
  readonly leaving?: true;
  /** of overlay controller-delivery; all others are of the base */
  readonly controller?: true;
  /** the rules that refuse it; none where it is part of a tenant's life */
  readonly rules: readonly string[];
  /** RBAC refuses it as well, on a real API server before admission */
  readonly rbac?: true;
}

export const PLANE = 'cp-x-dev-x-team-dev';
export const WORK = 'team-dev';
/** a namespace of the host's that is no tenant's */
export const ELSEWHERE = 'payments';

const OURS = { 'app.kubernetes.io/managed-by': 'tenantplane' };
const OWNER = { 'tenantplane.io/tenant-cluster': 'team-dev/dev' };
const PODS = { 'pod-security.kubernetes.io/enforce': 'restricted' };
export const NAMESPACES: readonly KubeObject[] = [
  space(PLANE, { ...OURS, ...PODS, 'tenantplane.io/role': 'control-plane' }, OWNER),
  space(WORK, { ...OURS, ...PODS, 'tenantplane.io/role': 'workload' }, OWNER),
  space(ELSEWHERE, {}, {}),
];

const made = DATASTORE_TYPES.map((type) => ({ type, objects: objectsFor(DATASTORES[type]) }));
const own = objectsFor({ controlPlane: { expose: { loadBalancer: true } } });
const servers = named(own, 'StatefulSet', 'control-plane');
const service = named(own, 'Service', 'dev-control-plane');
const settings = named(own, 'ConfigMap', 'control-plane-config');
const secret = (name: string, more: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: PLANE },
  type: 'Opaque',
  ...more,
});
const ACCOUNT_TOKEN = { name: 'kubeconfig', namespace: PLANE, annotations: { 'kubernetes.io/service-account.name': 'default' } };
const token = secret('control-plane-token', { immutable: true });
const claim = (name: string, namespace = PLANE): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});
const event: KubeObject = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'dev.1', namespace: WORK },
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'tenantplane.io/reconciler',
  reportingInstance: 'one',
  type: 'Normal',
  reason: 'Ready',
  action: 'Reconcile',
  regarding: { apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster', name: 'dev', namespace: WORK },
};
const AGAIN = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' };
const OWN_FINALIZER = 'tenantplane.io/control-plane';
const tenant = tenantCluster({}, { finalizers: ['example.com/other', OWN_FINALIZER] });
const access = compileReconcilerAccess(tenantContext()).map(({ object }) => object);
const role = named(access, 'Role', 'tenantplane-reconciler');
const binding = named(access, 'RoleBinding', 'tenantplane-reconciler');
const policy = (name: string, namespace: string): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace },
  spec: { podSelector: {} },
});

const POD: Path = ['spec', 'template', 'spec'];
const K3S: Path = [...POD, 'containers', 0];
const secretEnv = (name: string, from: string): Json => [{ name, valueFrom: { secretKeyRef: { name: from, key: 'value' } } }];
const VOLUME: Path = [...POD, 'volumes', objectsOf(at(servers, ...POD, 'volumes')).length];
const volume = (source: JsonObject): Json => ({ name: 'more', ...source });

type Change = readonly [what: string, object: KubeObject, path: Path, value: Json | undefined, rule: string];

/** What is made otherwise than the reconciler makes it. */
const MADE_OTHERWISE: readonly Change[] = [
  ['servers of another name', servers, ['metadata', 'name'], 'miner', 'servers-name'],
  ['servers in a tenant’s namespace', servers, ['metadata', 'namespace'], WORK, 'servers-place'],
  ['servers in somebody else’s namespace', servers, ['metadata', 'namespace'], ELSEWHERE, 'servers-place'],
  ['pods as another account', servers, [...POD, 'serviceAccountName'], 'robot', 'servers-account'],
  ['pods with a token', servers, [...POD, 'automountServiceAccountToken'], true, 'servers-account'],
  ['pods with a token by default', servers, [...POD, 'automountServiceAccountToken'], undefined, 'servers-account'],
  [
    'a token as a volume',
    servers,
    VOLUME,
    volume({ projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }),
    'servers-volumes',
  ],
  ['a path of the node', servers, VOLUME, volume({ hostPath: { path: '/' } }), 'servers-volumes'],
  ['another Secret as a volume', servers, VOLUME, volume({ secret: { secretName: 'database' } }), 'servers-volumes'],
  ['other settings as a volume', servers, VOLUME, volume({ configMap: { name: 'another' } }), 'servers-volumes'],
  ['another claim as a volume', servers, VOLUME, volume({ persistentVolumeClaim: { claimName: 'x' } }), 'servers-volumes'],
  ['a Secret in the environment', servers, [...K3S, 'env'], secretEnv('PASSWORD', 'database'), 'servers-env'],
  ['a whole Secret in the environment', servers, [...K3S, 'envFrom'], [{ secretRef: { name: 'database' } }], 'servers-env'],
  ['a Secret for an init container', servers, [...POD, 'initContainers', 0, 'env'], secretEnv('PASSWORD', 'database'), 'servers-env'],
  ['a node', servers, [...POD, 'nodeName'], 'node-1', 'servers-node'],
  ['servers on every node', servers, [...POD, 'tolerations'], [{ operator: 'Exists' }], 'servers-node'],
  ['servers that push others off', servers, [...POD, 'priorityClassName'], 'system-node-critical', 'servers-node'],
  ['a volume by name', servers, ['spec', 'volumeClaimTemplates', 0, 'spec', 'volumeName'], 'pv-of-another', 'servers-claims'],
  [
    'a volume by its labels',
    servers,
    ['spec', 'volumeClaimTemplates', 0, 'spec', 'selector'],
    { matchLabels: { a: 'b' } },
    'servers-claims',
  ],
  [
    'a copy of a claim',
    servers,
    ['spec', 'volumeClaimTemplates', 0, 'spec', 'dataSource'],
    { kind: 'PersistentVolumeClaim', name: 'x' },
    'servers-claims',
  ],
  [
    'a copy of a volume of another namespace',
    servers,
    ['spec', 'volumeClaimTemplates', 0, 'spec', 'dataSourceRef'],
    { kind: 'PersistentVolumeClaim', name: 'x' },
    'servers-claims',
  ],
  ['a Secret of another name', token, ['metadata', 'name'], 'database', 'keys'],
  [
    'a Secret for an account’s token',
    secret('kubeconfig', { metadata: ACCOUNT_TOKEN }),
    ['type'],
    'kubernetes.io/service-account-token',
    'keys',
  ],
  ['a token that may change', token, ['immutable'], undefined, 'keys'],
  ['a Secret in a tenant’s namespace', token, ['metadata', 'namespace'], WORK, 'keys-place'],
  ['other settings', settings, ['metadata', 'name'], 'another', 'settings'],
  ['settings in somebody else’s namespace', settings, ['metadata', 'namespace'], ELSEWHERE, 'settings-place'],
  ['a Service in somebody else’s namespace', service, ['metadata', 'namespace'], ELSEWHERE, 'address-place'],
  [
    'a Service with ports of nodes',
    service,
    ['spec'],
    { type: 'NodePort', selector: selectorOf(service), ports: [{ port: 6443 }] },
    'address',
  ],
  [
    'a Service that is a name',
    service,
    ['spec'],
    { type: 'ExternalName', externalName: 'example.com', selector: selectorOf(service) },
    'address',
  ],
  ['a Service with addresses', service, ['spec', 'externalIPs'], ['192.0.2.1'], 'address'],
  ['a Service at an address of its choice', service, ['spec', 'loadBalancerIP'], '192.0.2.1', 'address'],
  ['a Service for other pods', service, ['spec', 'selector'], { app: 'payments' }, 'address'],
  ['a Service for endpoints of its choice', service, ['spec', 'selector'], undefined, 'address'],
  ['an Event about a pod', event, ['regarding', 'kind'], 'Pod', 'event'],
  ['an Event about another API’s TenantCluster', event, ['regarding', 'apiVersion'], 'example.com/v1', 'event'],
  ['an Event in another’s name', event, ['reportingController'], 'example.com/another', 'event'],
];

const MADE_OTHERWISE_BY_OVERLAY: readonly Change[] = [
  ['a namespace without the role', space('cp-more', { ...OURS, ...PODS }, OWNER), ['spec'], {}, 'namespace'],
  [
    'a namespace that is a tenant’s',
    space('more', { ...OURS, ...PODS, 'tenantplane.io/role': 'workload' }, OWNER),
    ['spec'],
    {},
    'namespace',
  ],
  ['a control plane’s namespace of another name', named(NAMESPACES, 'Namespace', PLANE), ['metadata', 'name'], 'more', 'namespace-role'],
  [
    'a namespace for privileged pods',
    space('cp-more', { ...OURS, 'tenantplane.io/role': 'control-plane', 'pod-security.kubernetes.io/enforce': 'privileged' }, OWNER),
    ['spec'],
    {},
    'namespace-pods',
  ],
  ['a policy that is not ours', policy('open', WORK), ['spec'], { podSelector: {} }, 'boundary'],
  ['a policy elsewhere', policy('tenantplane-open', ELSEWHERE), ['spec'], { podSelector: {} }, 'boundary'],
  ['a Role in a tenant’s namespace', role, ['metadata', 'namespace'], WORK, 'role'],
  ['a Role elsewhere', role, ['metadata', 'namespace'], ELSEWHERE, 'role'],
  ['a Role for everything', role, ['rules'], [rule('*', '*', ['*'])], 'role'],
  ['a Role for all Secrets', role, ['rules'], [rule('', 'secrets', ['get'])], 'role'],
  ['a Role to list Secrets', role, ['rules'], [{ ...rule('', 'secrets', ['list']), resourceNames: ['a'] }], 'role'],
  ['a Role for pods', role, ['rules'], [rule('', 'pods/exec', ['create'])], 'role'],
  ['a Role to make claims', role, ['rules'], [rule('', 'persistentvolumeclaims', ['create'])], 'role'],
  ['a Role to change claims', role, ['rules'], [rule('', 'persistentvolumeclaims', ['patch', 'delete'])], 'role'],
  ['a binding for another account', binding, ['subjects'], [{ kind: 'ServiceAccount', name: 'default', namespace: WORK }], 'role-binding'],
  ['a binding elsewhere', binding, ['metadata', 'namespace'], ELSEWHERE, 'role-binding'],
];

export const GUARD_CASES: readonly GuardCase[] = [
  ...made.flatMap(({ type, objects }) => objects.map((object) => creation(`${kindOf(object)} ${nameOf(object)} with ${type}`, object))),
  ...own.map((object) => creation(`${kindOf(object)} ${nameOf(object)} with a load balancer`, object)),
  ...[secret('control-plane-authorities', { immutable: true }), token, secret('kubeconfig')].map((each) =>
    creation(`Secret ${nameOf(each)}`, each),
  ),
  creation('an Event', event),
  change(
    'the finalizer, put on',
    tenantCluster({}, { finalizers: ['example.com/other'] }),
    ['metadata', 'finalizers'],
    ['example.com/other', OWN_FINALIZER],
  ),
  { ...change('the finalizer, taken off at the end', tenant, ['metadata', 'finalizers'], ['example.com/other']), leaving: true },
  ...MADE_OTHERWISE.map(([what, object, path, value, ...rules]) => creation(what, put(object, path, value), rules)),
  change('the finalizer, taken off what stays', tenant, ['metadata', 'finalizers'], ['example.com/other'], ['finalizer']),
  change('a finalizer of another', tenant, ['metadata', 'finalizers'], [OWN_FINALIZER], ['finalizer']),
  change('a tenant’s spec', tenant, ['spec', 'delivery'], 'controller', ['tenant']),
  change('a tenant’s profile', tenant, ['spec', 'isolationProfileRef', 'name'], 'baseline', ['tenant']),
  change('a tenant’s labels', tenant, ['metadata', 'labels'], { a: 'b' }, ['tenant']),
  change('a tenant’s annotations', tenant, ['metadata', 'annotations'], { 'tenantplane.io/paused': 'true' }, ['tenant']),
  change(
    'a tenant’s owner',
    tenant,
    ['metadata', 'ownerReferences'],
    [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'b' }],
    ['tenant'],
  ),
  change('an Event of another’s, as its own', put(event, ['reportingController'], 'example.com/another'), ['series'], AGAIN, ['event']),
  change(
    'servers for which somebody chose nodes',
    put(servers, [...POD, 'tolerations'], [{ key: 'pool', operator: 'Exists' }]),
    ['metadata', 'labels', 'a'],
    'b',
  ),
  change('a Service to which the cloud gave an address', put(service, ['spec', 'loadBalancerIP'], '192.0.2.1'), ['metadata', 'labels'], {
    a: 'b',
  }),
  change('a Service, moved to an address of its choice', service, ['spec', 'loadBalancerIP'], '192.0.2.1', ['address']),
  deletion('a volume of the control plane', claim('data-control-plane-7')),
  deletion('another volume', claim('backup'), ['claims']),
  deletion('a volume elsewhere', claim('data-control-plane-0', ELSEWHERE), ['claims']),
  ...[
    creation(
      'a control plane’s namespace',
      space('cp-x-more-x-team-more', { ...OURS, ...PODS, 'tenantplane.io/role': 'control-plane' }, OWNER),
    ),
    change('Pod Security of a tenant’s namespace', named(NAMESPACES, 'Namespace', WORK), ['metadata', 'labels', 'a'], 'b'),
    ...access.map((object) => creation(`${kindOf(object)} of a control plane’s namespace`, object)),
    creation('a policy of the boundary', policy('tenantplane-default-deny', WORK)),
    deletion('a policy of the boundary, at the end', policy('tenantplane-default-deny', WORK)),
    ...MADE_OTHERWISE_BY_OVERLAY.map(([what, object, path, value, ...rules]) => creation(what, put(object, path, value), rules)),
    { ...creation('a binding of another Role', put(binding, ['roleRef', 'name'], 'another'), ['role-binding']), rbac: true as const },
    change(
      'somebody’s namespace, as a tenant’s',
      named(NAMESPACES, 'Namespace', ELSEWHERE),
      ['metadata'],
      { name: ELSEWHERE, labels: { ...OURS, ...PODS, 'tenantplane.io/role': 'workload' }, annotations: OWNER },
      ['namespace'],
    ),
    change(
      'a tenant’s namespace, as another’s',
      named(NAMESPACES, 'Namespace', WORK),
      ['metadata', 'annotations', 'tenantplane.io/tenant-cluster'],
      'team-b/b',
      ['namespace'],
    ),
    change(
      'a tenant’s namespace, as a control plane’s',
      named(NAMESPACES, 'Namespace', WORK),
      ['metadata', 'labels', 'tenantplane.io/role'],
      'control-plane',
      ['namespace-role'],
    ),
    deletion('somebody’s policy', policy('default-deny', ELSEWHERE), ['boundary']),
  ].map((each): GuardCase => ({ ...each, controller: true })),
];

function creation(what: string, object: KubeObject, rules: readonly string[] = []): GuardCase {
  return { what, operation: 'CREATE', object, rules };
}

function change(what: string, before: KubeObject, path: Path, value: Json, rules: readonly string[] = []): GuardCase {
  return { what, operation: 'UPDATE', before, object: put(before, path, value), rules };
}

function deletion(what: string, before: KubeObject, rules: readonly string[] = []): GuardCase {
  return { what, operation: 'DELETE', before, object: before, rules };
}

/** A copy with another value there; undefined takes it out. */
function put(object: KubeObject, path: Path, value: Json | undefined): KubeObject {
  const [step, ...rest] = path;
  if (step === undefined) return object;
  const copy = clone(object) as Record<string | number, Json>;
  if (rest.length > 0) copy[step] = put((copy[step] ?? {}) as KubeObject, rest, value);
  else if (value === undefined) delete copy[step];
  else copy[step] = value;
  return copy as KubeObject;
}

function space(name: string, labels: JsonObject, annotations: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } };
}

function selectorOf(object: KubeObject): Json {
  return clone((object['spec'] as JsonObject)['selector'] ?? {});
}

function rule(group: string, resource: string, verbs: string[]): JsonObject {
  return { apiGroups: [group], resources: [resource], verbs };
}
