import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { at, stringAt } from '../../../src/core/kube/json.ts';
import { nameOf } from '../../../src/core/kube/object.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { k3sImageName } from '../../bed/k3s-image.ts';
import { eventually } from '../delivery/eventually.ts';
import { scratch } from '../workspace.ts';
import { killServer, type Member, membership, writesDuring } from './etcd-members.ts';
import { operationsPage } from './operations-page.ts';
import { type ReconcilerProcess, startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost, VERSIONS } from './tenant-host.ts';
import { phase, type TenantLook, tenantLook } from './tenant-look.ts';

// three servers start at once, and on a machine that others work on each takes as long as all three
vi.setConfig({ testTimeout: 600_000 });

const SERVERS = ['control-plane-0', 'control-plane-1', 'control-plane-2'];
const spec = (version: string, replicas = 3): string =>
  `  kubernetesVersion: "${version}"\n  controlPlane: {replicas: ${replicas}, datastore: {type: etcd}}\n`;

let host: TenantHost;
let tenant: TenantLook;
beforeAll(async () => {
  // a test has no time to build it
  await buildTool('etcdctl');
  host = await startTenantHost({ services: true });
  tenant = tenantLook(host, 'ha');
});
afterAll(() => host?.stop());

const reconciler = (): ReconcilerProcess =>
  startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false', '--log-level=info'] });

/** Everything that is asked of all three members: they are ready, and vote in one cluster. */
async function whole(limit = 240): Promise<{ readonly cluster: string; readonly members: readonly Member[] }> {
  const { seen } = await eventually(
    async () => {
      const pods = await Promise.all(SERVERS.map((name) => tenant.get('pod', name)));
      const ready = pods.filter((pod) => at(pod, 'status', 'containerStatuses', 0, 'ready') === true).length;
      return ready === 3 ? Promise.all(SERVERS.map((server) => membership(host, tenant, server))) : [];
    },
    (each) =>
      each.length === 3 && each.every(({ members }) => members.length === 3 && members.every(({ isLearner }) => isLearner !== true)),
    limit,
  );
  const clusters = new Set(seen.map(({ header }) => header.cluster_id));
  expect(clusters.size).toBe(1);
  const [members = []] = seen.map((each) => each.members);
  return { cluster: [...clusters][0] ?? '', members };
}

async function inTenant(...args: string[]): Promise<string> {
  const ran = await host.cluster.kubectl(args, { as: await tenant.kubeconfig() });
  expect(ran.stderr).toBe('');
  return ran.stdout;
}

const kept = (): Promise<string> => inTenant('get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}');
const ids = (members: readonly Member[]): readonly string[] => members.map(({ ID }) => ID).sort();

let first: Awaited<ReturnType<typeof whole>>;

describe('a control plane with an etcd of three members', () => {
  test('gets ready, votes as one cluster, and each server serves what another one wrote', async () => {
    reconciler();
    await host.commit('ha', spec('1.34'));
    console.log(`ready after ${(await tenant.ready(300)).toFixed(1)} s`);
    first = await whole();
    expect(first.members.map(({ name }) => name.replace(/-[0-9a-f]{8}$/, '')).sort()).toEqual(SERVERS);
    const services = (await host.list('services', tenant.place)).flatMap((service) => stringAt(service, 'spec', 'clusterIP') ?? []);
    for (const { peerURLs } of first.members) expect(services).toContain(new URL(peerURLs[0] ?? '').hostname);
    await inTenant('create', 'configmap', 'kept', '--from-literal=a=b');
    await inTenant('create', 'secret', 'generic', 'sealed', '--from-literal=a=b');
    for (const server of SERVERS)
      expect(
        await host.kubectl([
          'exec',
          '-n',
          tenant.place,
          server,
          '-c',
          'k3s',
          '--',
          'k3s',
          'kubectl',
          'get',
          'secret/sealed',
          'configmap/kept',
          '-o',
          'name',
        ]),
      ).toBe('secret/sealed\nconfigmap/kept\n');
  });

  test('goes on when a server is killed, which comes back as the same member', async () => {
    reconciler();
    const restarts = async (): Promise<unknown> =>
      at(await tenant.get('pod', 'control-plane-1'), 'status', 'containerStatuses', 0, 'restartCount');
    const before = Number(await restarts());
    await killServer(tenant, 'control-plane-1');
    const back = eventually(restarts, (count) => count === before + 1, 120).then(() => whole());
    const { writes, longestGap } = await writesDuring(host, tenant, back);
    console.log(`one killed: ${writes} writes, longest gap ${longestGap.toFixed(1)} s`);
    expect(longestGap).toBeLessThan(20);
    expect(ids((await back).members)).toEqual(ids(first.members));
    expect(await kept()).toBe('b');
  });

  test('comes back with all it held when all servers were down at once', { tags: 'release' }, async () => {
    reconciler();
    const before = await Promise.all(SERVERS.map(async (name) => stringAt(await tenant.get('pod', name), 'metadata', 'uid')));
    await host.kubectl(['delete', 'pod', '-n', tenant.place, ...SERVERS]);
    await eventually(
      async () => (await host.list('pods', tenant.place)).map((pod) => [nameOf(pod), stringAt(pod, 'metadata', 'uid')]),
      (pods) => pods.length === 3 && pods.every(([, uid]) => !before.includes(uid)),
      120,
    );
    const back = await whole();
    expect([back.cluster, ids(back.members)]).toEqual([first.cluster, ids(first.members)]);
    await tenant.ready(240);
    expect(await kept()).toBe('b');
  });

  test('is upgraded one server at a time, and serves all the while', { tags: 'release' }, async () => {
    reconciler();
    await host.commit('ha', spec('1.35'));
    await tenant.until((object) => phase(object) !== 'Ready', 30);
    let fewest = 3;
    const upgraded = eventually(
      async () => {
        const ready = at(await tenant.get('statefulset', 'control-plane'), 'status', 'readyReplicas');
        fewest = Math.min(fewest, Number(ready ?? 0));
        return tenant.object();
      },
      (object) => phase(object) === 'Ready' && stringAt(object, 'status', 'kubernetesVersion') === 'v1.35.1+k3s1',
      240,
    );
    const { writes, longestGap } = await writesDuring(host, tenant, upgraded);
    console.log(`upgrade: ${writes} writes, longest gap ${longestGap.toFixed(1)} s, ${(await upgraded).seconds.toFixed(1)} s in all`);
    expect(fewest).toBe(2);
    expect(longestGap).toBeLessThan(20);
    expect(ids((await whole()).members)).toEqual(ids(first.members));
    expect(await kept()).toBe('b');
  });

  test('keeps its members: fewer are refused, in words, and nothing is changed', { tags: 'release' }, async () => {
    reconciler();
    await host.commit('ha', spec('1.35', 1));
    const stalled = await tenant.shows('Stalled', 'ImmutableChange', 60);
    expect(stalled['message']).toBe('spec.controlPlane.replicas is 3 for good, and the spec says 1.');
    expect((await host.list('pods', tenant.place)).length).toBe(3);
    await host.commit('ha', spec('1.35'));
    await tenant.ready(30);
  });
});

describe('by the commands of docs/operations.md', { tags: 'release' }, () => {
  test('a member that lost its volume is removed, and comes back as another one of the same cluster', async () => {
    reconciler();
    await host.kubectl(['delete', 'pvc', 'data-control-plane-0', '-n', tenant.place, '--wait=false']);
    await host.kubectl(['delete', 'pod', 'control-plane-0', '-n', tenant.place]);
    const words = 'duplicate node name found, please use a unique name for this node';
    await eventually(
      () => tenant.get('pod', 'control-plane-0'),
      (pod) => stringAt(pod, 'status', 'containerStatuses', 0, 'lastState', 'terminated', 'message')?.includes(words) === true,
      240,
    );
    expect(await membership(host, tenant, 'control-plane-1')).toMatchObject({ header: { cluster_id: first.cluster } });
    const page = operationsPage(host, 'ha', scratch(), {});
    await page.run('lost', 'forget');
    const back = await whole();
    expect(back.cluster).toBe(first.cluster);
    expect(ids(back.members).filter((id) => ids(first.members).includes(id))).toHaveLength(2);
    await tenant.ready(240);
    expect(await kept()).toBe('b');
  });

  test('a snapshot is saved, and restored into a new TenantCluster', async () => {
    reconciler();
    const folder = scratch();
    const image = k3sImageName(VERSIONS[1]);
    const page = operationsPage(host, 'ha', folder, { SERVERS: '0 1 2', IMAGE: image });
    const material = await tenant.material();
    await page.run('save-secrets', 'save-snapshot');
    await inTenant('create', 'configmap', 'later');
    await host.kubectl(['delete', 'tenantcluster', 'ha', '-n', tenant.namespace, '--timeout=120s']);

    await page.run('restore-secrets');
    await host.commit('ha', spec('1.35'));
    await tenant.ready(300);
    await whole();
    expect(await inTenant('get', 'configmaps', '-o', 'name')).not.toContain('configmap/kept');

    await page.run('stop', 'volumes', 'restore-snapshot', 'start');
    await whole();
    expect(await kept()).toBe('b');
    expect(await inTenant('get', 'secret', 'sealed', '-o', 'jsonpath={.data.a}')).toBe('Yg==');
    expect(await inTenant('get', 'configmaps', '-o', 'name')).not.toContain('configmap/later');
    const data = (text: string): unknown => (JSON.parse(text) as [string, unknown][]).map(([, each]) => each);
    expect(data(await tenant.material())).toEqual(data(material));
  });
});
