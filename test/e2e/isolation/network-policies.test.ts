import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import { nameOf, namespaceOf } from '../../../src/core/kube/object.ts';
import { type Engine, type Pod, startEngine } from './network/engine.ts';
import {
  ADDRESSES,
  addressOf,
  type FleetOnHost,
  fleetOnHost,
  type Member,
  planFleet,
  podSpec,
  TENANTS,
  type Tenant,
} from './network/fleet.ts';
import { PORTS, promised } from './network/promises.ts';

/** Three tenants of different levels and egress policies on one host, and what an engine that is not ours says of every packet. */
let engine: Engine;
let fleet: FleetOnHost;
beforeAll(async () => {
  engine = await startEngine();
  fleet = fleetOnHost(planFleet());
});
afterAll(() => engine.stop());

/** Every packet of which the engine says otherwise than the promises; self-addressed ones are left out, which no policy stops. */
async function broken({ namespaces, policies }: FleetOnHost, members: readonly Member[], title: string): Promise<string[]> {
  const pods = members.map(({ pod }) => pod);
  const verdicts = await engine.ask({ namespaces, policies, pods, addresses: [...ADDRESSES.keys()], ports: PORTS });
  const peers = [
    ...members.map(({ pod, kinds }) => ({ name: `${pod.namespace}/${pod.name}`, kinds })),
    ...[...ADDRESSES].map(([name, kinds]) => ({ name, kinds })),
  ];
  const wrong: string[] = [];
  const seen = { open: 0, shut: 0 };
  for (const [source, from] of peers.entries()) {
    for (const [destination, to] of peers.entries()) {
      if (source === destination) continue;
      for (const [index, port] of PORTS.entries()) {
        for (const direction of ['out', 'in'] as const) {
          const wanted = direction === 'out' ? promised('out', from.kinds, to.kinds, port) : promised('in', to.kinds, from.kinds, port);
          seen[wanted ? 'open' : 'shut'] += 1;
          if (verdicts[direction](source, destination, index) === wanted) continue;
          const what = `${from.name} to ${to.name} ${port.protocol} ${port.port}`;
          wrong.push(`${what}: ${direction} is ${wanted ? 'shut' : 'open'}`);
        }
      }
    }
  }
  const pairs = peers.length * (peers.length - 1);
  console.info(`${title}: ${pairs} pairs, ${seen.open + seen.shut} verdicts, ${seen.open} open and ${seen.shut} shut`);
  expect(Math.min(seen.open, seen.shut)).toBeGreaterThan(1000);
  return wrong;
}

test('every pair of peers, in and out, as promised', async () => {
  expect(fleet.members.filter(({ kinds }) => TENANTS.some((tenant) => kinds.includes(tenant)))).toHaveLength(7);
  expect(await broken(fleet, fleet.members, 'three tenants')).toEqual([]);
});

/** A virtual namespace of each: at shop one that no Ingress leads to, where `app: web` is not behind one by right. */
const NAMESPACE: Readonly<Record<Tenant, string>> = { vault: 'default', shop: 'back', lab: 'default' };

/** For each tenant the pods of all others, the host's among them, whose labels it copies. */
function victims(tenant: Tenant): Pod[] {
  return fleet.members.flatMap(({ pod, kinds }) => (kinds.includes(tenant) ? [] : [pod]));
}

test('a pod with the labels of others gains nothing through the planner', async () => {
  const files = Object.fromEntries(
    TENANTS.map((tenant) => {
      const pods = victims(tenant).map(({ labels }, index) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `hostile-${index}`, namespace: NAMESPACE[tenant], labels },
        spec: podSpec(),
      }));
      return [`tenants/${tenant}/objects/hostile.yaml`, pods.map((pod) => JSON.stringify(pod)).join('\n---\n')];
    }),
  );
  const attacked = fleetOnHost(planFleet(files));
  const hostile = attacked.members.filter(({ pod }) => pod.name.startsWith('hostile-'));
  expect(hostile).toHaveLength(TENANTS.flatMap(victims).length);
  for (const { pod } of hostile) expect(`team-${pod.labels['tenantplane.io/tenant']}`).toBe(pod.namespace);
  expect(hostile.flatMap(({ pod }) => Object.keys(pod.labels))).toContain('t.tenantplane.io/tenantplane.io_tenant');
  expect(await broken(attacked, attacked.members, `${hostile.length} hostile pods rendered`)).toEqual([]);
});

test('a pod with the labels of others gains nothing where it stands in its own namespace as it is', async () => {
  const hostile = TENANTS.flatMap((tenant) =>
    victims(tenant).map((victim, index): Member => {
      const pod = { ...victim, name: `hostile-${index}`, namespace: `team-${tenant}` };
      return { pod, kinds: [tenant] };
    }),
  ).map(({ pod, kinds }, index) => ({ pod: { ...pod, address: addressOf(fleet.members.length + index) }, kinds }));
  expect(await broken(fleet, [...fleet.members, ...hostile], `${hostile.length} hostile pods as they are`)).toEqual([]);
});

/** A policy that is loosened, by name, and a packet that then passes. */
test.each<[string, string, (spec: JsonObject) => JsonObject, string]>([
  ['the ground is gone', 'team-vault/tenantplane-default-deny', (spec) => ({ ...spec, policyTypes: ['Egress'] }), 'in is open'],
  [
    'a peer is a label that anybody may carry',
    'team-shop/tenantplane-allow-same-tenant',
    (spec) => ({
      ...spec,
      ingress: [{ from: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'tenantplane.io/tenant': 'shop' } } }] }],
    }),
    'team-vault/hostile',
  ],
  [
    'DNS may be any pod that says so',
    'team-vault/tenantplane-allow-dns',
    (spec) => ({ ...spec, egress: [{ to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }] }] }),
    'monitoring/fake-dns',
  ],
  [
    'the internet is everything',
    'team-lab/tenantplane-allow-egress-internet',
    (spec) => ({ ...spec, egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }] }] }),
    '169.254.169.254',
  ],
])('it would be seen if %s', async (_, name, loosen, packet) => {
  const loosened = fleet.policies.map((policy) =>
    `${namespaceOf(policy)}/${nameOf(policy)}` === name ? { ...policy, spec: loosen(objectAt(policy, 'spec') ?? {}) } : policy,
  );
  const shop = fleet.members.find(({ kinds }) => kinds.includes('shop web'));
  const hostile = shop && {
    pod: { ...shop.pod, name: 'hostile', namespace: 'team-vault', address: addressOf(200) },
    kinds: ['vault'] as const,
  };
  const members = [...fleet.members, ...(hostile ? [hostile] : [])];
  const found = await broken({ ...fleet, policies: loosened }, members, name);
  expect(found.filter((each) => each.includes(packet))).not.toEqual([]);
  expect(found.filter((each) => each.endsWith('is shut'))).toEqual([]);
});
