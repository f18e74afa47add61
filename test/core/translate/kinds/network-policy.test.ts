import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';
import type { Overrides } from '../../context.ts';
import { make, ownLabels, type Result, run } from './kind.ts';

const translate = (spec: JsonObject, overrides: Overrides = {}): Result =>
  run('NetworkPolicy.networking.k8s.io', make('networking.k8s.io/v1', 'NetworkPolicy', 'np', { spec }), overrides);
const namespaced = (name: string, labels: JsonObject = {}) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
const OWN = { podSelector: { matchLabels: ownLabels() } };
const TENANT = { podSelector: { matchLabels: { 'tenantplane.io/tenant': 'dev' } } };
const GATEWAY: Overrides = { allow: { gatewayNamespaces: ['ingress-nginx'] } };
const OPEN: Overrides = { tenant: { egressPolicy: 'unrestricted' } };

describe('a NetworkPolicy', () => {
  it.each<[string, JsonObject]>([
    ['empty', { podSelector: {} }],
    ['null', { podSelector: null }],
    ['absent', {}],
  ])('whose pod selector is %s is for its own namespace, not for the host’s', (_, spec) => {
    expect(translate(spec).host('spec', 'podSelector')).toEqual(OWN.podSelector);
  });

  it('selects its own pods', () => {
    const podSelector = {
      matchLabels: { app: 'web', 'argocd.argoproj.io/x': 'y' },
      matchExpressions: [{ key: 'tier', operator: 'Exists' }],
    };
    expect(translate({ podSelector }).host('spec', 'podSelector')).toEqual({
      matchLabels: { app: 'web', 't.tenantplane.io/argocd.argoproj.io_x': 'y', ...ownLabels() },
      matchExpressions: [{ key: 'tier', operator: 'Exists' }],
    });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['without types and egress', { ingress: [] }, ['Ingress']],
    ['without types but with egress', { egress: [{}] }, ['Ingress', 'Egress']],
    ['with an empty egress', { egress: [] }, ['Ingress']],
    ['with types', { policyTypes: ['Egress'] }, ['Egress']],
    ['with no types', { policyTypes: [] }, ['Ingress']],
    ['whose egress is all stripped', { egress: [{ to: [{ ipBlock: { cidr: '8.8.8.8/32' } }] }] }, ['Ingress', 'Egress']],
  ])('%s says what it is for', (_, spec, types) => {
    expect(translate({ podSelector: {}, ...spec }).host('spec', 'policyTypes')).toEqual(types);
  });

  describe('has peers of its own tenant', () => {
    const objects = [namespaced('blue', { team: 'x' }), namespaced('green', { team: 'x' }), namespaced('red', { team: 'y' })];
    const peer = (given: JsonObject): Result => translate({ podSelector: {}, ingress: [{ from: [given] }] }, { objects });

    it.each<[string, JsonObject, Json]>([
      [
        'pods of its own namespace',
        { podSelector: { matchLabels: { a: 'b' } } },
        { podSelector: { matchLabels: { a: 'b', ...ownLabels() } } },
      ],
      ['all pods of its own namespace', { podSelector: {} }, OWN],
      ['all namespaces', { namespaceSelector: {} }, TENANT],
      [
        'one namespace by name',
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'red' } } },
        { podSelector: { matchLabels: ownLabels('red') } },
      ],
      [
        'some namespaces and pods',
        { namespaceSelector: { matchLabels: { team: 'x' } }, podSelector: { matchLabels: { a: 'b' } } },
        {
          podSelector: {
            matchLabels: { a: 'b', 'tenantplane.io/tenant': 'dev' },
            matchExpressions: [{ key: 'tenantplane.io/virtual-namespace', operator: 'In', values: ['blue', 'green'] }],
          },
        },
      ],
      [
        'a set’s pod in another namespace',
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'red' } },
          podSelector: { matchLabels: { 'statefulset.kubernetes.io/pod-name': 'db-0' } },
        },
        { podSelector: { matchLabels: { 'statefulset.kubernetes.io/pod-name': 'db-x-red-x-dev-0', ...ownLabels('red') } } },
      ],
    ])('%s', (_, given, expected) => {
      const result = peer(given);
      expect(result.host('spec', 'ingress')).toEqual([{ from: [expected] }]);
      expect(result.notes).toEqual([]);
    });

    it('and none where its selector matches no namespace of the tenant', () => {
      const none = { namespaceSelector: { matchLabels: { team: 'z' } } };
      expect(peer(none).host('spec', 'ingress')).toEqual([]);
      const host = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } };
      expect(peer(host).host('spec', 'ingress')).toEqual([]);
      const both = translate({ podSelector: {}, ingress: [{ from: [none, { podSelector: {} }] }] }, { objects });
      expect(both.host('spec', 'ingress')).toEqual([{ from: [OWN] }]);
    });
  });

  describe('never opens more than the profile allows', () => {
    it.each<[string, JsonObject]>([
      ['absent', {}],
      ['empty', { from: [] }],
      ['null', { from: null }],
    ])('where "from" is %s, which means everyone', (_, rule) => {
      const result = translate({ podSelector: {}, ingress: [{ ports: [{ port: 80 }], ...rule }] });
      expect(result.host('spec', 'ingress')).toEqual([{ ports: [{ port: 80 }], from: [TENANT] }]);
      expect(result.notes).toEqual(['NetworkPolicyWidens']);
    });

    it('where "to" is absent', () => {
      const result = translate({ podSelector: {}, egress: [{}] });
      expect(result.host('spec', 'egress')).toEqual([{ to: [TENANT] }]);
      expect(result.notePaths).toEqual(['spec.egress[0].to']);
    });

    it.each(['ingress', 'egress'])('with a null rule in %s, which the API server reads as everyone', (direction) => {
      expect(translate({ podSelector: {}, [direction]: [null] }).refused).toEqual(['ObjectMalformed']);
    });

    it('nor to gateways, which could call every pod of the policy on any port', () => {
      const result = translate({ podSelector: {}, ingress: [{ ports: [{ port: 6379 }] }] }, GATEWAY);
      expect(result.host('spec', 'ingress')).toEqual([{ from: [TENANT], ports: [{ port: 6379 }] }]);
    });

    it.each<[string, JsonObject, Overrides, string]>([
      ['left out', { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] }, {}, 'it is left out'],
      ['narrowed', { ingress: [{}] }, {}, 'it becomes the tenant’s own pods'],
      ['narrowed beside gateways', { ingress: [{}] }, GATEWAY, 'it becomes the tenant’s own pods, and gateways where an Ingress leads'],
      ['narrowed to what may be reached', { egress: [{}] }, OPEN, 'it becomes the tenant’s own pods and the internet'],
    ])('and says whether a peer is %s', (_, spec, overrides, now) => {
      const { notes, noteParams } = translate({ podSelector: {}, ...spec }, overrides);
      expect(notes).toEqual(['NetworkPolicyWidens']);
      expect(noteParams[0]?.['now']).toBe(now);
    });

    it('and closes nothing that the profile leaves open', () => {
      const baseline: Overrides = { profile: { level: 'baseline' } };
      for (const from of [undefined, [], [{ ipBlock: { cidr: '0.0.0.0/0' } }], [{ podSelector: {} }, { ipBlock: { cidr: '::/0' } }]]) {
        const result = translate({ podSelector: {}, ingress: [{ ...(from && { from }), ports: [{ port: 80 }] }] }, baseline);
        expect(result.host('spec', 'ingress')).toEqual([{ ports: [{ port: 80 }] }]);
        expect(result.notes).toEqual([]);
      }
      expect(translate({ podSelector: {}, egress: [{}] }, baseline).host('spec', 'egress')).toEqual([{ to: [TENANT] }]);
    });

    it('and reaches the internet where that is open', () => {
      const to = translate({ podSelector: {}, egress: [{}] }, OPEN).host('spec', 'egress', 0, 'to');
      expect(to).toHaveLength(3);
      expect(to).toMatchObject([TENANT, { ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }]);
    });

    it.each<[string, JsonObject[], JsonObject[]]>([
      ['0.0.0.0/0', [{ ipBlock: { cidr: '0.0.0.0/0' } }], [TENANT]],
      ['0.0.0.0/0 beside pods', [{ podSelector: {} }, { ipBlock: { cidr: '0.0.0.0/0', except: [] } }], [OWN, TENANT]],
      ['both families', [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }], [TENANT]],
    ])('though %s, as everyone, includes the pods of the tenant', (_, peers, expected) => {
      const result = translate({ podSelector: {}, ingress: [{ from: peers }], egress: [{ to: peers }] });
      expect(result.host('spec', 'ingress')).toEqual([{ from: expected }]);
      expect(result.host('spec', 'egress')).toEqual([{ to: expected }]);
      expect(new Set(result.notes)).toEqual(new Set(['NetworkPolicyWidens']));
    });

    it.each(['10.0.0.0/8', '192.0.2.0/24'])('from addresses %s', (cidr) => {
      for (const overrides of [{}, OPEN]) {
        const result = translate({ podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr } }, { podSelector: {} }] }] }, overrides);
        expect(result.host('spec', 'ingress')).toEqual([{ from: [OWN] }]);
        expect(result.notes).toEqual(['NetworkPolicyWidens']);
        expect(result.notePaths).toEqual(['spec.ingress[0].from[0]']);
      }
    });
  });

  describe('reaches addresses', () => {
    const to = (block: JsonObject, overrides: Overrides = OPEN): Result =>
      translate({ podSelector: {}, egress: [{ to: [{ ipBlock: block }] }] }, overrides);

    it.each<[string, Overrides]>([
      ['deny-by-default', {}],
      ['allow-same-tenant', { tenant: { egressPolicy: 'allow-same-tenant' } }],
      ['unrestricted and sandboxed', { ...OPEN, profile: { level: 'sandboxed' } }],
    ])('of the internet under no egressPolicy %s', (_, overrides) => {
      const result = to({ cidr: '8.8.8.8/32' }, overrides);
      expect(result.host('spec', 'egress')).toEqual([]);
      expect(result.notes).toEqual(['NetworkPolicyWidens']);
    });

    it.each([
      '10.0.0.0/8',
      '10.1.2.3/32',
      '169.254.169.254/32',
      '127.0.0.1/32',
      'fd00:ec2::254/128',
      'fe80::/64',
      '100.100.100.200/32',
      '::ffff:169.254.169.254/128',
      '::ffff:a00:0/104',
      '64:ff9b::/96',
      '64:ff9b::a9fe:a9fe/128',
      '64:ff9b:1::/64',
    ])('never of the host: %s', (cidr) => {
      expect(to({ cidr }).host('spec', 'egress')).toEqual([]);
      expect(to({ cidr }).notes).toEqual(['NetworkPolicyWidens']);
    });

    it('of IPv4-mapped ranges as of the IPv4 ranges that they are', () => {
      const named: Overrides = { ...OPEN, profile: { network: { hostCIDRs: ['::ffff:203.0.113.0/120'], dnsPeers: [] } } };
      expect(to({ cidr: '::ffff:0:0/96' }, named).host('spec')).toEqual(to({ cidr: '0.0.0.0/0' }, named).host('spec'));
      expect(to({ cidr: '::ffff:203.0.113.0/124' }, named).host('spec', 'egress')).toEqual([]);
      expect(to({ cidr: '::ffff:203.0.112.0/119' }, named).host('spec', 'egress', 0, 'to')).toEqual([
        { ipBlock: { cidr: '203.0.112.0/23', except: ['203.0.113.0/24'] } },
      ]);
    });

    it('never of the ranges that the profile names', () => {
      const named: Overrides = { ...OPEN, profile: { network: { hostCIDRs: ['203.0.113.0/24'], dnsPeers: [] } } };
      expect(to({ cidr: '203.0.113.7/32' }, named).host('spec', 'egress')).toEqual([]);
      expect(to({ cidr: '203.0.112.0/23' }, named).host('spec', 'egress', 0, 'to')).toEqual([
        { ipBlock: { cidr: '203.0.112.0/23', except: ['203.0.113.0/24'] } },
      ]);
    });

    it('of the internet, canonical, with what it leaves out and what we leave out', () => {
      expect(to({ cidr: '8.8.8.9/24' }).host('spec', 'egress', 0, 'to')).toEqual([{ ipBlock: { cidr: '8.8.8.0/24' } }]);
      expect(
        to({ cidr: '192.0.0.0/8', except: ['192.0.2.0/24', '192.168.1.0/24', '192.0.2.0/25'] }).host('spec', 'egress', 0, 'to'),
      ).toEqual([{ ipBlock: { cidr: '192.0.0.0/8', except: ['192.0.0.192/32', '192.0.2.0/24', '192.168.0.0/16'] } }]);
    });

    it.each([
      ['0.0.0.0/0', '169.254.0.0/16'],
      ['::/0', 'fc00::/7'],
    ])('of the tenant and of that family where %s means everyone', (cidr, closed) => {
      const result = to({ cidr }).host('spec', 'egress', 0, 'to');
      expect(result).toEqual([TENANT, { ipBlock: { cidr, except: expect.arrayContaining([closed]) } }]);
    });

    it('with thousands of exceptions, each said once', () => {
      const halves = Array.from({ length: 20_000 }, (_, index) => `20.${Math.floor(index / 256)}.${index % 256}.0/24`);
      const inner = halves.map((range) => range.replace('.0/24', '.128/25'));
      const result = to({ cidr: '20.0.0.0/8', except: [...inner, ...halves, ...halves] }).host(
        'spec',
        'egress',
        0,
        'to',
        0,
        'ipBlock',
        'except',
      );
      expect(result).toEqual([...halves].sort());
    });

    it('but not of the tenant where all addresses have exceptions, which may be its own', () => {
      const result = to({ cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] }).host('spec', 'egress', 0, 'to');
      expect(result).toEqual([{ ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12']) } }]);
    });

    it.each<[string, JsonObject]>([
      ['no range', { cidr: '10.0.0.0' }],
      ['nothing', {}],
      ['an exception outside', { cidr: '8.8.8.0/24', except: ['9.0.0.0/8'] }],
      ['an exception of everything', { cidr: '8.8.8.0/24', except: ['8.8.8.0/24'] }],
    ])('that are %s are refused', (_, block) => {
      expect(to(block).refused).toEqual(['ObjectMalformed']);
    });
  });

  it('keeps its ports: by number, by name, in ranges', () => {
    const ports = [{ port: 80 }, { port: 'http', protocol: 'TCP' }, { port: 8000, endPort: 9000, protocol: 'UDP' }];
    expect(translate({ podSelector: {}, ingress: [{ from: [{ podSelector: {} }], ports }] }).host('spec', 'ingress', 0, 'ports')).toEqual(
      ports,
    );
  });
});
