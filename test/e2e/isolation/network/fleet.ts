import { CONTROL_PLANE_POD } from '../../../../src/core/isolation/peers.ts';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import type { Plan } from '../../../../src/core/plan/plan-types.ts';
import { type Files, planFiles, policy, profile, tenant } from '../../../support/observe.ts';
import type { Pod } from './engine.ts';
import { hostCluster, namespaceLabels } from './host-cluster.ts';

/** What the promises speak of. A peer is of one kind or of several. */
export type Kind =
  | 'vault'
  | 'shop'
  | 'shop web'
  | 'shop DNS'
  | 'lab'
  | `${Tenant} control plane`
  | 'beside a control plane'
  | 'host DNS'
  | 'gateway'
  | 'reconciler'
  | 'internet'
  | 'not a tenant’s';
export type Tenant = 'vault' | 'shop' | 'lab';
export const TENANTS: readonly Tenant[] = ['vault', 'shop', 'lab'];

export interface Member {
  readonly pod: Pod;
  readonly kinds: readonly Kind[];
}

const FLEET: Files = {
  'platform/policy.yaml': policy(),
  'platform/profiles.yaml': [
    profile('tight', 'sandboxed'),
    profile('middle', 'restricted', '  allow: {ingressClasses: [nginx], gatewayNamespaces: [gateways]}\n'),
    // The host's pods have addresses in a range that is not private, so that only hostCIDRs keeps the internet apart from them.
    profile('open', 'baseline', '  network: {hostCIDRs: [203.0.113.0/24]}\n'),
  ].join('---\n'),
  'tenants/vault/tenant.yaml': tenant('vault', { profile: 'tight', spec: '  networking: {egressPolicy: deny-by-default}\n' }),
  'tenants/shop/tenant.yaml': tenant('shop', {
    profile: 'middle',
    spec: `  networking: {egressPolicy: allow-same-tenant, dns: server, dnsServiceIP: 10.96.200.53, ingressHostSuffixes: [shop.example.com]}
  controlPlane: {replicas: 3, datastore: {type: etcd}}
`,
  }),
  'tenants/lab/tenant.yaml': tenant('lab', {
    profile: 'open',
    spec: '  networking: {egressPolicy: unrestricted}\n  controlPlane: {expose: {loadBalancer: true}}\n',
  }),
  'tenants/vault/objects/app.yaml': [workload('web', 'default'), workload('db', 'default')].join('---\n'),
  'tenants/shop/objects/app.yaml': [workload('web', 'front'), workload('db', 'back'), ingress()].join('---\n'),
  'tenants/lab/objects/app.yaml': [workload('web', 'default'), workload('db', 'default')].join('---\n'),
};

/** A Deployment and its Service; labels are the same at every tenant, as they are where charts are. */
function workload(name: string, namespace: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: ${JSON.stringify(podSpec())}
---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: ${namespace}}
spec: {selector: {app: ${name}}, ports: [{port: 80, targetPort: http}]}
`;
}

export function podSpec(ports: JsonObject[] = [{ name: 'http', containerPort: 8080 }]): JsonObject {
  return {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'main',
        image: 'registry.example/app:1',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        ports,
      },
    ],
  };
}

function ingress(): string {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: www, namespace: front}
spec:
  ingressClassName: nginx
  rules:
  - host: www.shop.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
`;
}

/** The fleet as the planner renders it; `more` are further files, such as a tenant's hostile objects. */
export function planFleet(more: Files = {}): Plan {
  return planFiles({ ...FLEET, ...more }, { host: { version: '1.34', serviceCIDRs: ['10.96.0.0/16'] } });
}

const NOT_OURS: readonly Kind[] = ['not a tenant’s'];
/** Pods that others make on the host: the platform's own, and the control planes, which the reconciler makes. */
const BESIDE: readonly (readonly [namespace: string, name: string, labels: Pod['labels'], kinds: readonly Kind[]])[] = [
  ['kube-system', 'coredns', { 'k8s-app': 'kube-dns' }, ['host DNS', ...NOT_OURS]],
  ['kube-system', 'metrics-server', { 'k8s-app': 'metrics-server' }, NOT_OURS],
  ['gateways', 'controller', { app: 'gateway' }, ['gateway', ...NOT_OURS]],
  ['monitoring', 'prometheus', { app: 'web' }, NOT_OURS],
  ['monitoring', 'fake-dns', { 'k8s-app': 'kube-dns' }, NOT_OURS],
  ['tenantplane-system', 'reconciler', { 'app.kubernetes.io/name': 'tenantplane-reconciler' }, ['reconciler', ...NOT_OURS]],
  ['tenantplane-system', 'other', {}, NOT_OURS],
  ['cp-x-vault-x-team-vault', 'server-0', CONTROL_PLANE_POD, ['vault control plane']],
  ['cp-x-vault-x-team-vault', 'backup', {}, ['beside a control plane']],
  ['cp-x-shop-x-team-shop', 'server-0', CONTROL_PLANE_POD, ['shop control plane']],
  ['cp-x-shop-x-team-shop', 'server-1', CONTROL_PLANE_POD, ['shop control plane']],
  ['cp-x-lab-x-team-lab', 'server-0', CONTROL_PLANE_POD, ['lab control plane']],
];

/** Addresses outside: metadata servers, nodes, what hostCIDRs names, and the internet, of both families. */
export const ADDRESSES: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['169.254.169.254', NOT_OURS],
  ['100.100.100.200', NOT_OURS],
  ['192.168.1.10', NOT_OURS],
  ['203.0.113.250', NOT_OURS],
  ['fd00:ec2::254', NOT_OURS],
  ['198.51.100.7', ['internet', ...NOT_OURS]],
  ['2001:db8::7', ['internet', ...NOT_OURS]],
]);

export interface FleetOnHost {
  readonly namespaces: ReadonlyMap<string, Record<string, string>>;
  readonly policies: readonly JsonObject[];
  readonly members: readonly Member[];
}

export function fleetOnHost(plan: Plan): FleetOnHost {
  const objects = plan.tenants.flatMap(({ files }) => files.map(({ object }) => object));
  const rendered = hostCluster(objects, addressOf);
  const members: Member[] = rendered.pods.map((pod) => ({ pod, kinds: kindsOf(pod.namespace, pod.made) }));
  for (const [namespace, name, labels, kinds] of BESIDE) {
    members.push({ pod: { name, namespace, labels, address: addressOf(members.length) }, kinds });
  }
  const namespaces = new Map(BESIDE.map(([name]) => [name, namespaceLabels(name)]));
  for (const [name, labels] of rendered.namespaces) namespaces.set(name, labels);
  return { namespaces, policies: rendered.policies, members };
}

export function addressOf(index: number): string {
  return `203.0.113.${index + 1}`;
}

function kindsOf(namespace: string, made: string | undefined): Kind[] {
  const owner = TENANTS.find((name) => namespace === `team-${name}`);
  if (owner === undefined) throw new Error(`whose namespace is ${namespace}?`);
  if (owner !== 'shop') return [owner];
  return [owner, ...(made === undefined ? (['shop DNS'] as const) : made === 'front/web' ? (['shop web'] as const) : [])];
}
