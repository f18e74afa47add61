import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type Engine, startEngine } from './network/engine.ts';

/**
 * What Kubernetes' documentation says of a policy, asked of the engine that judges our own: that it is asked right, and is no
 * reader that agrees with everything.
 */
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

const PODS = [
  { name: 'web', namespace: 'one', labels: { app: 'web' }, address: '10.0.0.1', ports: [{ name: 'http', containerPort: 8080 }] },
  { name: 'api', namespace: 'one', labels: { app: 'api', tier: 'back' }, address: '10.0.0.2' },
  { name: 'db', namespace: 'two', labels: { app: 'db' }, address: '10.0.1.1', ports: [{ name: 'http', containerPort: 9000 }] },
];
const ADDRESSES = ['198.51.100.7', '2001:db8::7'];
const NAMES = [...PODS.map(({ name }) => name), ...ADDRESSES];
const PORTS = [
  { protocol: 'TCP', port: 8080 },
  { protocol: 'TCP', port: 9000 },
  { protocol: 'UDP', port: 8080 },
] as const;

/** `api>web:8080`, for every packet to or from `web` that passes. */
async function passing(...specs: JsonObject[]): Promise<string[]> {
  const policies = specs.map((spec, index) => ({ metadata: { name: `p${index}`, namespace: 'one' }, spec }));
  const namespaces = new Map([
    ['one', { team: 'x' }],
    ['two', {}],
  ]);
  const verdicts = await engine.ask({ namespaces, pods: PODS, policies, addresses: ADDRESSES, ports: PORTS });
  const passes = (source: number, destination: number, port: number): boolean =>
    verdicts.out(source, destination, port) && verdicts.in(source, destination, port);
  const packets: string[] = [];
  for (const [port, { protocol, port: number }] of PORTS.entries()) {
    for (const [peer, name] of NAMES.entries()) {
      const suffix = protocol === 'TCP' ? number : `${number}/udp`;
      if (peer > 0 && passes(peer, 0, port)) packets.push(`${name}>web:${suffix}`);
      if (peer > 0 && passes(0, peer, port)) packets.push(`web>${name}:${suffix}`);
    }
  }
  return packets.sort();
}

const WEB = { matchLabels: { app: 'web' } };
const ALL = NAMES.slice(1).flatMap((peer) =>
  ['8080', '9000', '8080/udp'].flatMap((port) => [`${peer}>web:${port}`, `web>${peer}:${port}`]),
);
const except = (taken: (packet: string) => boolean): string[] => ALL.filter((packet) => !taken(packet)).sort();
const into = (packet: string): boolean => packet.includes('>web:');
/** packets to `web`: these only, and everything else that was */
const only = (...packets: string[]): string[] => [...except(into), ...packets].sort();
const everyPort = (peer: string): string[] => ['8080', '9000', '8080/udp'].map((port) => `${peer}>web:${port}`);

test.each<[string, JsonObject[], string[]]>([
  ['no policy: everything', [], [...ALL].sort()],
  ['a policy of another pod: everything', [{ podSelector: { matchLabels: { app: 'none' } }, ingress: [] }], [...ALL].sort()],
  ['no rule: nothing in, and out as before', [{ podSelector: {} }], except((packet) => into(packet) || packet.includes('>api:'))],
  ['an empty list of rules is no rule', [{ podSelector: WEB, ingress: [] }], except(into)],
  ['a rule without peers: everyone', [{ podSelector: WEB, ingress: [{}] }], [...ALL].sort()],
  ['an empty list of peers: everyone', [{ podSelector: WEB, ingress: [{ from: [] }] }], [...ALL].sort()],
  [
    'pods are those of the policy’s namespace',
    [{ podSelector: WEB, ingress: [{ from: [{ podSelector: {} }] }] }],
    only(...everyPort('api')),
  ],
  [
    'all namespaces, but no addresses',
    [{ podSelector: WEB, ingress: [{ from: [{ namespaceSelector: {} }] }] }],
    only(...everyPort('api'), ...everyPort('db')),
  ],
  [
    'NotIn matches where the label is absent',
    [
      {
        podSelector: WEB,
        ingress: [{ from: [{ namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['x'] }] } }] }],
      },
    ],
    only(...everyPort('db')),
  ],
  [
    'NotIn in the selector of the policy as well',
    [{ podSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }] } }],
    except(into),
  ],
  [
    'an empty value is no absent label',
    [{ podSelector: WEB, ingress: [{ from: [{ podSelector: { matchLabels: { tier: '' } } }] }] }],
    except(into),
  ],
  [
    'a named port is the pod’s own number, and TCP',
    [{ podSelector: WEB, ingress: [{ ports: [{ port: 'http' }] }] }],
    only(...NAMES.slice(1).map((peer) => `${peer}>web:8080`)),
  ],
  [
    'out, a named port is the destination’s',
    [{ podSelector: WEB, policyTypes: ['Egress'], egress: [{ ports: [{ port: 'http' }] }] }],
    except((packet) => !into(packet) && packet !== 'web>db:9000'),
  ],
  [
    'a range holds both its ends',
    [{ podSelector: WEB, ingress: [{ ports: [{ port: 8080, endPort: 9000 }] }] }],
    except((packet) => into(packet) && packet.endsWith('udp')),
  ],
  [
    'an address block without what it excepts',
    [
      {
        podSelector: WEB,
        ingress: [{ from: [{ ipBlock: { cidr: '198.51.0.0/16' } }, { ipBlock: { cidr: '::/0', except: ['2001:db8::/32'] } }] }],
      },
    ],
    only(...everyPort('198.51.100.7')),
  ],
  [
    'policies add up',
    [{ podSelector: {} }, { podSelector: WEB, ingress: [{ from: [{ podSelector: { matchLabels: { tier: 'back' } } }] }] }],
    [...except((packet) => into(packet) || packet.includes('>api:')), ...everyPort('api')].sort(),
  ],
])('%s', async (_, specs, expected) => {
  expect(await passing(...specs)).toEqual(expected);
});

test('what the API server would refuse is refused', async () => {
  const policies = [{ metadata: { name: 'p', namespace: 'one' }, spec: { podSelector: {}, ingress: [{ from: [{}] }] } }];
  await expect(engine.ask({ namespaces: new Map(), pods: [], policies, addresses: [], ports: [] })).rejects.toThrow('names nobody');
});
