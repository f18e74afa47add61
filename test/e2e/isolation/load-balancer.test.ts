import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { planFiles, policy, profile, tenant } from '../../support/observe.ts';
import { type Engine, startEngine } from './network/engine.ts';
import { podSpec } from './network/fleet.ts';
import { hostCluster, namespaceLabels } from './network/host-cluster.ts';

/** A load balancer under default deny, and the ways of docs/how-to.md to let callers in, as an engine that is not ours has them. */
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

const OUTSIDE = '198.51.100.7';
const OFFICE = '192.0.2.10';
const SHOP = `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: ${JSON.stringify(podSpec())}
---
apiVersion: v1
kind: Service
metadata: {name: shop}
spec: {type: LoadBalancer, selector: {app: shop}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db, labels: {app: db}}
spec: ${JSON.stringify(podSpec())}
`;
const INGRESS = `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: www}
spec:
  ingressClassName: nginx
  rules:
  - host: www.shop.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: shop, port: {number: 80}}}}]}
`;
/** What a platform writes by hand: it adds to what is rendered. The label is the pods' own on the host. */
const BY_HAND: JsonObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'shop-from-office', namespace: 'team-dev' },
  spec: {
    podSelector: { matchLabels: { app: 'shop', 'tenantplane.io/tenant': 'dev', 'tenantplane.io/virtual-namespace': 'default' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ ipBlock: { cidr: '192.0.2.0/24' } }], ports: [{ protocol: 'TCP', port: 8080 }] }],
  },
};

interface Case {
  readonly level?: 'baseline' | 'restricted';
  /** of the profile */
  readonly more?: string;
  readonly ingress?: true;
  readonly byHand?: true;
}

/** Who calls whom, of all that get through to port 8080; and whether the render says that nobody outside does. */
async function callers({ level = 'restricted', more = '', ingress, byHand }: Case): Promise<{ open: string[]; said: boolean }> {
  const plan = planFiles({
    'platform/policy.yaml': policy(),
    'platform/profile.yaml': profile('p', level, `  allow: {serviceTypes: [LoadBalancer], ingressClasses: [nginx]${more}}\n`),
    'tenants/dev/tenant.yaml': tenant('dev', { profile: 'p', spec: '  networking: {ingressHostSuffixes: [shop.example.com]}\n' }),
    'tenants/dev/objects/shop.yaml': SHOP + (ingress === true ? INGRESS : ''),
  });
  const objects = plan.tenants.flatMap(({ files }) => files.map(({ object }) => object));
  const host = hostCluster(objects, (index) => `203.0.113.${index + 1}`);
  const gateway = { name: 'gateway', namespace: 'gateways', labels: {}, address: '203.0.113.200' };
  const pods = [...host.pods, gateway];
  const namespaces = new Map([...host.namespaces, ['gateways', namespaceLabels('gateways')]]);
  const policies = [...host.policies, ...(byHand === true ? [BY_HAND] : [])];
  const addresses = [OUTSIDE, OFFICE];
  const verdicts = await engine.ask({ namespaces, policies, pods, addresses, ports: [{ protocol: 'TCP', port: 8080 }] });
  const names = [...pods.map(({ name }) => name.replace(/-x-.*/, '')), ...addresses];
  const open = host.pods.flatMap((_, to) =>
    names.flatMap((name, from) => (from >= host.pods.length && verdicts.in(from, to, 0) ? [`${name} to ${names[to]}`] : [])),
  );
  return { open, said: plan.findings.some(({ reason, message }) => reason === 'IngressDenied' && message.includes('default/shop')) };
}

test.each<[string, Case, string[]]>([
  ['nobody', {}, []],
  [
    'with a gateway and an Ingress, the gateway, and it alone',
    { more: ', gatewayNamespaces: [gateways]', ingress: true },
    ['gateway to shop'],
  ],
  ['a range that the platform admits by hand, to those pods and that port', { byHand: true }, [`${OFFICE} to shop`]],
])('at level restricted calls from outside: %s', async (_, given, open) => {
  // nothing that is rendered admits an address, so it is said all the same
  expect(await callers(given)).toEqual({ open, said: true });
});

test('at level baseline everybody calls, and nothing is said', async () => {
  const { open, said } = await callers({ level: 'baseline' });
  expect(open.sort()).toEqual(['db', 'shop'].flatMap((to) => [OUTSIDE, OFFICE, 'gateway'].map((from) => `${from} to ${to}`)).sort());
  expect(said).toBe(false);
});
