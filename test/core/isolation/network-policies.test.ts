import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_COMPARED } from '../../../src/core/isolation/admitted-calls.ts';
import { MAX_TERMS } from '../../../src/core/isolation/complement.ts';
import { compileNetworkPolicies } from '../../../src/core/isolation/network-policies.ts';
import { internetPeers } from '../../../src/core/isolation/peers.ts';
import { unreachableNotes } from '../../../src/core/isolation/unreachable.ts';
import { contains, parseCidr } from '../../../src/core/kube/cidr.ts';
import { asArray, at, type JsonObject, objectAt, objectsOf } from '../../../src/core/kube/json.ts';
import { matchesSelector } from '../../../src/core/kube/labels.ts';
import { type KubeObject, nameOf } from '../../../src/core/kube/object.ts';
import type { EgressPolicy, Level } from '../../../src/core/plan/settings.ts';
import type { TenantContext } from '../../../src/core/plan/tenant-context.ts';
import { scopedSelector } from '../../../src/core/translate/selectors.ts';
import { named, projected, service, tenantContext } from './tenant.ts';

const short = (objects: readonly { object: KubeObject }[]) =>
  objects.map(({ object }) => `${nameOf(object).replace('tenantplane-', '')} ${asArray(at(object, 'spec', 'policyTypes'))?.join('+')}`);

const BASE = (deny: string) => [`default-deny ${deny}`, 'allow-dns Egress', 'allow-tenant-api Egress'];
const BOTH = 'Ingress+Egress';

describe('NetworkPolicies of level and egressPolicy', () => {
  test.each<[Level, EgressPolicy, string[]]>([
    ['baseline', 'deny-by-default', BASE('Egress')],
    ['baseline', 'allow-same-tenant', [...BASE('Egress'), 'allow-same-tenant Egress']],
    ['baseline', 'unrestricted', [...BASE('Egress'), 'allow-same-tenant Egress', 'allow-egress-internet Egress']],
    ['restricted', 'deny-by-default', BASE(BOTH)],
    ['restricted', 'allow-same-tenant', [...BASE(BOTH), `allow-same-tenant ${BOTH}`]],
    ['restricted', 'unrestricted', [...BASE(BOTH), `allow-same-tenant ${BOTH}`, 'allow-egress-internet Egress']],
    ['sandboxed', 'deny-by-default', BASE(BOTH)],
    ['sandboxed', 'allow-same-tenant', [...BASE(BOTH), `allow-same-tenant ${BOTH}`]],
    ['sandboxed', 'unrestricted', [...BASE(BOTH), `allow-same-tenant ${BOTH}`]],
  ])('%s with %s', (level, egressPolicy, expected) => {
    expect(short(compileNetworkPolicies(tenantContext({ profile: { level }, tenant: { egressPolicy } }), []))).toEqual(expected);
  });

  test('baseline that denies by default is closed both ways', () => {
    const ctx = tenantContext({ profile: { level: 'baseline', defaultDeny: true }, tenant: { egressPolicy: 'allow-same-tenant' } });
    expect(short(compileNetworkPolicies(ctx, []))).toEqual([...BASE(BOTH), `allow-same-tenant ${BOTH}`]);
  });

  test('egress that is closed although the profile does not deny by default is the TenantCluster’s doing', () => {
    const [deny] = compileNetworkPolicies(tenantContext({ profile: { level: 'baseline' } }), []);
    expect(deny?.cause).toBe('TenantCluster/dev#networking.egressPolicy');
  });

  test('pods that ask a DNS of their own do not reach the host’s, where they could ask for anybody', () => {
    const ctx = tenantContext({ tenant: { dns: 'server', dnsServiceIP: '10.96.0.53' } });
    expect(short(compileNetworkPolicies(ctx, []))).toEqual([`default-deny ${BOTH}`, 'allow-tenant-api Egress']);
  });

  test('DNS goes to the servers that the profile names, on the pods’ own port', () => {
    const dnsPeers = [{ namespace: 'openshift-dns', podLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' }, port: 5353 }];
    const policies = compileNetworkPolicies(tenantContext({ profile: { network: { hostCIDRs: [], dnsPeers } } }), []);
    expect(at(named(policies, 'NetworkPolicy', 'tenantplane-allow-dns'), 'spec', 'egress')).toEqual([
      {
        to: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } },
            podSelector: { matchLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' } },
          },
        ],
        ports: [
          { protocol: 'UDP', port: 5353 },
          { protocol: 'TCP', port: 5353 },
        ],
      },
    ]);
  });
});

describe('internet egress', () => {
  const peer = (hostCIDRs: readonly string[], index: number) => objectAt(internetPeers(hostCIDRs)[index], 'ipBlock');
  const excepts = (hostCIDRs: readonly string[], index: number) => asArray(peer(hostCIDRs, index)?.['except']) ?? [];

  test.each(['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', '10.0.0.1', '::1'])(
    'never reaches %s, a metadata server or a private address',
    (address) => {
      const target = parseCidr(`${address}/${address.includes(':') ? 128 : 32}`);
      const all = [...excepts([], 0), ...excepts([], 1)].map((text) => parseCidr(String(text)));
      expect(all.some((range) => range !== undefined && target !== undefined && contains(range, target))).toBe(true);
    },
  );

  test('leaves out the host’s ranges, canonical and none inside another', () => {
    expect(excepts(['203.0.113.77/24', '203.0.113.0/28', '10.96.0.0/12', '2001:DB8::1/48'], 0)).toContain('203.0.113.0/24');
    expect(excepts(['203.0.113.77/24', '203.0.113.0/28'], 0)).not.toContain('203.0.113.0/28');
    expect(excepts(['10.96.0.0/12'], 0)).not.toContain('10.96.0.0/12');
    expect(excepts(['2001:DB8::1/48'], 1)).toContain('2001:db8::/48');
  });

  test('has every exception inside its range, or the API server refuses the policy', () => {
    for (const index of [0, 1]) {
      const outer = parseCidr(String(peer([], index)?.['cidr']));
      for (const text of excepts([], index)) {
        const inner = parseCidr(String(text));
        expect(outer !== undefined && inner !== undefined && inner.prefix > outer.prefix && contains(outer, inner)).toBe(true);
      }
    }
  });

  test('is closed where a range of the host cannot be read, and per family where the host has all of it', () => {
    expect(internetPeers(['10.0.0.0/99'])).toEqual([]);
    expect(internetPeers(['0.0.0.0/0']).map((entry) => at(entry, 'ipBlock', 'cidr'))).toEqual(['::/0']);
  });
});

describe('callers that nothing admits', () => {
  /** as the planner asks: with everything that stands in the tenant's namespace, our own policies included */
  const denied = (ctx: TenantContext, objects: readonly KubeObject[]) =>
    unreachableNotes(ctx, [...objects, ...compileNetworkPolicies(ctx, objects).map(({ object }) => object)]).map(
      ({ params }) => params['what'],
    );

  test('of the tenant’s own Services are named, not found out by timeouts', () => {
    const ctx = tenantContext();
    const objects = [projected(ctx, service('web', 'shop')), projected(ctx, service('db', 'shop'))];
    expect(denied(ctx, objects)).toEqual(['calls from the tenant’s pods to its Services shop/db, shop/web']);
    expect(denied(tenantContext({ tenant: { egressPolicy: 'allow-same-tenant' } }), objects)).toEqual([]);
    // A name elsewhere is no pod of the tenant's.
    const elsewhere = projected(ctx, service('mail', 'shop', { type: 'ExternalName', externalName: 'mail.example' }));
    expect(denied(ctx, [...objects, elsewhere])).toEqual(['calls from the tenant’s pods to its Services shop/db, shop/web']);
    expect(denied(ctx, [elsewhere])).toEqual([]);
  });

  describe('with policies of the tenant’s own, under deny-by-default', () => {
    const own = (ctx: TenantContext, namespace: string, policies: readonly JsonObject[]) =>
      policies.map((spec, index) =>
        projected(ctx, { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: `p${index}`, namespace }, spec }),
      );
    const pods = (app: string, namespace = 'shop'): JsonObject =>
      scopedSelector({ matchLabels: { app } }, tenantContext(), namespace, [namespace]);
    const out = (from: string, to: string, more: JsonObject = {}): JsonObject => ({
      podSelector: pods(from),
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: pods(to) }], ...more }],
    });
    const into = (to: string, from: string, more: JsonObject = {}): JsonObject => ({
      podSelector: pods(to),
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: pods(from) }], ...more }],
    });
    const DB = ['calls from the tenant’s pods to its Services shop/db'];
    const NONE: string[] = [];

    test.each<[string, JsonObject[], string[], Level?]>([
      ['both halves of a call are admitted', [out('web', 'db'), into('db', 'web')], NONE],
      ['it may leave, and may not come in', [out('web', 'db')], DB],
      ['it may come in, and may not leave', [into('db', 'web')], DB],
      ['at baseline it only has to leave', [out('web', 'db')], NONE, 'baseline'],
      ['another pod is called', [out('web', 'api'), into('db', 'web')], DB],
      ['one pod may call, and another one is let in', [out('web', 'db'), into('db', 'api')], DB],
      [
        'the caller is of another namespace',
        [out('web', 'db'), { ...into('db', 'web'), ingress: [{ from: [{ podSelector: pods('web', 'lab') }] }] }],
        DB,
      ],
      ['the port is another one', [out('web', 'db', { ports: [{ port: 9090 }] }), into('db', 'web')], DB],
      [
        'the port is one of a range',
        [out('web', 'db', { ports: [{ port: 8000, endPort: 9000 }] }), into('db', 'web', { ports: [{ port: 8080 }] })],
        NONE,
      ],
      [
        'the halves are for different ports',
        [out('web', 'db', { ports: [{ port: 8080 }] }), into('db', 'web', { ports: [{ port: 9090 }] })],
        DB,
      ],
      ['the protocol is another one', [out('web', 'db', { ports: [{ protocol: 'UDP' }] }), into('db', 'web')], DB],
      ['a name may be the port', [out('web', 'db', { ports: [{ port: 'http' }] }), into('db', 'web')], NONE],
      [
        'addresses are no pods',
        [{ ...out('web', 'db'), egress: [{ to: [{ ipBlock: { cidr: '198.51.100.0/24' } }] }] }, into('db', 'web')],
        DB,
      ],
      [
        'its labels may be more than the Service says',
        [out('web', 'db'), { ...into('db', 'web'), podSelector: { matchExpressions: [{ key: 'x', operator: 'Exists' }] } }],
        NONE,
      ],
    ])('%s', (_, policies, expected, level = 'restricted') => {
      const ctx = tenantContext({ profile: { level } });
      const db = projected(
        ctx,
        service('db', 'shop', { selector: { app: 'db', 'tenantplane.io/tenant': 'dev', 'tenantplane.io/virtual-namespace': 'shop' } }),
      );
      expect(denied(ctx, [db, ...own(ctx, 'shop', policies)])).toEqual(expected);
    });
  });

  test('of so many Services and rules that nobody would wait for an answer are not looked for', () => {
    const ctx = tenantContext({ profile: { level: 'baseline' } });
    const many = Array.from({ length: 101 }, (_, index) => projected(ctx, service(`s${index}`, 'shop')));
    const egress = Array.from({ length: Math.ceil(MAX_COMPARED / 100) }, () => ({ to: [{ podSelector: { matchLabels: { app: 'x' } } }] }));
    const metadata = { name: 'p', namespace: 'shop' };
    const rules = projected(ctx, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata,
      spec: { podSelector: {}, egress },
    });
    expect(denied(ctx, [...many.slice(0, 2), rules])).toHaveLength(1);
    expect(denied(ctx, [...many, rules]).join()).not.toContain('s99');
  });

  test('from outside are named where a Service or an Ingress expects them', () => {
    const ctx = tenantContext({ tenant: { egressPolicy: 'allow-same-tenant' } });
    const exposed = projected(ctx, service('web', 'shop', { type: 'LoadBalancer' }));
    const ingress = projected(ctx, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'www', namespace: 'shop' },
      spec: {},
    });
    expect(denied(ctx, [exposed, ingress])).toEqual([
      'calls from outside the cluster to shop/web',
      'calls from the ingress controller for shop/www',
    ]);
    expect(denied(tenantContext({ profile: { level: 'baseline' }, tenant: { egressPolicy: 'allow-same-tenant' } }), [exposed])).toEqual([]);
  });
});

/** What policies say of one pod and one direction; `undefined` where none selects it, so that everything is open. */
function admitted(
  policies: readonly KubeObject[],
  direction: 'Ingress' | 'Egress',
  pod: Pod,
  other: Pod,
  role: string,
): boolean | undefined {
  const mine = policies.filter(
    (policy) =>
      asArray(at(policy, 'spec', 'policyTypes'))?.includes(direction) &&
      matchesSelector(objectAt(policy, 'spec', 'podSelector') ?? {}, pod),
  );
  if (mine.length === 0) return undefined;
  const [rules, peers] = direction === 'Ingress' ? (['ingress', 'from'] as const) : (['egress', 'to'] as const);
  return mine.some((policy) =>
    objectsOf(at(policy, 'spec', rules)).some((rule) =>
      objectsOf(rule[peers]).some((peer) => {
        const namespace = objectAt(peer, 'namespaceSelector');
        if (namespace !== undefined && objectAt(namespace, 'matchLabels')?.['tenantplane.io/role'] !== role) return false;
        return matchesSelector(objectAt(peer, 'podSelector') ?? {}, other);
      }),
    ),
  );
}
type Pod = ReadonlyMap<string, string>;

describe('a tenant’s own NetworkPolicies', () => {
  const ctx = tenantContext({ tenant: { egressPolicy: 'allow-same-tenant' } });
  const labels = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b', 'c'));
  const pod = fc.record({ labels, namespace: fc.constantFrom('shop', 'lab', 'idle') });
  const selector: fc.Arbitrary<JsonObject> = fc.oneof(
    labels.map((matchLabels): JsonObject => ({ matchLabels })),
    fc
      .record({ key: fc.constantFrom('app', 'tier'), operator: fc.constantFrom('In', 'NotIn'), values: fc.constantFrom(['a'], ['a', 'b']) })
      .map((expression): JsonObject => ({ matchExpressions: [{ ...expression, values: [...expression.values] }] })),
  );
  type Policy = { namespace: string; podSelector: JsonObject; peer: JsonObject; policyTypes: string[] };
  const policy: fc.Arbitrary<Policy> = fc.record({
    namespace: fc.constantFrom('shop', 'lab'),
    podSelector: selector,
    peer: selector,
    policyTypes: fc.constantFrom(['Ingress'], ['Egress'], ['Ingress', 'Egress']),
  });

  const scope = (chosen: JsonObject, namespace: string) => scopedSelector(chosen, ctx, namespace, [namespace]);
  const hostPolicy = ({ namespace, podSelector, peer, policyTypes }: Policy, index: number): KubeObject =>
    projected(ctx, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: `p${index}`, namespace },
      spec: {
        podSelector: scope(podSelector, namespace),
        policyTypes,
        ingress: [{ from: [{ podSelector: scope(peer, namespace) }] }],
        egress: [{ to: [{ podSelector: scope(peer, namespace) }] }],
      },
    });
  const hostPod = (given: { labels: Record<string, string>; namespace: string }): Pod =>
    new Map(Object.entries({ ...given.labels, 'tenantplane.io/tenant': 'dev', 'tenantplane.io/virtual-namespace': given.namespace }));

  test('mean on the host what they mean in the tenant, for any pods and policies', () => {
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 5 }), pod, pod, (policies, from, to) => {
        const theirs = policies.map(hostPolicy);
        const compiled = compileNetworkPolicies(ctx, theirs);
        if (compiled.some(({ notes }) => notes.some(({ reason }) => reason === 'AllowancesTooComplex'))) return;
        const [a, b] = [hostPod(from), hostPod(to)];
        const onHost = [...theirs, ...compiled.map(({ object }) => object)];
        for (const direction of ['Ingress', 'Egress'] as const) {
          const [subjectPod, other] = direction === 'Ingress' ? [b, a] : [a, b];
          const inTenant = admitted(theirs, direction, subjectPod, other, 'workload') ?? true;
          expect(admitted(onHost, direction, subjectPod, other, 'workload')).toBe(inTenant);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('never open what the TenantCluster does not: without policies of their own pods stay closed at deny-by-default', () => {
    const compiled = compileNetworkPolicies(tenantContext(), []).map(({ object }) => object);
    const [a, b] = [hostPod({ labels: {}, namespace: 'shop' }), hostPod({ labels: {}, namespace: 'shop' })];
    expect(admitted(compiled, 'Egress', a, b, 'workload')).toBe(false);
    expect(admitted(compiled, 'Ingress', b, a, 'workload')).toBe(false);
  });

  test('keep DNS and the tenant API for the pods they select', () => {
    const theirs = [
      hostPolicy({ namespace: 'shop', podSelector: {}, peer: { matchLabels: { app: 'none' } }, policyTypes: ['Ingress', 'Egress'] }, 0),
    ];
    const compiled = compileNetworkPolicies(ctx, theirs);
    for (const name of ['tenantplane-allow-dns', 'tenantplane-allow-tenant-api']) {
      expect(at(named(compiled, 'NetworkPolicy', name), 'spec', 'podSelector')).toEqual({});
    }
  });

  test('past the limit leave their pods without allowance, with a warning, and others as they were', () => {
    const theirs = Array.from({ length: MAX_TERMS }, (_, index) =>
      hostPolicy(
        { namespace: 'shop', podSelector: { matchLabels: { app: `a${index}`, tier: `t${index}` } }, peer: {}, policyTypes: ['Ingress'] },
        index,
      ),
    );
    const compiled = compileNetworkPolicies(ctx, theirs);
    const notes = compiled.flatMap((entry) => entry.notes).filter(({ reason }) => reason === 'AllowancesTooComplex');
    expect(notes).toEqual([{ reason: 'AllowancesTooComplex', params: { direction: 'Ingress', namespace: 'shop', limit: '64' } }]);
    const objects = [...theirs, ...compiled.map(({ object }) => object)];
    const [shop, lab] = [hostPod({ labels: {}, namespace: 'shop' }), hostPod({ labels: {}, namespace: 'lab' })];
    expect(admitted(objects, 'Ingress', shop, lab, 'workload')).toBe(false);
    expect(admitted(objects, 'Ingress', lab, shop, 'workload')).toBe(true);
  });
});
