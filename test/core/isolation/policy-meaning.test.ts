import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileIsolation } from '../../../src/core/isolation/compile.ts';
import { asArray, at, type Json, type JsonObject, objectAt, objectsOf } from '../../../src/core/kube/json.ts';
import { matchesSelector } from '../../../src/core/kube/labels.ts';
import { type KubeObject, labelsOf, namespaceOf } from '../../../src/core/kube/object.ts';
import type { EgressPolicy, Level } from '../../../src/core/plan/settings.ts';
import { networkPolicy } from '../../../src/core/translate/kinds/network-policy.ts';
import { type HostTree, hostTree } from '../../support/host-tree.ts';
import { type Peer, peerOf, reaches } from '../../support/network.ts';
import { translateKind } from '../context.ts';
import { allow, projected, service, subject, tenantContext } from './tenant.ts';

/**
 * Law: between two pods of a tenant, packets pass on the host exactly where they would pass in a cluster of the tenant's own,
 * less what the profile closes; and a gateway reaches exactly what it would there, of what Ingresses lead to. One reader of
 * NetworkPolicies, which knows neither translation nor compilation, judges both sides.
 */
const NAMESPACES = ['shop', 'lab', 'idle'] as const;
const PORTS = [8080, 8443, 9000] as const;

// Some values stand several times, so that policies, pods and the Ingress often meet.
const labels = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'a', 'a', 'b', 'c'));
const selector = fc.oneof(
  { weight: 3, arbitrary: labels.map((matchLabels): JsonObject => ({ matchLabels })) },
  fc
    .record({ key: fc.constantFrom('app', 'tier'), operator: fc.constantFrom('In', 'NotIn'), values: fc.constantFrom(['a'], ['a', 'b']) })
    .map(({ key, operator, values }): JsonObject => ({ matchExpressions: [{ key, operator, values: [...values] }] })),
  fc.constantFrom('Exists', 'DoesNotExist').map((operator): JsonObject => ({ matchExpressions: [{ key: 'tier', operator }] })),
);
const namespaceSelector = fc.constantFrom<JsonObject>(
  {},
  { matchLabels: { team: 'x' } },
  { matchLabels: { 'kubernetes.io/metadata.name': 'lab' } },
  { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
  { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['x'] }] },
);
const peer = fc.oneof(
  selector.map((podSelector): JsonObject => ({ podSelector })),
  namespaceSelector.map((chosen): JsonObject => ({ namespaceSelector: chosen })),
  fc.record({ podSelector: selector, namespaceSelector }).map((both): JsonObject => ({ ...both })),
  fc.constantFrom<JsonObject>(
    { ipBlock: { cidr: '0.0.0.0/0' } },
    { ipBlock: { cidr: '::/0' } },
    { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } },
    { ipBlock: { cidr: '10.0.0.0/8' } },
  ),
);
const port = fc.constantFrom<JsonObject>(
  { port: 8080 },
  { port: 'http' },
  { port: 'tls' },
  { port: 8000, endPort: 8500 },
  { protocol: 'UDP' },
  { protocol: 'TCP' },
);
const rule = (field: 'from' | 'to') =>
  fc
    .record({
      peers: fc.oneof(fc.constant<JsonObject[] | undefined>(undefined), fc.array(peer, { maxLength: 3 })),
      ports: fc.array(port, { maxLength: 2 }),
    })
    .map(({ peers, ports }): JsonObject => ({ ...(peers !== undefined && { [field]: peers }), ...(ports.length > 0 && { ports }) }));
const policy = fc
  .record({
    namespace: fc.constantFrom('shop', 'shop', 'lab'),
    podSelector: selector,
    types: fc.constantFrom<Json[] | undefined>(undefined, ['Ingress'], ['Egress'], ['Ingress', 'Egress']),
    ingress: fc.array(rule('from'), { maxLength: 2 }),
    egress: fc.option(fc.array(rule('to'), { maxLength: 2 }), { nil: undefined }),
  })
  .map(({ namespace, podSelector, types, ingress, egress }) => ({
    namespace,
    spec: { podSelector, ingress, ...(types !== undefined && { policyTypes: types }), ...(egress !== undefined && { egress }) },
  }));
const pod = fc.record({
  namespace: fc.constantFrom('shop', ...NAMESPACES),
  labels: fc.oneof(labels, fc.constantFrom({ app: 'a' }, { app: 'a', tier: 'b' })),
  named: fc.constantFrom<JsonObject[]>([{ name: 'http', containerPort: 8080 }], [{ name: 'tls', containerPort: 8443 }], []),
});
const given = fc.record({
  policies: fc.array(policy, { maxLength: 4 }),
  pods: fc.tuple(pod, pod, pod),
  target: fc.constantFrom<number | string>(8080, 8443, 'http'),
  level: fc.constantFrom<Level>('baseline', 'restricted', 'restricted', 'sandboxed'),
  egressPolicy: fc.constantFrom<EgressPolicy>('deny-by-default', 'allow-same-tenant', 'unrestricted'),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

const object = (apiVersion: string, kind: string, name: string, namespace: string, fields: JsonObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace, ...objectAt(fields, 'metadata') },
  spec: fields['spec'] ?? {},
});
const inNamespace = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { ...(name !== 'idle' && { team: name === 'shop' ? 'x' : 'y' }), 'kubernetes.io/metadata.name': name } },
});
const podOf = (index: number, name: string, own: JsonObject, { namespace, named }: Given['pods'][number]): KubeObject =>
  object('v1', 'Pod', `pod-${index}`, name === '' ? namespace : name, {
    metadata: { labels: own },
    spec: { containers: [{ name: 'main', ports: [...named] }] },
  });
const scope = (virtualNamespace: string): JsonObject => ({
  'tenantplane.io/tenant': 'dev',
  'tenantplane.io/virtual-namespace': virtualNamespace,
});
const statedPolicies = ({ policies }: Given): KubeObject[] =>
  policies.map(({ namespace, spec }, index) => object('networking.k8s.io/v1', 'NetworkPolicy', `p${index}`, namespace, { spec }));

/** What stands on the host. */
function onHost(all: Given): HostTree {
  const policies = statedPolicies(all);
  const ctx = tenantContext({
    profile: { level: all.level, allow: allow({ gatewayNamespaces: ['ingress-nginx'] }) },
    tenant: { egressPolicy: all.egressPolicy },
    subjects: [...NAMESPACES.map(inNamespace), ...policies].map(subject),
  });
  const web = service('web', 'shop', { selector: { app: 'a', ...scope('shop') }, ports: [{ port: 80, targetPort: all.target }] });
  const backend = { service: { name: ctx.hostName('Service', 'shop', 'web').name, port: { number: 80 } } };
  const ingress = object('networking.k8s.io/v1', 'Ingress', 'www', 'shop', { spec: { rules: [{ http: { paths: [{ backend }] } }] } });
  const translated = policies.map((each) => ({ ...each, spec: translateKind(networkPolicy, each, ctx).edit.object['spec'] ?? null }));
  const objects = [...translated, web, ingress].map((each) => projected(ctx, each));
  const pods = all.pods.map((each, index) => podOf(index, 'team-dev', { ...each.labels, ...scope(each.namespace) }, each));
  const compiled = compileIsolation(ctx, [...objects, ...pods]).map((each) => each.object);
  return hostTree([...objects, ...compiled, ...pods]);
}

/** A cluster of the tenant's own, with deny policies for what the profile closes and the TenantCluster does not open. */
function inTenant(all: Given): HostTree {
  const closed = all.egressPolicy !== 'deny-by-default' ? [] : all.level === 'baseline' ? ['Egress'] : ['Ingress', 'Egress'];
  const denied = NAMESPACES.map((name) =>
    object('networking.k8s.io/v1', 'NetworkPolicy', 'deny', name, { spec: { podSelector: {}, policyTypes: closed } }),
  );
  return hostTree([...NAMESPACES.map(inNamespace), ...(closed.length === 0 ? [] : denied), ...tenantPolicies(all), ...tenantPods(all)]);
}
const tenantPods = ({ pods }: Given): KubeObject[] => pods.map((each, index) => podOf(index, '', { ...each.labels }, each));

/** The reader knows no addresses: all of them are written as a missing list, and namespaces are the tenant's. */
function tenantPolicies(all: Given): KubeObject[] {
  return statedPolicies(all).map((stated) => {
    const spec: JsonObject = { ...objectAt(stated, 'spec') };
    for (const [direction, field] of [
      ['ingress', 'from'],
      ['egress', 'to'],
    ] as const) {
      if (spec[direction] !== undefined) spec[direction] = objectsOf(spec[direction]).map((each) => withoutAddresses(each, field));
    }
    return { ...stated, spec };
  });
}
const OWN_NAMESPACE = { key: 'kubernetes.io/metadata.name', operator: 'In', values: [...NAMESPACES] };
function withoutAddresses(rule: JsonObject, field: 'from' | 'to'): JsonObject {
  const { [field]: _peers, ...rest } = rule;
  const peers = objectsOf(rule[field]);
  const everyone = peers.some((each) => String(at(each, 'ipBlock', 'cidr')).endsWith('/0') && at(each, 'ipBlock', 'except') === undefined);
  if (everyone || peers.length === 0) return rest;
  const scoped = peers.map((each): JsonObject => {
    const namespaces = objectAt(each, 'namespaceSelector');
    if (namespaces === undefined) return each;
    return {
      ...each,
      namespaceSelector: { ...namespaces, matchExpressions: [...(asArray(namespaces['matchExpressions']) ?? []), OWN_NAMESPACE] },
    };
  });
  return { ...rest, [field]: scoped };
}

test('between pods of the tenant: for 200 sets of policies, every pair and port', () => {
  const seen = { open: 0, shut: 0 };
  fc.assert(
    fc.property(given, (all) => {
      const [host, tenant] = [onHost(all), inTenant(all)];
      for (const [from, client] of host.pods.entries()) {
        for (const [to, server] of host.pods.entries()) {
          const [ownClient, ownServer] = [tenant.pods[from], tenant.pods[to]];
          if (from === to || ownClient === undefined || ownServer === undefined) continue;
          for (const number of PORTS) {
            const wanted = reaches(tenant, peerOf(ownClient), peerOf(ownServer), number);
            seen[wanted ? 'open' : 'shut'] += 1;
            expect(reaches(host, peerOf(client), peerOf(server), number), `${from} to ${to} port ${number}`).toBe(wanted);
          }
        }
      }
    }),
    { numRuns: 200 },
  );
  expect(Math.min(seen.open, seen.shut)).toBeGreaterThan(300);
});

test('from a gateway: for 200 sets of policies, every pod and port', () => {
  const gateway: Peer = { namespace: 'ingress-nginx', labels: new Map() };
  const seen = { open: 0, shut: 0 };
  fc.assert(
    fc.property(given, (all) => {
      const host = onHost(all);
      // What the tenant's own policies say, whatever egressPolicy closes: a gateway has an allowance of its own.
      const tenant = hostTree([...NAMESPACES.map(inNamespace), ...tenantPolicies(all), ...tenantPods(all)]);
      for (const [index, server] of host.pods.entries()) {
        const own = tenant.pods[index];
        if (own === undefined) continue;
        for (const number of PORTS) {
          const behind =
            namespaceOf(own.owner) === 'shop' &&
            matchesSelector({ matchLabels: { app: 'a' } }, labelsOf(own.owner)) &&
            (all.target === number || (all.target === 'http' && number === 8080 && hasHttp(own.spec)));
          const wanted = (all.level === 'baseline' || behind) && reaches(tenant, gateway, peerOf(own), number);
          seen[wanted ? 'open' : 'shut'] += 1;
          expect(reaches(host, gateway, peerOf(server), number), `pod ${index} port ${number}`).toBe(wanted);
        }
      }
    }),
    { numRuns: 200 },
  );
  expect(Math.min(seen.open, seen.shut)).toBeGreaterThan(100);
});

const hasHttp = (spec: JsonObject): boolean => JSON.stringify(spec).includes('"http"');
