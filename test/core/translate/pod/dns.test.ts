import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { testContext } from '../../context.ts';
import { container, environment, first, pod, podSpec, render, workload } from '../../pods.ts';

const server = testContext({ tenant: { dns: 'server', dnsServiceIP: '10.96.0.50' } });
const dns = (fields: JsonObject, ctx = server) => {
  const { spec } = render(pod(podSpec(fields)), ctx);
  return { dnsPolicy: spec['dnsPolicy'], dnsConfig: spec['dnsConfig'] };
};
const SEARCHES = ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];

describe('DNS mode server', () => {
  it('asks the tenant’s DNS as a cluster would', () => {
    const expected = {
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.96.0.50'], searches: SEARCHES, options: [{ name: 'ndots', value: '5' }] },
    };
    for (const fields of [{}, { dnsPolicy: 'ClusterFirst' }, { dnsPolicy: 'ClusterFirstWithHostNet' }])
      expect(dns(fields)).toEqual(expected);
  });

  it('searches the pod’s own virtual namespace', () => {
    const { spec } = render(pod(podSpec(), { namespace: 'shop' }), server);
    expect(spec['dnsConfig']).toMatchObject({ searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'] });
  });

  it('keeps the user’s options, which win by name, and servers, three at most, ours first', () => {
    const dnsConfig = {
      options: [{ name: 'ndots', value: '2' }, { name: 'single-request-reopen' }],
      nameservers: ['1.1.1.1', '10.96.0.50', '8.8.8.8', '9.9.9.9'],
      searches: ['example.com', 'cluster.local'],
    };
    expect(dns({ dnsConfig, dnsPolicy: 'ClusterFirst' }).dnsConfig).toEqual({
      nameservers: ['10.96.0.50', '1.1.1.1', '8.8.8.8'],
      searches: [...SEARCHES, 'example.com'],
      options: [{ name: 'ndots', value: '2' }, { name: 'single-request-reopen' }],
    });
  });

  it('stays within what the API server takes', () => {
    const searches = Array.from({ length: 40 }, (_, index) => `${'a'.repeat(60)}.n${index}.example.com`);
    const config = dns({ dnsConfig: { searches } }).dnsConfig as { searches: string[] };
    expect(config.searches.length).toBeLessThanOrEqual(32);
    expect(config.searches.join(' ').length).toBeLessThanOrEqual(2048);
  });

  it('leaves Default and None alone', () => {
    const dnsConfig = { nameservers: ['1.1.1.1'] };
    expect(dns({ dnsPolicy: 'None', dnsConfig })).toEqual({ dnsPolicy: 'None', dnsConfig });
    expect(dns({ dnsPolicy: 'Default' })).toEqual({ dnsPolicy: 'Default', dnsConfig: undefined });
  });
});

describe('DNS mode aliases', () => {
  const service = (name: string, namespace = 'default', spec: JsonObject = {}) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec,
  });
  const config = (name: string, data: JsonObject) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
  const set = workload('StatefulSet', podSpec(), { serviceName: 'db' }, 'db');
  const objects = [
    service('redis'),
    service('db', 'default', { clusterIP: 'None' }),
    service('api', 'shop'),
    config('app', { url: 'redis.default:6379', 'a.yaml': 'host: db-1.db' }),
    config('unused', { url: 'api.shop' }),
    set,
  ];
  const ctx = testContext({ objects, tenant: { mainNamespace: 'default' } });
  const names = (fields: JsonObject, spec: JsonObject = {}): string | undefined =>
    render(workload('Deployment', podSpec({ containers: [container(fields)], ...spec })), ctx).note('DnsNameUnresolvable')?.params['names'];

  it('keeps the pod’s DNS', () => {
    expect(dns({}, ctx)).toEqual({ dnsPolicy: undefined, dnsConfig: undefined });
    expect(dns({ dnsPolicy: 'ClusterFirst', dnsConfig: { options: [] } }, ctx)).toMatchObject({ dnsPolicy: 'ClusterFirst' });
  });

  it('says which longer names of the tenant’s Services a workload uses, in env, args and command', () => {
    expect(names({ env: [{ name: 'A', value: 'redis://redis.default:6379' }] })).toBe('redis.default');
    expect(names({ args: ['--url=http://api.shop.svc.cluster.local/'] })).toBe('api.shop');
    expect(names({ command: ['sh', '-c', 'ping db-0.db'] })).toBe('db-0.db');
    expect(names({ args: ['kubernetes.default.svc'] })).toBe('kubernetes.default');
  });

  it('says it for ConfigMaps that the workload uses, and no others', () => {
    expect(names({ envFrom: [{ configMapRef: { name: 'app' } }] })).toBe('db-1.db, redis.default');
    expect(names({})).toBeUndefined();
  });

  it('says nothing of short names and of names of others', () => {
    expect(names({ env: [{ name: 'A', value: 'redis:6379' }] })).toBeUndefined();
    expect(names({ args: ['redis.default.example.com', 'redis.other', 'x.io', 'v1.2.3', '...', '.', 'redis.'] })).toBeUndefined();
  });

  it('says nothing where the pod does not ask the cluster’s DNS', () => {
    expect(names({ args: ['redis.default'] }, { dnsPolicy: 'Default' })).toBeUndefined();
  });

  it('says for every StatefulSet that its pods have no names', () => {
    expect(render(set, ctx).note('DnsNameUnresolvable')?.params['names']).toBe('db-<n>.db');
  });

  it('says for an Indexed Job with a subdomain that its pods have no names, and for those that mention them', () => {
    const indexed = workload('Job', podSpec({ subdomain: 'ring' }), { completionMode: 'Indexed', completions: 2 }, 'train');
    const plain = workload('Job', podSpec({ subdomain: 'ring' }), { completions: 2 }, 'plain');
    const user = workload('Deployment', podSpec({ containers: [container({ args: ['train-0.ring', 'plain-0.ring'] })] }));
    const jobs = testContext({ objects: [indexed, plain, user, service('ring', 'default', { clusterIP: 'None' })] });
    const told = (object: typeof indexed) => render(object, jobs).note('DnsNameUnresolvable')?.params['names'];
    expect(told(indexed)).toBe('train-<n>.ring');
    expect(told(plain)).toBeUndefined();
    expect(told(user)).toBe('train-0.ring');
  });

  it('does not warn of any of it with a DNS of the tenant', () => {
    const own = testContext({ objects, tenant: { dns: 'server', dnsServiceIP: '10.96.0.50' } });
    expect(render(set, own).note('DnsNameUnresolvable')).toBeUndefined();
  });
});

describe('the tenant’s API by name', () => {
  const told = (ctx: typeof server, fields: JsonObject) => render(pod(podSpec(fields)), ctx).note('ApiNameUnresolvable')?.params;
  const aliases = testContext();

  it('does not resolve for a pod that asks the node’s DNS, in either mode, and says so', () => {
    expect(told(server, { dnsPolicy: 'Default' })).toEqual({ policy: 'Default', name: 'kubernetes.default.svc.cluster.local' });
    expect(told(aliases, { dnsPolicy: 'Default' })?.['name']).toBe('dev-control-plane.team-dev-control-plane.svc.cluster.local');
    const { spec } = render(pod(podSpec({ dnsPolicy: 'Default' })), server);
    expect(environment(first(spec)).get('KUBERNETES_SERVICE_HOST')).toBe('kubernetes.default.svc.cluster.local');
  });

  it('resolves for a pod that chooses its servers only where the tenant’s is among them', () => {
    expect(told(server, { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } })?.['policy']).toBe('None');
    expect(told(server, { dnsPolicy: 'None', dnsConfig: { nameservers: ['10.96.0.50'] } })).toBeUndefined();
    // Which server answers for the host's cluster is not known here.
    expect(told(aliases, { dnsPolicy: 'None', dnsConfig: { nameservers: ['10.96.0.10'] } })).toBeUndefined();
  });

  it('is not talked about where it resolves, or where the tenant says another', () => {
    for (const ctx of [server, aliases])
      for (const fields of [{}, { dnsPolicy: 'ClusterFirst' }]) expect(told(ctx, fields)).toBeUndefined();
    const env = [{ name: 'KUBERNETES_SERVICE_HOST', value: '192.0.2.1' }];
    expect(told(server, { dnsPolicy: 'Default', containers: [container({ env })] })).toBeUndefined();
  });
});

describe('the host name of a pod', () => {
  it('is the one it has in the tenant', () => {
    expect(render(pod(podSpec()), server).spec['hostname']).toBe('web');
    expect(render({ ...pod(podSpec()), metadata: { name: `a.b-${'c'.repeat(58)}-.d` } }, server).spec['hostname']).toBe(
      `a-b-${'c'.repeat(58)}`,
    );
    expect(render(pod(podSpec({ hostname: 'other' })), server).spec['hostname']).toBe('other');
    expect(render(workload('Deployment'), server).spec['hostname']).toBeUndefined();
  });

  it('with a subdomain belongs to the tenant’s headless Service', () => {
    const { spec, edit } = render(pod(podSpec({ hostname: 'a', subdomain: 'db' })), server);
    expect(spec['subdomain']).toBe('db-x-default-x-dev');
    expect(edit.references).toMatchObject([{ targetKind: 'Service', name: 'db' }]);
  });

  it('is never the full name, which is easily too long for Linux', () => {
    expect(render(pod(podSpec({ setHostnameAsFQDN: true })), server).spec['setHostnameAsFQDN']).toBe(false);
    expect(render(pod(podSpec()), server).spec).not.toHaveProperty('setHostnameAsFQDN');
  });
});
