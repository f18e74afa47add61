import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { METRICS } from '../../../src/reconciler/metrics/metric-table.ts';
import { WATCHED_KINDS } from '../../../src/reconciler/process/watched-kinds.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ROOT } from '../workspace.ts';
import { type ReconcilerProcess, type ReconcilerStart, startReconciler } from './reconciler-process.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await kubectl('apply', '--server-side', '-f', join(ROOT, 'deploy/crds'));
  await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  // each test waits for nobody who led in another
  await kubectl('delete', 'lease', '-n', 'default', '--all');
  // nor for who would take down its tenants, of which nothing was made
  await kubectl('delete', 'tenantclusters', '-A', '--all', '--wait=false');
  for (const name of (await kubectl('get', 'tenantclusters', '-n', 'default', '-o', 'name')).split('\n').filter(Boolean))
    await kubectl('patch', name, '-n', 'default', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
});

const SOON = { timeout: 40_000, interval: 50 };
const LEADER = 'leader_election_master_status{name="tenantplane-reconciler"}';

async function kubectl(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await cluster.kubectl(args);
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function start(options: Partial<ReconcilerStart> = {}): ReconcilerProcess {
  return startReconciler({ kubeconfig: cluster.kubeconfig, ...options });
}

const leads = async (of: ReconcilerProcess): Promise<boolean> => (await of.metric(LEADER)) === 1;
const said = (of: ReconcilerProcess, message: string): boolean => of.log().some(({ msg }) => msg === message);

async function holder(): Promise<string> {
  return kubectl('get', 'lease', '-n', 'default', 'tenantplane-reconciler', '-o', 'jsonpath={.spec.holderIdentity}');
}

async function makeTenant(name: string): Promise<void> {
  const manifest = {
    apiVersion: 'tenantplane.io/v1alpha1',
    kind: 'TenantCluster',
    metadata: { name, namespace: 'default' },
    spec: { mode: 'shared', isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'default' } },
  };
  const { status, stderr } = await cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify(manifest) });
  if (status !== 0) throw new Error(stderr);
}

const passes = (of: ReconcilerProcess): Promise<number | undefined> =>
  of.metric('controller_runtime_reconcile_total{controller="tenantcluster",result="success"}');

const works = async (of: ReconcilerProcess): Promise<boolean> => ((await passes(of)) ?? 0) > 0;

/** What a pass has written; empty where there was none. */
async function statusOf(name: string, field: string): Promise<string> {
  return kubectl('get', 'tc', name, '-n', 'default', '-o', `jsonpath={.status.${field}}`);
}

/** How many passes there were, once no further one comes. */
async function settled(of: ReconcilerProcess): Promise<number> {
  for (let before = -1; ; ) {
    const now = (await passes(of)) ?? 0;
    if (now === before) return now;
    before = now;
    await sleep(1500);
  }
}

describe('a reconciler', () => {
  test('answers probes, serves every metric, and has a pass for what is there and for what comes', async () => {
    await makeTenant('first');
    const one = start();
    await expect.poll(() => leads(one), SOON).toBe(true);
    expect(await one.get('/healthz')).toEqual({ code: 200, text: 'ok\n' });
    expect(await one.get('/readyz')).toEqual({ code: 200, text: '[+]shutdown ok\n[+]caches ok\nok: leading\n' });
    await expect.poll(() => statusOf('first', 'phase'), SOON).toBe('Pending');
    await makeTenant('second');
    await expect.poll(() => statusOf('second', 'phase'), SOON).toBe('Pending');
    const before = await settled(one);
    // a status of ours is no reason to look again; a word of a person is
    await kubectl('patch', 'tc', 'second', '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Ready"}}');
    await expect.poll(() => one.metric('tenantplane_tenants{phase="Ready"}'), SOON).toBe(1);
    expect(await one.metric('tenantplane_tenants{phase="Pending"}')).toBe(1);
    expect(await settled(one)).toBe(before);
    await kubectl('annotate', 'tc', 'second', 'tenantplane.io/reconcile-requested-at=now');
    await expect.poll(() => statusOf('second', 'lastHandledReconcileAt'), SOON).toBe('now');
    const { text } = await one.get('/metrics');
    for (const { name, type } of METRICS) expect(text).toContain(`# TYPE ${name} ${type}\n`);
    expect(text).toMatch(/rest_client_requests_total\{code="200",method="GET",host="127\.0\.0\.1:\d+"\} \d+/);
    expect(await one.metric('tenantplane_build_info{version="0.1.0"}')).toBe(1);
    // a watch has a connection of its own
    expect(await one.metric(`tenantplane_open_connections{host="${new URL(cluster.url).host}"}`)).toBeGreaterThanOrEqual(
      WATCHED_KINDS.length,
    );
    expect(await one.metric('process_resident_memory_bytes')).toBeLessThan(120 * 1024 * 1024);
  });

  test('that is killed is followed by the one that stands by in less than 30 s', async () => {
    await makeTenant('first');
    const one = start();
    await expect.poll(() => leads(one), SOON).toBe(true);
    const two = start();
    await expect.poll(async () => (await two.get('/readyz')).text, SOON).toContain('ok: standing by');
    expect(await leads(two)).toBe(false);
    expect(await passes(two)).toBeUndefined();
    const killed = performance.now();
    one.kill('SIGKILL');
    await expect.poll(() => leads(two), SOON).toBe(true);
    expect(performance.now() - killed).toBeLessThan(30_000);
    await expect.poll(() => works(two), SOON).toBe(true);
  });

  test('that is told to end gives the lease back at once, and exits with 0', async () => {
    const one = start();
    await expect.poll(() => leads(one), SOON).toBe(true);
    const two = start();
    await expect.poll(async () => (await two.get('/readyz')).code, SOON).toBe(200);
    const told = performance.now();
    one.kill('SIGTERM');
    expect(await one.exit).toBe(0);
    expect(said(one, 'stopped')).toBe(true);
    await expect.poll(() => leads(two), SOON).toBe(true);
    // a lease that nobody gives back is kept for 15 s
    expect(performance.now() - told).toBeLessThan(8_000);
    two.kill('SIGINT');
    expect(await two.exit).toBe(0);
    expect(await holder()).toBe('');
  });

  test('never leads beside another, however they come and go', { tags: 'release' }, async () => {
    const all = [start(), start(), start()];
    const seen: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      let leader = -1;
      await expect
        .poll(async () => {
          const leading = await Promise.all(all.map(leads));
          if (leading.filter((each) => each).length > 1) seen.push('two at once');
          leader = leading.indexOf(true);
          return leader >= 0;
        }, SOON)
        .toBe(true);
      const [ended] = all.splice(leader, 1);
      ended?.kill(turn === 0 ? 'SIGTERM' : 'SIGKILL');
      await ended?.exit;
    }
    expect(seen).toEqual([]);
    const [last] = all;
    await expect.poll(() => last !== undefined && leads(last), SOON).toBe(true);
  });

  test('whose lease somebody takes away ends, and says so with its exit code', async () => {
    const one = start();
    await expect.poll(() => leads(one), SOON).toBe(true);
    await kubectl('patch', 'lease', '-n', 'default', 'tenantplane-reconciler', '--type=merge', '-p', '{"spec":{"holderIdentity":"thief"}}');
    expect(await one.exit).toBe(1);
    expect(one.log().at(-1)).toMatchObject({ level: 'error', ended: 'lost' });
    expect(await holder()).toBe('thief');
  });

  test('outlives an API server that starts again, and sees what changed meanwhile and later', async () => {
    await makeTenant('first');
    const one = start();
    await expect.poll(() => works(one), SOON).toBe(true);
    await cluster.restart();
    await makeTenant('second');
    await expect.poll(() => statusOf('second', 'phase'), SOON).toBe('Pending');
    expect(await leads(one)).toBe(true);
    expect((await one.get('/readyz')).code).toBe(200);
    expect((await one.get('/metrics')).text).toMatch(
      /tenantplane_watch_restarts_total\{resource="tenantclusters",reason="[a-z0-9-]+"\} [1-9]/,
    );
  });

  test('that can list nothing is alive and not ready, and says why', async () => {
    const one = start({ kubeconfig: cluster.kubeconfigFor('nobody') });
    await expect.poll(async () => (await one.get('/readyz')).text, SOON).toMatch(/\[-\]caches .*forbidden/);
    expect((await one.get('/healthz')).code).toBe(200);
    one.kill('SIGTERM');
    expect(await one.exit).toBe(0);
  });

  test('without an election works at once, and asks for no Lease', async () => {
    await makeTenant('first');
    const one = start({ flags: ['--leader-elect=false'] });
    await expect.poll(() => works(one), SOON).toBe(true);
    expect(await kubectl('get', 'lease', '-n', 'default', '-o', 'name')).toBe('');
    one.kill('SIGTERM');
    expect(await one.exit).toBe(0);
  });

  test('that cannot serve its probes says so and ends', async () => {
    const one = start();
    await expect.poll(() => leads(one), SOON).toBe(true);
    const taken = String(one.log().find(({ msg }) => msg === 'serving probes')?.['address']);
    const two = start({ env: {}, flags: [`--health-probe-bind-address=${taken}`] });
    expect(await two.exit).toBe(3);
    expect(two.stderr()).toContain('Probes or metrics cannot be served: listen EADDRINUSE');
  });

  test('works on those tenants alone that it is told to, with a lease of their own', async () => {
    await makeTenant('first');
    await makeTenant('second');
    await kubectl('label', 'tc', 'second', 'shard=a');
    const one = start({ flags: ['--shard-selector=shard=a'] });
    await expect.poll(() => statusOf('second', 'phase'), SOON).toBe('Pending');
    await kubectl('annotate', 'tc', 'first', 'tenantplane.io/reconcile-requested-at=now');
    await kubectl('annotate', 'tc', 'second', 'tenantplane.io/reconcile-requested-at=now');
    await expect.poll(() => statusOf('second', 'lastHandledReconcileAt'), SOON).toBe('now');
    await settled(one);
    expect(await statusOf('first', 'phase')).toBe('');
    expect(await kubectl('get', 'lease', '-n', 'default', '-o', 'name')).toMatch(
      /^lease.coordination.k8s.io\/tenantplane-reconciler-[a-z2-7]{12}\n$/,
    );
  });
});
