import { describe, expect, test } from 'vitest';
import { parseCidr } from '../../../src/core/kube/cidr.ts';
import type { Json, JsonObject } from '../../../src/core/kube/json.ts';
import { type AddressSet, addresses, cidrsOf, EVERY_ADDRESS } from '../../../src/core/reach/address-set.ts';
import type { Endpoint, PodEnd } from '../../../src/core/reach/endpoint.ts';
import { type Judgement, judge } from '../../../src/core/reach/judge.ts';
import { nearest } from '../../../src/core/reach/near.ts';
import { readPolicy } from '../../../src/core/reach/read-policy.ts';
import { allKnown } from '../../../src/core/reach/selects.ts';

const TCP = { protocol: 'TCP', port: 8080 };

function pod(labels: Record<string, string>, more: Partial<PodEnd> = {}): PodEnd {
  const namespace = more.namespace ?? 'here';
  return {
    is: 'pod',
    namespace,
    namespaceLabels: allKnown(new Map([['kubernetes.io/metadata.name', namespace]])),
    labels: allKnown(new Map(Object.entries(labels))),
    ports: [{ name: 'http', containerPort: 8080 }],
    addresses: EVERY_ADDRESS,
    hostNetwork: false,
    rendered: true,
    ...more,
  };
}

/** A label that a controller gives. */
function withOpen(labels: Record<string, string>, ...open: string[]): Partial<PodEnd> {
  return { labels: { known: new Map(Object.entries(labels)), open: (key) => open.includes(key) } };
}

function ranges(...texts: string[]): AddressSet {
  return addresses(texts.flatMap((text) => parseCidr(text) ?? []));
}

function ingress(rules: Json[], podSelector: JsonObject = {}, name = 'p'): JsonObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace: 'here' },
    spec: { podSelector, ingress: rules },
  };
}

function asked(
  policies: readonly JsonObject[],
  subject: PodEnd,
  other: Endpoint,
  port: { protocol?: string; port?: number } = TCP,
): Judgement {
  return judge(policies.map(readPolicy), 'Ingress', { subject, other, port });
}

const web = pod({ app: 'web' });
const api = pod({ app: 'api' });
const fromApi = { from: [{ podSelector: { matchLabels: { app: 'api' } } }] };

describe('the four verdicts', () => {
  test.each<[string, JsonObject[], Partial<Judgement>]>([
    ['no policy selects it', [ingress([], { matchLabels: { app: 'other' } })], { verdict: 'NotSelected' }],
    ['a rule admits it', [ingress([]), ingress([{}, fromApi], {}, 'q')], { verdict: 'Admits' }],
    ['none does', [ingress([{ from: [{ podSelector: { matchLabels: { app: 'db' } } }] }])], { verdict: 'DoesNotAdmit' }],
    [
      'a policy of the other direction alone',
      [{ ...ingress([]), spec: { podSelector: {}, policyTypes: ['Egress'] } }],
      { verdict: 'NotSelected' },
    ],
    [
      'the address of the caller',
      [ingress([{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }])],
      { verdict: 'Undecidable', missing: 'address' },
    ],
    ['an empty list of peers is everyone', [ingress([{ from: [] }])], { verdict: 'Admits' }],
    [
      'both families are every address',
      [ingress([{ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }] }])],
      { verdict: 'Admits' },
    ],
  ])('%s', (_, policies, expected) => {
    expect(asked(policies, web, api)).toMatchObject(expected);
  });

  test('rules that admit are named by policy and number', () => {
    const { by, selecting } = asked([ingress([]), ingress([{ ports: [{ port: 1 }] }, fromApi], {}, 'q')], web, api);
    expect(by.map(({ policy, rule }) => `${policy.name} ${rule.index}`)).toEqual(['q 1']);
    expect(selecting.map(({ name }) => name)).toEqual(['p', 'q']);
  });
});

describe('a fact that is missing makes it undecidable', () => {
  test.each<[string, JsonObject[], PodEnd, Endpoint, Partial<Judgement>]>([
    [
      'a label of the caller',
      [ingress([{ from: [{ podSelector: { matchLabels: { hash: 'x' } } }] }])],
      web,
      pod({}, withOpen({}, 'hash')),
      { missing: 'labels' },
    ],
    [
      'a label of the pods that a policy selects',
      [ingress([], { matchLabels: { hash: 'x' } })],
      pod({}, withOpen({}, 'hash')),
      api,
      { missing: 'labels' },
    ],
    ['what the node’s network makes of it', [ingress([])], pod({}, { hostNetwork: true }), api, { missing: 'hostNetwork' }],
    [
      'whether a pod on the node’s network is known by its labels',
      [ingress([fromApi])],
      web,
      pod({ app: 'api' }, { hostNetwork: true }),
      { missing: 'labels' },
    ],
    ['policies of a namespace that is not rendered', [], pod({}, { rendered: false }), api, { missing: 'otherPolicies' }],
  ])('%s', (_, policies, subject, other, expected) => {
    expect(asked(policies, subject, other)).toMatchObject({ verdict: 'Undecidable', ...expected });
  });

  test('another rule that surely admits decides', () => {
    const open = pod({ app: 'api' }, withOpen({ app: 'api' }, 'hash'));
    expect(asked([ingress([{ from: [{ podSelector: { matchLabels: { hash: 'x' } } }] }, fromApi])], web, open).verdict).toBe('Admits');
  });

  test('a known requirement that fails decides, whatever the label that is not known', () => {
    const selector = { matchLabels: { hash: 'x', app: 'api' } };
    expect(asked([ingress([{ from: [{ podSelector: selector }] }])], web, pod({}, withOpen({ app: 'db' }, 'hash'))).verdict).toBe(
      'DoesNotAdmit',
    );
  });

  test('a port that nobody declares', () => {
    const rule = { ports: [{ port: 80 }] };
    expect(asked([ingress([rule])], web, api, {})).toMatchObject({ verdict: 'Undecidable', missing: 'port' });
    expect(asked([ingress([{}])], web, api, {}).verdict).toBe('Admits');
    expect(asked([ingress([{ ...rule, ...fromApi }])], web, pod({ app: 'db' }), {}).verdict).toBe('DoesNotAdmit');
  });

  test('pods whose range is known are decided by it', () => {
    const block = (cidr: string): JsonObject[] => [ingress([{ from: [{ ipBlock: { cidr, except: [] } }] }])];
    const caller = pod({}, { addresses: ranges('10.244.0.0/16') });
    expect(asked(block('10.0.0.0/8'), web, caller).verdict).toBe('Admits');
    expect(asked(block('10.245.0.0/16'), web, caller).verdict).toBe('DoesNotAdmit');
    expect(asked(block('10.244.128.0/17'), web, caller)).toMatchObject({ verdict: 'Undecidable', missing: 'address' });
  });

  test('of a range that is all meant the part is told', () => {
    const policies = [ingress([{ from: [{ ipBlock: { cidr: '192.0.2.0/25' } }] }, { from: [{ ipBlock: { cidr: '192.0.2.192/26' } }] }])];
    const range = (text: string): Endpoint => ({ is: 'addresses', addresses: ranges(text), meant: 'all' });
    const found = asked(policies, web, range('192.0.2.0/24'));
    expect(found).toMatchObject({ verdict: 'Undecidable', missing: 'part' });
    expect(cidrsOf(found.part ?? [])).toEqual(['192.0.2.0/25', '192.0.2.192/26']);
    expect(asked(policies, web, range('192.0.2.0/26')).verdict).toBe('Admits');
    expect(asked(policies, web, range('192.0.2.128/26')).verdict).toBe('DoesNotAdmit');
  });
});

describe('ports', () => {
  test.each<[JsonObject, { protocol: string; port: number }, Judgement['verdict']]>([
    [{ port: 'http' }, TCP, 'Admits'],
    [{ port: 'http' }, { protocol: 'TCP', port: 80 }, 'DoesNotAdmit'],
    [{ port: 'http' }, { protocol: 'UDP', port: 8080 }, 'DoesNotAdmit'],
    [{ port: 'nowhere' }, TCP, 'DoesNotAdmit'],
    [{ port: 8000, endPort: 8080 }, TCP, 'Admits'],
    [{ port: 8000, endPort: 8079 }, TCP, 'DoesNotAdmit'],
    [{ protocol: 'SCTP' }, { protocol: 'SCTP', port: 1 }, 'Admits'],
    [{ protocol: 'SCTP' }, TCP, 'DoesNotAdmit'],
  ])('%j and %j: %s', (entry, port, verdict) => {
    expect(asked([ingress([{ ports: [entry] }])], web, api, port).verdict).toBe(verdict);
  });
});

describe('the rule that nearly admits', () => {
  const near = (rules: Json[], other: Endpoint, port = TCP): string | undefined => {
    const found = nearest([ingress(rules)].map(readPolicy), 'Ingress', { subject: web, other, port });
    return (
      found &&
      `${found.rule.index}: ${found.misses.map((miss) => (miss.what === 'port' ? 'port' : `${miss.wanted}, not ${miss.has}`)).join('; ')}`
    );
  };
  test.each<[string, Json[], string | undefined]>([
    ['a port is missing', [{ ...fromApi, ports: [{ port: 1 }] }], '0: port'],
    ['a label is another one', [{ from: [{ podSelector: { matchLabels: { app: 'db' } } }] }], '0: app=db, not api'],
    [
      'an expression',
      [{ from: [{ podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'x'] }] } }] }],
      '0: app in (db, x), not api',
    ],
    [
      'a label is missing',
      [{ from: [{ podSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }] }],
      '0: tier, not undefined',
    ],
    [
      'the least is taken',
      [{ from: [{ podSelector: { matchLabels: { app: 'db', tier: 'x' } } }] }, { ...fromApi, ports: [{ port: 1 }] }],
      '1: port',
    ],
    ['too far', [{ from: [{ podSelector: { matchLabels: { app: 'db', a: 'b', c: 'd' } } }] }], undefined],
    ['another namespace', [{ from: [{ namespaceSelector: { matchLabels: { team: 'x' } } }] }], undefined],
    ['addresses', [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }], undefined],
  ])('%s', (_, rules, expected) => {
    expect(near(rules, api)).toBe(expected);
  });
});
