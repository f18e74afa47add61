import { describe, expect, test } from 'vitest';
import { compileAliases } from '../../../src/core/dns/aliases.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { projected, service, subject, tenantContext } from '../isolation/tenant.ts';

const ctx = tenantContext({ tenant: { mainNamespace: 'shop' } });
const pair = (object: KubeObject) => ({ subject: subject(object), host: projected(ctx, object) });
const compile = (...objects: KubeObject[]) => compileAliases(ctx, objects.map(pair));
const specOf = (spec: JsonObject) => compile(service('web', 'shop', spec)).aliases[0]?.object['spec'];
const web = { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] };

describe('short names on the host', () => {
  test('are Services of the same pods and ports, with an identity kind of their own', () => {
    const { aliases, leftOut } = compile(service('web', 'shop'));
    expect(leftOut).toEqual([]);
    expect(aliases.map(({ object }) => object)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: {
          name: 'web',
          namespace: 'team-dev',
          labels: {
            'app.kubernetes.io/managed-by': 'tenantplane',
            'tenantplane.io/tenant': 'dev',
            'tenantplane.io/virtual-namespace': 'shop',
            'tenantplane.io/kind': 'servicealias',
          },
          annotations: {
            'tenantplane.io/tenant-cluster': 'team-dev/dev',
            'tenantplane.io/virtual-namespace': 'shop',
            'tenantplane.io/virtual-name': 'web',
          },
        },
        spec: { type: 'ClusterIP', ...web },
      },
    ]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'headless stays headless, with pods that are not ready',
      { clusterIP: 'None', publishNotReadyAddresses: true },
      { type: 'ClusterIP', clusterIP: 'None', publishNotReadyAddresses: true },
    ],
    [
      'a load balancer is reached from inside only',
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, externalTrafficPolicy: 'Local', loadBalancerClass: 'x' },
      { type: 'ClusterIP' },
    ],
    [
      'a node port opens no second port',
      { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] },
      { type: 'ClusterIP', ports: [{ port: 80 }] },
    ],
    ['sessions stick as they do', { sessionAffinity: 'ClientIP' }, { type: 'ClusterIP', sessionAffinity: 'ClientIP' }],
  ])('%s', (_, spec, expected) => {
    expect(specOf(spec)).toEqual({ ...web, ...expected });
  });

  test('lead where an ExternalName leads, and to the Service itself where its endpoints are made by hand', () => {
    expect(specOf({ type: 'ExternalName', externalName: 'db.example.com' })).toEqual({
      type: 'ExternalName',
      externalName: 'db.example.com',
    });
    expect(specOf({ selector: {} })).toEqual({ type: 'ExternalName', externalName: 'web-x-shop-x-dev.team-dev.svc.cluster.local' });
  });

  test('share nothing with the Service that they were made from', () => {
    const host = pair(service('web', 'shop'));
    const before = structuredClone(host.host);
    const [made] = compileAliases(ctx, [host]).aliases;
    if (made !== undefined) (made.object['spec'] as JsonObject)['selector'] = {};
    expect(host.host).toEqual(before);
  });

  test('belong to the main namespace alone: another one’s pods would get an answer, and the wrong one', () => {
    expect(
      compile(service('web', 'shop'), service('web', 'lab')).aliases.map(({ subject: { virtualNamespace } }) => virtualNamespace),
    ).toEqual(['shop']);
  });

  test.each([
    ['kubernetes', 'kubernetes means the tenant’s own API'],
    ['a-x-b', 'a name with -x- could be another object’s host name'],
    ['tenantplane-dns', 'tenantplane- begins the names of our own objects'],
  ])('leave out %s, and say why', (name, why) => {
    const { aliases, leftOut } = compile(service(name, 'shop'));
    expect(aliases).toEqual([]);
    expect(leftOut.map(({ note }) => [note.reason, note.params['source'], note.params['why']])).toEqual([
      ['AliasLeftOut', `shop/${name}`, why],
    ]);
  });

  test('leave out a name that is another Service’s host name', () => {
    const long = service(`s${'o'.repeat(62)}`, 'shop');
    const taken = ctx.hostName('Service', 'shop', `s${'o'.repeat(62)}`).name;
    const { aliases, leftOut } = compile(long, service(taken, 'shop'));
    expect(aliases).toHaveLength(1);
    expect(leftOut[0]?.note.params['why']).toMatch(/^shop\/so+ has that host name$/);
  });

  test('are not made where the tenant has a DNS server', () => {
    const server = tenantContext({ tenant: { mainNamespace: 'shop', dns: 'server', dnsServiceIP: '10.96.0.53' } });
    expect(compileAliases(server, [pair(service('web', 'shop'))])).toEqual({ aliases: [], leftOut: [] });
  });
});
