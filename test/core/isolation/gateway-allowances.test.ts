import { describe, expect, test } from 'vitest';
import { MAX_TERMS } from '../../../src/core/isolation/complement.ts';
import { compileNetworkPolicies } from '../../../src/core/isolation/network-policies.ts';
import { unreachableNotes } from '../../../src/core/isolation/unreachable.ts';
import { at, type JsonObject, objectsOf } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../../src/core/kube/object.ts';
import type { TenantContext } from '../../../src/core/plan/tenant-context.ts';
import { networkPolicy } from '../../../src/core/translate/kinds/network-policy.ts';
import { translateKind } from '../context.ts';
import { allow, projected, service, subject, tenantContext } from './tenant.ts';

const SCOPE = { 'tenantplane.io/tenant': 'dev', 'tenantplane.io/virtual-namespace': 'shop' };
const FROM = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }];

interface Given {
  /** the tenant's own policies, as it wrote them; of namespace `shop` */
  readonly policies?: readonly JsonObject[];
  readonly services?: readonly KubeObject[];
  /** Services and ports that an Ingress leads to */
  readonly backends?: readonly JsonObject[];
  readonly others?: readonly KubeObject[];
  readonly level?: 'baseline' | 'restricted';
}

const onHost = (name: string, targetPort: number | string = 8080, selector: JsonObject = { app: name }): KubeObject =>
  service(name, 'shop', { selector: { ...selector, ...SCOPE }, ports: [{ name: 'http', port: 80, targetPort }] });
const deployment = (app: string, ports: readonly JsonObject[], labels: JsonObject = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `${app}-${ports.length}`, namespace: 'shop' },
  spec: { template: { metadata: { labels: { app, ...labels, ...SCOPE } }, spec: { containers: [{ name: app, ports: [...ports] }] } } },
});

function tenant({ policies = [], services = [onHost('web')], backends, others = [], level = 'restricted' }: Given): {
  ctx: TenantContext;
  objects: KubeObject[];
} {
  const stated = policies.map((spec, index): KubeObject => {
    const metadata = { name: `p${index}`, namespace: 'shop' };
    return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec };
  });
  const profile = { level, allow: allow({ gatewayNamespaces: ['ingress-nginx'] }) };
  const ctx = tenantContext({ profile, subjects: stated.map(subject) });
  const paths = (backends ?? [{ name: 'web', port: { number: 80 } }]).map((backend) => {
    const name = ctx.hostName('Service', 'shop', String(backend['name'])).name;
    return { path: '/', pathType: 'Prefix', backend: { service: { ...backend, name } } };
  });
  const ingress: KubeObject = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'www', namespace: 'shop' },
    spec: { rules: [{ http: { paths } }] },
  };
  const translated = stated.map((policy) => ({ ...policy, spec: translateKind(networkPolicy, policy, ctx).edit.object['spec'] ?? null }));
  return { ctx, objects: [...translated, ...services, ...others, ingress].map((object) => projected(ctx, object)) };
}

/** The pods and ports that gateways may call, of all NetworkPolicies that there are. */
function gatewayRules(given: Given): { pods: unknown; ports: unknown }[] {
  const { ctx, objects } = tenant(given);
  const policies = [...objects.filter((object) => kindOf(object) === 'NetworkPolicy'), ...compiled(given)];
  expect(ctx.profile.allow.gatewayNamespaces).toEqual(['ingress-nginx']);
  return policies.flatMap((policy) =>
    objectsOf(at(policy, 'spec', 'ingress')).flatMap((rule) =>
      JSON.stringify(rule['from']).includes('ingress-nginx')
        ? [{ pods: at(policy, 'spec', 'podSelector'), from: rule['from'], ports: rule['ports'] }]
        : [],
    ),
  );
}

function compiled(given: Given): KubeObject[] {
  const { ctx, objects } = tenant(given);
  return compileNetworkPolicies(ctx, objects).map(({ object }) => object);
}
const names = (given: Given): string[] =>
  compiled(given)
    .map(nameOf)
    .filter((name) => name.includes('gateway'));
const shut = (given: Given): Readonly<Record<string, string>>[] => {
  const { ctx, objects } = tenant(given);
  return unreachableNotes(ctx, objects).flatMap(({ reason, params }) => (reason === 'GatewayShutOut' ? [params] : []));
};

const tcp = (...ports: (number | string)[]) => ports.map((port) => ({ protocol: 'TCP', port }));
const pods = (labels: JsonObject, ports: JsonObject[], more: JsonObject = {}) => ({
  pods: { matchLabels: { ...labels, ...SCOPE }, ...more },
  from: FROM,
  ports,
});
const WEB = { podSelector: { matchLabels: { app: 'web' } } };

describe('gateways', () => {
  test.each([{ number: 80 }, { name: 'http' }])('call the pods behind an Ingress, on its port, and no others (%j)', (port) => {
    const services = [onHost('web'), onHost('db', 'http')];
    expect(gatewayRules({ services, backends: [{ name: 'web', port }] })).toEqual([pods({ app: 'web' }, tcp(8080))]);
  });

  test('call pods of each Service on its own ports only', () => {
    const services = [onHost('web'), onHost('api', 'http'), onHost('admin', 9000, { app: 'web' })];
    const backends = ['web', 'api', 'admin'].map((name) => ({ name, port: { number: 80 } }));
    expect(gatewayRules({ services, backends })).toEqual([pods({ app: 'api' }, tcp('http')), pods({ app: 'web' }, tcp(8080, 9000))]);
  });

  test('get nothing without an Ingress, for a Service that is not there, or for one whose pods nobody names', () => {
    expect(names({ backends: [] })).toEqual([]);
    expect(names({ backends: [{ name: 'gone', port: { number: 80 } }] })).toEqual([]);
    expect(names({ services: [service('web', 'shop', { selector: {} })] })).toEqual([]);
  });

  test('get no policy where ingress is open anyway and an allowance would close it', () => {
    expect(names({ level: 'baseline' })).toEqual([]);
    expect(names({ level: 'baseline', policies: [{ podSelector: {}, ingress: [{}] }] })).toEqual([]);
  });

  test('keep the name of what they may call when ports, other Services and other policies change', () => {
    const [name] = names({});
    expect(names({ services: [onHost('web', 9090)] })).toEqual([name]);
    expect(names({ policies: [{ podSelector: { matchLabels: { app: 'db' } } }] })).toEqual([name]);
    const backends = ['web', 'api'].map((each) => ({ name: each, port: { number: 80 } }));
    expect(names({ services: [onHost('web'), onHost('api')], backends })).toContain(name);
    expect(names({ policies: [{ podSelector: {}, ingress: [{}] }] })).toEqual([name]);
  });
});

describe('beside NetworkPolicies of the tenant, gateways', () => {
  test('call the pods behind the Ingress that no policy selects', () => {
    const policies = [{ podSelector: { matchLabels: { tier: 'old' } } }, { podSelector: { matchLabels: { app: 'db' } } }];
    expect(gatewayRules({ policies })).toEqual([
      pods({ app: 'web' }, tcp(8080), { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['old'] }] }),
    ]);
  });

  test('are shut out as in Kubernetes by a policy that does not admit everyone, and that is said', () => {
    for (const ingress of [[], [{ from: [{ podSelector: {} }] }], [{ from: [{ ipBlock: { cidr: '192.0.2.0/24' } }] }]]) {
      expect(gatewayRules({ policies: [{ ...WEB, ingress }] })).toEqual([]);
      expect(shut({ policies: [{ ...WEB, ingress }] })).toEqual([{ service: 'shop/web', why: expect.stringContaining('none is known') }]);
    }
    expect(shut({})).toEqual([]);
    expect(shut({ policies: [{ ...WEB, ingress: [{}] }] })).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ['names nobody', {}],
    ['names all addresses', { from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }],
    ['names all addresses beside pods', { from: [{ podSelector: {} }, { ipBlock: { cidr: '::/0' } }] }],
  ])('are not cut off by a rule that %s, and reach no more by it than the Ingress leads to', (_, rule) => {
    const services = [onHost('web'), onHost('redis', 6379)];
    expect(gatewayRules({ services, policies: [{ podSelector: {}, ingress: [rule] }] })).toEqual([pods({ app: 'web' }, tcp(8080))]);
  });

  test('reach nothing by a rule for ports or pods that no Ingress leads to', () => {
    expect(gatewayRules({ policies: [{ podSelector: {}, ingress: [{ ports: [{ port: 6379 }] }] }] })).toEqual([]);
    const redis = { podSelector: { matchLabels: { app: 'redis' } }, ingress: [{ ports: [{ port: 6379 }] }] };
    expect(gatewayRules({ policies: [redis] })).toEqual([pods({ app: 'web' }, tcp(8080))]);
  });

  test('reach the pods of the policy that admits everyone, not others behind the same Service', () => {
    const open = { podSelector: { matchLabels: { tier: 'new' } }, ingress: [{}] };
    expect(gatewayRules({ policies: [{ podSelector: {} }, open] })).toEqual([pods({ app: 'web', tier: 'new' }, tcp(8080))]);
  });

  test('read nothing from rules that the policy’s types leave out', () => {
    expect(gatewayRules({ policies: [WEB, { ...WEB, policyTypes: ['Egress'], ingress: [{}] }] })).toEqual([]);
  });

  const web = (...ports: JsonObject[]) => deployment('web', ports);
  const http = (containerPort: number) => ({ name: 'http', containerPort });
  test.each<[string, number | string, JsonObject[], KubeObject[], boolean | string]>([
    ['the same number', 8080, [{ port: 8080 }], [], true],
    ['another number', 8080, [{ port: 8081 }], [], false],
    ['a range around it', 8080, [{ port: 8000, endPort: 8080 }], [], true],
    ['a range beside it', 8080, [{ port: 8000, endPort: 8079 }], [], false],
    ['another protocol', 8080, [{ port: 8080, protocol: 'UDP' }], [], false],
    ['a protocol alone', 8080, [{ protocol: 'TCP' }], [], true],
    ['one port of several', 8080, [{ port: 'metrics' }, { port: 8080 }], [], true],
    ['no port, which is every port', 8080, [], [], true],
    ['the same name', 'http', [{ port: 'http' }], [], true],
    ['the number that a name stands for', 'http', [{ port: 8080 }], [web(http(8080))], true],
    ['a name for the number, in pods that have it', 8080, [{ port: 'http' }], [web(http(8080)), web()], 'http'],
    ['a name for the number, and the number', 8080, [{ port: 'http' }, { port: 8080 }], [web(http(8080)), web()], true],
    ['another name for the same number', 'http', [{ port: 'web' }], [web(http(8080), { name: 'web', containerPort: 8080 })], false],
    ['another number than the name stands for', 'http', [{ port: 8080 }], [web(http(9090))], false],
    ['a number where nobody knows the pods', 'http', [{ port: 8080 }], [], false],
    ['a number that the name stands for in some pods', 'http', [{ port: 8080 }], [web(http(8080)), web(http(9090), {})], false],
    ['the number of other pods', 'http', [{ port: 8080 }], [deployment('db', [http(8080)])], false],
  ])('on the port of the Ingress, by a rule for %s', (_, target, ports, others, reached) => {
    const given = { services: [onHost('web', target)], policies: [{ ...WEB, ingress: [{ ports }] }], others };
    expect(gatewayRules(given)).toEqual(reached === false ? [] : [pods({ app: 'web' }, tcp(reached === true ? target : reached))]);
    expect(shut(given)).toHaveLength(reached ? 0 : 1);
  });

  test('get nothing of a Service whose open pods take too many selectors to say, and that is said', () => {
    const policies = Array.from({ length: MAX_TERMS + 1 }, (_, index) => ({
      podSelector: { matchLabels: { app: 'web', tier: `t${index}` } },
      ingress: [{}],
    }));
    expect(gatewayRules({ policies })).toEqual([]);
    expect(shut({ policies })).toEqual([{ service: 'shop/web', why: expect.stringContaining(String(MAX_TERMS)) }]);
    expect(gatewayRules({ policies: [...policies, { ...WEB, ingress: [{}] }] })).toEqual([pods({ app: 'web' }, tcp(8080))]);
  });
});
