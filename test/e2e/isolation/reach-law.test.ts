import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/core/kube/json.ts';
import { type Engine, type Port, startEngine } from './network/engine.ts';
import { ADDRESSES, fleetOnHost, planFleet } from './network/fleet.ts';
import { type PolicySet, policySets, widerSets } from './network/policy-sets.ts';
import { PORTS } from './network/promises.ts';
import { type Compared, compareReach } from './network/reach-view.ts';
import { hostView, tenantView, type View } from './network/two-views.ts';

/** Law: what `tenantplane reach` says of two ends is what an engine that is not ours says of each packet, in and out. */
const SEED = Number(process.env['NETWORK_POLICY_SEED'] ?? 1700);
const ASKED: readonly Port[] = [
  { protocol: 'TCP', port: 8080 },
  { protocol: 'TCP', port: 9000 },
  { protocol: 'UDP', port: 8080 },
  { protocol: 'UDP', port: 53 },
  { protocol: 'SCTP', port: 8080 },
  { protocol: 'SCTP', port: 9000 },
];
const OUTSIDE = ['10.0.0.7', '198.51.100.7', '198.51.100.200', '2001:db8::7', '2001:db8:0:1::7'];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

async function asked(view: View): Promise<Compared> {
  const cluster = { ...view, addresses: OUTSIDE, ports: ASKED };
  return compareReach(cluster, await engine.ask(cluster));
}

async function law(sets: fc.Arbitrary<PolicySet>, numRuns: number, view: (set: PolicySet) => View, title: string): Promise<void> {
  const total = { sets: 0, open: 0, shut: 0, selected: 0 };
  await fc.assert(
    fc.asyncProperty(sets, async (set) => {
      const { wrong, open, shut, selected } = await asked(view(set));
      total.sets += 1;
      total.open += open;
      total.shut += shut;
      total.selected += selected;
      expect(wrong).toEqual([]);
    }),
    { numRuns, seed: SEED },
  );
  console.info(
    `${title}, seed ${SEED}: ${total.sets} sets, ${total.open + total.shut} verdicts, ${total.open} open and ${total.shut} shut, ` +
      `${total.selected} of pods that a policy selects`,
  );
  expect(Math.min(total.open, total.shut, total.selected)).toBeGreaterThan(numRuns * 10);
}

test('every pair of the three tenants, in and out', async () => {
  const { namespaces, policies, members } = fleetOnHost(planFleet());
  const cluster = { namespaces, policies, pods: members.map(({ pod }) => pod), addresses: [...ADDRESSES.keys()], ports: PORTS };
  const { wrong, open, shut } = compareReach(cluster, await engine.ask(cluster));
  console.info(`three tenants: ${open + shut} verdicts, ${open} open and ${shut} shut`);
  expect(wrong).toEqual([]);
  expect(Math.min(open, shut)).toBeGreaterThan(500);
});

test('1,000 sets of policies as they are written', { timeout: 300_000 }, () => law(widerSets, 1000, tenantView, 'as written'));

test('1,000 sets of policies as they are rendered', { timeout: 300_000 }, () => law(policySets, 1000, hostView, 'as rendered'));

/** Mistakes that an evaluator could make, as policies that it would be right of. */
const MISTAKES: readonly (readonly [string, (key: string, value: Json) => Json | undefined])[] = [
  ['exceptions of a range are overlooked', (key, value) => (key === 'except' ? undefined : value)],
  ['the end of a range of ports is overlooked', (key, value) => (key === 'endPort' ? undefined : value)],
  ['a port without a protocol is of any', (key, value) => (key === 'protocol' && value === 'TCP' ? 'UDP' : value)],
  ['a port’s name is not looked up', (key, value) => (key === 'port' && value === 'http' ? 8080 : value)],
  ['a NotIn wants the label to be there', (key, value) => (key === 'operator' && value === 'NotIn' ? 'Exists' : value)],
  ['an empty selector selects nothing', (key, value) => (isEmpty(value) && /Selector$/.test(key) ? { matchLabels: { no: 'one' } } : value)],
  ['a namespace selector is overlooked', (key, value) => (key === 'namespaceSelector' ? {} : value)],
  ['directions are always both', (key, value) => (key === 'policyTypes' ? ['Ingress', 'Egress'] : value)],
  [
    'an empty list of peers is nobody',
    (key, value) => ((key === 'from' || key === 'to') && isNone(value) ? [{ podSelector: NOBODY }] : value),
  ],
];

const NOBODY: JsonObject = { matchLabels: { no: 'one' } };
const isEmpty = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0;
const isNone = (value: Json): boolean => Array.isArray(value) && value.length === 0;

function changed(value: Json, change: (key: string, value: Json) => Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const now = change(key, item ?? null);
      return now === undefined ? [] : [[key, changed(now, change)]];
    }),
  );
}

test.each(MISTAKES)('the law would be broken if %s', async (name, mistake) => {
  let found = 0;
  for (const set of fc.sample(widerSets, { numRuns: 100, seed: 1700 })) {
    const cluster = { ...tenantView(set), addresses: OUTSIDE, ports: ASKED };
    const policies = cluster.policies.map((policy) => changed(policy, mistake)).filter(isObject);
    if (compareReach({ ...cluster, policies }, await engine.ask(cluster)).wrong.length > 0) found += 1;
  }
  console.info(`${name}: seen in ${found} of 100 sets`);
  expect(found).toBeGreaterThan(0);
});
