import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, isObject, type Json, type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import { nameOf } from '../../../src/core/kube/object.ts';
import { virtualNameOf } from '../../support/host-tree.ts';
import { type Engine, type Port, startEngine } from './network/engine.ts';
import { crowdedSets, type PolicySet, policySets } from './network/policy-sets.ts';
import { type HostView, hostView, tenantView } from './network/two-views.ts';

/**
 * Law: whatever policies a tenant writes, between two of its pods the host lets through what the policies alone would in a
 * cluster of the tenant's own, in and out. And whatever it writes, names and its API stay in reach, and nobody else's pods are.
 */
const RUNS = 500;
const SEED = Number(process.env['NETWORK_POLICY_SEED'] ?? 1700);

const PORTS: readonly Port[] = [
  { protocol: 'TCP', port: 8080 },
  { protocol: 'TCP', port: 9000 },
  { protocol: 'UDP', port: 8080 },
  { protocol: 'UDP', port: 1053 },
  { protocol: 'TCP', port: 6443 },
];
const [DNS, API] = [3, 4];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

interface Compared {
  readonly wrong: readonly string[];
  readonly open: number;
  readonly shut: number;
  /** verdicts that are shut on the host although the tenant's policies say open, where the render says so */
  readonly closed: number;
}

async function compare(set: PolicySet, host: HostView): Promise<Compared> {
  const inTenant = await engine.ask({ ...tenantView(set), addresses: [], ports: PORTS });
  const onHost = await engine.ask({ ...host, addresses: [], ports: PORTS });
  const wrong: string[] = [];
  const seen = { open: 0, shut: 0, closed: 0 };
  for (const [source, from] of set.pods.entries()) {
    for (const [destination, to] of set.pods.entries()) {
      if (source === destination) continue;
      for (const [index, { protocol, port }] of PORTS.entries()) {
        for (const direction of ['out', 'in'] as const) {
          const wanted = inTenant[direction](source, destination, index);
          seen[wanted ? 'open' : 'shut'] += 1;
          if (onHost[direction](source, destination, index) === wanted) continue;
          const part = direction === 'out' ? `Egress ${from.namespace}` : `Ingress ${to.namespace}`;
          if (wanted && host.closed.has(part)) seen.closed += 1;
          else wrong.push(`pod ${source} to pod ${destination} ${protocol} ${port}: ${direction} is ${wanted ? 'shut' : 'open'}`);
        }
      }
    }
  }
  const dns = set.pods.length;
  const [server, stranger] = [dns + 1, dns + 2];
  for (const pod of set.pods.keys()) {
    if (!onHost.out(pod, dns, DNS) || !onHost.in(pod, dns, DNS)) wrong.push(`pod ${pod} asks no names`);
    if (!onHost.out(pod, server, API) || !onHost.in(pod, server, API)) wrong.push(`pod ${pod} is kept from its API`);
    for (const index of PORTS.keys()) {
      if (onHost.out(pod, stranger, index)) wrong.push(`pod ${pod} calls a stranger`);
      if (set.level !== 'baseline' && onHost.in(stranger, pod, index)) wrong.push(`a stranger calls pod ${pod}`);
    }
  }
  return { wrong, ...seen };
}

interface Total extends Omit<Compared, 'wrong'> {
  readonly sets: number;
  readonly setsClosed: number;
}

/** Compares sets by chance until one is wrong, which fails with the smallest such set. */
async function law(sets: fc.Arbitrary<PolicySet>, numRuns: number, title: string): Promise<Total> {
  const total = { sets: 0, open: 0, shut: 0, closed: 0, setsClosed: 0 };
  await fc.assert(
    fc.asyncProperty(sets, async (set) => {
      const host = hostView(set);
      const { wrong, open, shut, closed } = await compare(set, host);
      total.sets += 1;
      total.open += open;
      total.shut += shut;
      total.closed += closed;
      total.setsClosed += host.closed.size > 0 ? 1 : 0;
      expect(wrong).toEqual([]);
    }),
    { numRuns, seed: SEED },
  );
  console.info(
    `${title}, seed ${SEED}: ${total.sets} sets, ${total.open + total.shut} verdicts, ${total.open} open and ${total.shut} shut; ` +
      `${total.setsClosed} sets past the limit of selectors, in which ${total.closed} verdicts are closed`,
  );
  return total;
}

test(`for ${RUNS} sets of policies the host means what the tenant wrote`, { timeout: 300_000 }, async () => {
  const { open, shut, setsClosed } = await law(policySets, RUNS, 'policies by chance');
  expect(Math.min(open, shut)).toBeGreaterThan(10_000);
  expect(setsClosed).toBeLessThan(RUNS / 50);
});

test('past the limit of selectors the host is closed where the render says so, and never open', { timeout: 300_000 }, async () => {
  const { sets, setsClosed, closed, open, shut } = await law(crowdedSets, 50, 'policies without a common key');
  expect(setsClosed).toBe(sets);
  expect(Math.min(closed, open - closed, shut)).toBeGreaterThan(200);
});

const VIRTUAL_NAMESPACE = 'tenantplane.io/virtual-namespace';
type Mistake = (spec: JsonObject, policy: JsonObject) => JsonObject;
const ofTenant =
  (mistake: (spec: JsonObject) => JsonObject): Mistake =>
  (spec, policy) =>
    virtualNameOf(policy) === undefined ? spec : mistake(spec);

/** Mistakes that a renderer could make, each in policies that are otherwise right. */
const MISTAKES: readonly (readonly [string, Mistake])[] = [
  [
    'our allowances cover the pods that the tenant’s policies select',
    (spec, policy) => (nameOf(policy).startsWith('tenantplane-allow-same-tenant') ? { ...spec, podSelector: {} } : spec),
  ],
  ['a policy selects pods of every virtual namespace', ofTenant((spec) => changed(spec, ['podSelector'], withoutKey))],
  ['a peer is a pod of any virtual namespace', ofTenant((spec) => changed(spec, ['ingress', 'egress'], withoutKey))],
  ['a rule that lost its last peer is for everyone', ofTenant((spec) => changed(spec, ['ingress', 'egress'], () => [{}]))],
  ['a re-keyed label is not re-keyed in peers', ofTenant((spec) => changed(spec, ['ingress', 'egress'], underOwnKey))],
];

function changed(spec: JsonObject, fields: readonly string[], change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(spec).map(([field, value]) => [field, fields.includes(field) ? change(value ?? null) : value]));
}

/** The value without label and terms of the virtual namespace, at any depth. */
function withoutKey(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => at(item, 'key') !== VIRTUAL_NAMESPACE).map(withoutKey);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === VIRTUAL_NAMESPACE || item === undefined ? [] : [[key, withoutKey(item)]])),
  );
}

function underOwnKey(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('t.tenantplane.io/app.kubernetes.io_instance', 'app.kubernetes.io/instance'));
}

test.each(MISTAKES)('the law would be broken if %s', { timeout: 300_000 }, async (name, mistake) => {
  const sets = fc.sample(policySets, { numRuns: 100, seed: 1700 });
  let found = 0;
  for (const set of sets) {
    const host = hostView(set);
    const policies = host.policies.map((policy) => ({ ...policy, spec: mistake(objectAt(policy, 'spec') ?? {}, policy) }));
    if ((await compare(set, { ...host, policies })).wrong.length > 0) found += 1;
  }
  console.info(`${name}: seen in ${found} of ${sets.length} sets`);
  expect(found).toBeGreaterThan(0);
});
