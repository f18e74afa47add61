import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { aliasObstacle, isAliasable } from '../../../../src/core/translate/kinds/service.ts';
import { type Overrides, testSubject } from '../../context.ts';
import { make, ownLabels, type Result, run } from './kind.ts';

const service = (spec: JsonObject, name = 'web') => make('v1', 'Service', name, { spec });
const translate = (spec: JsonObject, overrides: Overrides = {}): Result => run('Service', service(spec), overrides);
const PLAIN: JsonObject = { selector: { app: 'web' }, ports: [{ port: 80 }] };

describe('a Service', () => {
  it('does not select pods of other tenants or of another virtual namespace', () => {
    expect(translate(PLAIN).host('spec', 'selector')).toEqual({ app: 'web', ...ownLabels() });
  });

  it.each([
    ['absent', {}, undefined],
    ['null', { selector: null }, null],
    ['empty', { selector: {} }, {}],
  ])('whose selector is %s does not become one that selects', (_, spec: JsonObject, selector) => {
    const result = translate({ ports: [{ port: 80 }], ...spec }, { allow: { selectorlessServices: true } });
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'selector')).toEqual(selector);
  });

  it.each<[string, JsonObject]>([
    ['absent', {}],
    ['null', { selector: null }],
    ['empty', { selector: {} }],
    ['empty and headless', { selector: {}, clusterIP: 'None' }],
  ])('without a selector (%s) points nowhere unless the profile allows it', (_, spec) => {
    expect(translate({ ports: [{ port: 80 }], ...spec }).refused).toEqual(['SelectorlessServiceBlocked']);
  });

  it.each(['LoadBalancer', 'NodePort'] as const)('of type %s is refused without an opt-in for that very type', (type) => {
    expect(translate({ ...PLAIN, type }).refused).toEqual(['ServiceTypeBlocked']);
    expect(translate({ ...PLAIN, type }).params[0]).toEqual({ type, profile: 'restricted', allowed: 'none' });
    const other = type === 'NodePort' ? 'LoadBalancer' : 'NodePort';
    expect(translate({ ...PLAIN, type }, { allow: { serviceTypes: [other] } }).refused).toEqual(['ServiceTypeBlocked']);
    expect(translate({ ...PLAIN, type }, { allow: { serviceTypes: [type] } }).refused).toEqual([]);
  });

  it('of an unknown type is refused', () => {
    expect(translate({ ...PLAIN, type: 'Anycast' }).refused).toEqual(['ObjectMalformed']);
  });

  it('behind a load balancer opens no port on every node', () => {
    const spec = { ...PLAIN, type: 'LoadBalancer', allocateLoadBalancerNodePorts: true };
    expect(translate(spec, { allow: { serviceTypes: ['LoadBalancer'] } }).host('spec', 'allocateLoadBalancerNodePorts')).toBe(false);
    expect(translate(spec, { allow: { serviceTypes: ['LoadBalancer', 'NodePort'] } }).host('spec', 'allocateLoadBalancerNodePorts')).toBe(
      true,
    );
  });

  it('takes over no address of others (CVE-2020-8554)', () => {
    expect(translate({ ...PLAIN, externalIPs: ['1.1.1.1'] }).refused).toEqual(['ExternalIPsBlocked']);
    expect(translate({ ...PLAIN, externalIPs: [] }).refused).toEqual([]);
    expect(translate({ ...PLAIN, externalIPs: '1.1.1.1' }).refused).toContain('ExternalIPsBlocked');
  });

  it('does not pin what the host allocates: addresses, families, node ports', () => {
    const result = translate(
      {
        ...PLAIN,
        type: 'LoadBalancer',
        clusterIP: '10.96.0.10',
        clusterIPs: ['10.96.0.10'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'PreferDualStack',
        healthCheckNodePort: 30001,
        loadBalancerIP: '192.0.2.1',
        ports: [{ port: 80, nodePort: 30002, name: 'http' }, { port: 81 }],
      },
      { allow: { serviceTypes: ['LoadBalancer', 'NodePort'] } },
    );
    expect(result.host('spec')).toEqual({
      type: 'LoadBalancer',
      selector: { app: 'web', ...ownLabels() },
      ports: [{ port: 80, name: 'http' }, { port: 81 }],
    });
  });

  it('that is headless stays headless', () => {
    expect(translate({ ...PLAIN, clusterIP: 'None', clusterIPs: ['None'] }).host('spec', 'clusterIP')).toBe('None');
    expect(translate({ ...PLAIN, clusterIP: 'None', clusterIPs: ['None'] }).host('spec', 'clusterIPs')).toBeUndefined();
  });

  it('keeps what means the same on the host', () => {
    const kept = {
      trafficDistribution: 'PreferClose',
      internalTrafficPolicy: 'Local',
      externalTrafficPolicy: 'Local',
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } },
      publishNotReadyAddresses: true,
      loadBalancerClass: 'example.com/lb',
      loadBalancerSourceRanges: ['192.0.2.0/24'],
      ports: [{ name: 'h2', port: 80, targetPort: 'http', appProtocol: 'kubernetes.io/h2c', protocol: 'TCP' }],
    };
    expect(translate({ ...PLAIN, ...kept }).object['spec']).toMatchObject(kept);
  });

  it('with a field that nobody knows is refused', () => {
    expect(translate({ ...PLAIN, topologyKeys: ['*'] }).refused).toEqual(['ObjectMalformed']);
  });
});

describe('an ExternalName', () => {
  const external = (externalName: string, overrides: Overrides = {}): Result =>
    translate({ type: 'ExternalName', externalName }, overrides);
  const allowed = { allow: { externalNames: ['example.com', '.db.example.org'] } };

  it.each(['metadata.google.internal', '169.254.169.254', 'evil-example.com', 'example.com.evil.net', 'localhost', 'kubernetes.default'])(
    '%s is refused',
    (name) => {
      expect(external(name, allowed).refused).toEqual(['ExternalNameBlocked']);
    },
  );

  it.each(['example.com', 'api.example.com', 'api.example.com.', 'x.db.example.org'])('%s is under an allowed suffix', (name) => {
    expect(external(name, allowed).refused).toEqual([]);
    expect(external(name, allowed).host('spec', 'externalName')).toBe(name);
  });

  it.each(['', 'UPPER.example.com', 'a..example.com', 'a b.example.com', '-a.example.com'])('%j is no DNS name', (name) => {
    expect(external(name, allowed).refused).toEqual(['ObjectMalformed']);
  });

  it.each(['db.data.svc', 'db.data.svc.cluster.local', 'db.data.svc.cluster.local.'])('%s means the tenant’s own Service', (name) => {
    const result = external(name, { host: { clusterDomain: 'corp.local' } });
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'externalName')).toBe('db-x-data-x-dev.team-dev.svc.corp.local');
    expect(result.references).toEqual(['Service data/db']);
  });

  it.each(['kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'kubernetes.default.svc.cluster.local.'])(
    '%s means the tenant’s API',
    (name) => {
      const result = external(name, { host: { clusterDomain: 'corp.local' } });
      expect(result.refused).toEqual([]);
      expect(result.host('spec', 'externalName')).toBe('dev-control-plane.team-dev-control-plane.svc.corp.local');
      expect(result.references).toEqual([]);
    },
  );

  it('kubernetes of another namespace is a Service like any other', () => {
    expect(external('kubernetes.shop.svc').host('spec', 'externalName')).toBe('kubernetes-x-shop-x-dev.team-dev.svc.cluster.local');
  });

  it.each(['svc.cluster.local', 'db-0.db.data.svc.cluster.local', 'x.data.pod.cluster.local'])('%s reaches nothing of the host', (name) => {
    expect(external(name).refused).toEqual(['ExternalNameBlocked']);
  });

  it('may name a Service that the platform shares, unless the tenant has a namespace of that name', () => {
    const shared = { allow: { externalNames: ['shared.svc.cluster.local'] } };
    expect(external('db.shared.svc.cluster.local', shared).host('spec', 'externalName')).toBe('db.shared.svc.cluster.local');
    const own = { ...shared, objects: [make('v1', 'Service', 'db', {}, 'shared')] };
    expect(external('db.shared.svc.cluster.local', own).host('spec', 'externalName')).toBe('db-x-shared-x-dev.team-dev.svc.cluster.local');
  });

  it('that merely looks like a name of the cluster is a name like any other', () => {
    const result = external('db.data.svc.example.com', allowed);
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'externalName')).toBe('db.data.svc.example.com');
  });

  it('on a Service of another type is left out', () => {
    expect(translate({ ...PLAIN, externalName: 'metadata.google.internal' }).host('spec', 'externalName')).toBeUndefined();
  });
});

describe('a short name', () => {
  it.each([
    ['web', true],
    ['kubernetes', false],
    ['a-x-b', false],
    ['tenantplane-dns', false],
  ])('of %s: %s', (name, aliasable) => {
    const subject = testSubject(service(PLAIN, name));
    expect(isAliasable(subject)).toBe(aliasable);
    expect(aliasObstacle(subject) === undefined).toBe(aliasable);
  });

  it('is for Services only', () => {
    expect(isAliasable(testSubject(make('v1', 'ConfigMap', 'web')))).toBe(false);
  });
});
