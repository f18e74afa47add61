import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { at, objectAt, stringAt } from '../../../src/core/kube/json.ts';
import { type Postgres, startPostgres } from '../../bed/postgres.ts';
import { eventually } from '../delivery/eventually.ts';
import { type ReconcilerProcess, startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost } from './tenant-host.ts';
import { condition, type TenantLook, tenantLook } from './tenant-look.ts';

// a control plane takes half a minute to start on a machine that others work on, and a test starts several, one after the other
vi.setConfig({ testTimeout: 300_000 });

let host: TenantHost;
let database: Postgres | undefined;
beforeAll(async () => {
  host = await startTenantHost();
});
afterAll(async () => {
  await host?.stop();
  await database?.stop();
});

const reconciler = (): ReconcilerProcess =>
  startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false', '--log-level=info'] });

const VERSION = '  kubernetesVersion: "1.34"\n';

/** Kubernetes works with a tenant's own kubeconfig: it writes and reads. */
async function works(tenant: TenantLook, as?: string): Promise<void> {
  const kubeconfig = as ?? (await tenant.kubeconfig());
  const name = `kept-${process.hrtime.bigint()}`;
  expect((await host.cluster.kubectl(['create', 'configmap', name], { as: kubeconfig })).stderr).toBe('');
  expect((await host.cluster.kubectl(['get', 'configmap', name, '-o', 'name'], { as: kubeconfig })).stdout).toBe(`configmap/${name}\n`);
}

describe('a TenantCluster', () => {
  test('on PostgreSQL waits for the Secret with its address, goes on when that is there, and never says what is in it', async () => {
    const running = reconciler();
    const tenant = tenantLook(host, 'db');
    const { gateway } = host.cluster.node();
    database = await startPostgres(gateway);
    const { port, password } = new URL(database.url);
    await host.commit(
      'db',
      `${VERSION}  controlPlane: {datastore: {type: postgres, secretRef: {name: database}, egress: {cidrs: [${gateway}/32], port: ${port}}}}\n`,
    );
    const stalled = await tenant.shows('Stalled', 'DatastoreSecretMissing', 60);
    expect(stalled['message']).toBe(`Secret ${tenant.place}/database with the key endpoint is not there.`);
    expect(stringAt(await tenant.object(), 'status', 'phase')).toBe('Pending');
    expect(await tenant.names('statefulsets')).toEqual([]);
    await host.kubectl(['create', 'secret', 'generic', 'database', '-n', tenant.place, `--from-literal=endpoint=${database.url}`]);
    const { seconds } = await tenant.until((object) => condition(object, 'Stalled') === undefined, 30);
    expect(seconds).toBeLessThan(20);
    await tenant.ready();
    await works(tenant);
    expect(await tenant.events()).toContain('DatastoreSecretMissing');
    const told = [running.stderr(), JSON.stringify(await host.list('events')), JSON.stringify(await tenant.object())].join('\n');
    expect(told).toContain('DatastoreSecretMissing');
    expect(told).not.toContain(password);
    // the database is somebody else's, and so is its Secret
    await host.kubectl(['delete', 'tenantcluster', 'db', '-n', tenant.namespace, '--timeout=90s']);
    expect(await tenant.names('secrets')).toEqual(['database']);
  });

  test('on etcd with one member works, and keeps what it holds when its server is replaced', { tags: 'release' }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'member');
    await host.commit('member', `${VERSION}  controlPlane: {datastore: {type: etcd}}\n`);
    await tenant.ready();
    const held = await tenant.kubeconfig();
    await host.cluster.kubectl(['create', 'configmap', 'held'], { as: held });
    const uid = stringAt(await tenant.get('pod', 'control-plane-0'), 'metadata', 'uid');
    await host.kubectl(['delete', 'pod', 'control-plane-0', '-n', tenant.place]);
    await tenant.until((object) => condition(object, 'ControlPlaneReady')?.['reason'] !== 'Available', 30);
    await tenant.ready();
    expect(stringAt(await tenant.get('pod', 'control-plane-0'), 'metadata', 'uid')).not.toBe(uid);
    const found = await host.cluster.kubectl(['get', 'configmap', 'held', '-o', 'name'], { as: await tenant.kubeconfig() });
    expect(found.stdout).toBe('configmap/held\n');
    await host.kubectl(['delete', 'tenantcluster', 'member', '-n', tenant.namespace, '--timeout=90s']);
  });

  test('with a load balancer publishes its address, and takes it back with it', { tags: 'release' }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'lb');
    const inside = 'https://lb-control-plane.cp-x-lb-x-team-lb.svc.cluster.local:6443';
    const published = async (): Promise<string | undefined> => {
      const secret = await tenant.get('secret', 'kubeconfig');
      return /server: (.*)/.exec(Buffer.from(stringAt(secret, 'data', 'value') ?? '', 'base64').toString('utf8'))?.[1];
    };
    const expose = '{loadBalancer: true, annotations: {example.com/internal: "true"}}';
    await host.commit('lb', `${VERSION}  controlPlane: {expose: ${expose}}\n`);
    await tenant.ready();
    const service = await tenant.get('service', 'control-plane-external');
    expect(stringAt(service, 'spec', 'type')).toBe('LoadBalancer');
    expect(stringAt(service, 'metadata', 'annotations', 'example.com/internal')).toBe('true');
    expect(stringAt(await tenant.object(), 'status', 'externalEndpoint')).toBeUndefined();
    expect(await published()).toBe(inside);

    const address = { status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } } };
    const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify(address)];
    await host.kubectl(['patch', 'service', 'control-plane-external', '-n', tenant.place, ...patch]);
    await eventually(published, (server) => server === 'https://203.0.113.7:6443', 30);
    expect(stringAt(await tenant.object(), 'status', 'externalEndpoint')).toBe('203.0.113.7');
    // by the address that people have now, the certificate is still one of the name inside
    await works(tenant);

    await host.commit('lb', VERSION);
    await eventually(published, (server) => server === inside, 30);
    await eventually(
      () => tenant.names('services'),
      (names) => !names.includes('control-plane-external'),
      30,
    );
    await tenant.ready();
    expect(stringAt(await tenant.object(), 'status', 'externalEndpoint')).toBeUndefined();
  });

  test('renews a kubeconfig that is to last less, or is past two thirds of its life or gone; the one before lasts until its end', {
    tags: 'release',
  }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'lb');
    await host.commit('lb', `${VERSION}  controlPlane: {kubeconfig: {hours: 1}}\n`);
    await tenant.ready();
    const secret = () => tenant.get('secret', 'kubeconfig');
    const value = async (): Promise<string | undefined> => stringAt(await secret(), 'data', 'value');
    const lasts = async (): Promise<number> =>
      Date.parse(stringAt(await secret(), 'metadata', 'annotations', 'tenantplane.io/expires-at') ?? '') - Date.now();
    const anHour = (left: number): boolean => left > 58 * 60_000 && left < 61 * 60_000;
    await eventually(lasts, anHour, 30);
    const [before, beforeFile] = [await value(), await tenant.kubeconfig()];
    const aged = new Date(Date.now() - 45 * 60_000).toISOString();
    const ends = new Date(Date.now() + 15 * 60_000).toISOString();
    const annotations = [`tenantplane.io/issued-at=${aged}`, `tenantplane.io/expires-at=${ends}`];
    await host.kubectl(['annotate', 'secret', 'kubeconfig', '-n', tenant.place, '--overwrite', ...annotations]);
    await tenant.request();
    await eventually(value, (now) => now !== before, 30);
    expect(await lasts()).toSatisfy(anHour);
    await works(tenant);
    await works(tenant, beforeFile);

    await host.kubectl(['delete', 'secret', 'kubeconfig', '-n', tenant.place]);
    await tenant.request();
    await eventually(value, (now) => now !== undefined, 30);
    await works(tenant);
  });

  test('has the names, resources and size that it asks for, and takes up the volume and the authorities that it left', {
    tags: 'release',
  }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'kept');
    const spec = `${VERSION}  controlPlane:
    extraTLSSANs: [api.kept.example.com, 203.0.113.9]
    resources: {requests: {cpu: 50m, memory: 300Mi}, limits: {memory: 3Gi}}
    storage: {size: 3Gi, onDelete: Retain}
`;
    await host.commit('kept', spec);
    await tenant.ready();
    const names = await servingNames(stringAt(await tenant.get('pod', 'control-plane-0'), 'status', 'podIP') ?? '');
    expect(names).toContain('DNS:api.kept.example.com');
    expect(names).toContain('IP Address:203.0.113.9');
    const container = at(await tenant.get('pod', 'control-plane-0'), 'spec', 'containers', 0);
    expect(objectAt(container, 'resources')).toMatchObject({ requests: { cpu: '50m', memory: '300Mi' }, limits: { memory: '3Gi' } });
    const claim = () => tenant.get('pvc', 'data-control-plane-0');
    const volume = await claim();
    expect(stringAt(volume, 'spec', 'resources', 'requests', 'storage')).toBe('3Gi');
    await host.cluster.kubectl(['create', 'configmap', 'held'], { as: await tenant.kubeconfig() });
    const material = await tenant.material();

    await host.kubectl(['delete', 'tenantcluster', 'kept', '-n', tenant.namespace, '--timeout=90s']);
    expect(await tenant.names('statefulsets')).toEqual([]);
    expect([...(await tenant.names('secrets'))].sort()).toEqual(['control-plane-authorities', 'control-plane-token']);
    const { seen: notes } = await eventually(
      async () => (await host.list('events.events.k8s.io', tenant.namespace)).filter(({ reason }) => reason === 'Deleted'),
      (found) => found.length > 0,
      20,
    );
    expect(notes[0]?.['note']).toContain(`PersistentVolumeClaim ${tenant.place}/data-control-plane-0`);

    await host.commit('kept', spec);
    await tenant.ready();
    expect(stringAt(await claim(), 'metadata', 'uid')).toBe(stringAt(volume, 'metadata', 'uid'));
    expect(await tenant.material()).toBe(material);
    const found = await host.cluster.kubectl(['get', 'configmap', 'held', '-o', 'name'], { as: await tenant.kubeconfig() });
    expect(found.stdout).toBe('configmap/held\n');
  });
});

/** What the certificate is for that a server shows. */
function servingNames(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: 6443, rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw).subjectAltName ?? '');
    });
    socket.on('error', reject);
  });
}
