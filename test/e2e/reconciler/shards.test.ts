// Several reconcilers with a share each, which one reconciler alone never needs.
// @module-tag release
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JsonObject, stringAt } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ACCOUNT, GROUPS, RIGHTS } from '../../support/tenant-package.ts';
import { ROOT } from '../workspace.ts';
import { PLATFORM } from './platform-yaml.ts';
import { type ReconcilerProcess, startReconciler } from './reconciler-process.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await kubectl(['apply', '--server-side', '-f', join(ROOT, 'deploy/crds')]);
  await kubectl(['apply', '--server-side', ...RIGHTS.flatMap((file) => ['-f', join(ROOT, `deploy/base/${file}.yaml`)])]);
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  await kubectl(['apply', '-f', '-'], PLATFORM);
});
afterAll(() => cluster?.stop());

const SOON = { timeout: 40_000, interval: 100 };

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const ran = await cluster.kubectl(args, { input });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

const said = (of: ReconcilerProcess, message: string): boolean => of.log().some(({ msg }) => msg === message);

/** A reconciler with the rights that it is installed with, once it leads. */
async function shard(selector: string): Promise<ReconcilerProcess> {
  const flags = ['--leader-elect-namespace=tenantplane-system', '--metrics-tenant-label=true', `--shard-selector=${selector}`];
  const made = startReconciler({ kubeconfig: cluster.kubeconfigFor(ACCOUNT, GROUPS), flags });
  await expect.poll(() => said(made, 'leading'), SOON).toBe(true);
  return made;
}

const identity = (of: ReconcilerProcess): string =>
  stringAt(
    of.log().find(({ msg }) => msg === 'leading'),
    'identity',
  ) ?? '';

async function makeTenant(name: string, namespace: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  const spec = { isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'applications' } };
  const tenant = { apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster', metadata: { name, namespace, labels }, spec };
  const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const items: JsonObject[] = [place, tenant];
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** One TenantCluster as a person looks at it; empty texts where it is gone. */
function tenantOf(name: string, namespace: string) {
  const shown = async (path: string): Promise<string> =>
    (await cluster.kubectl(['get', 'tenantcluster', name, '-n', namespace, '-o', `jsonpath=${path}`])).stdout;
  return {
    leader: () => shown('{.status.leader.holderIdentity}'),
    handled: () => shown('{.status.lastHandledReconcileAt}'),
    finalizers: () => shown('{.metadata.finalizers}'),
    reason: (type: string) => shown(`{.status.conditions[?(@.type=="${type}")].reason}`),
    label: (label: string) => kubectl(['label', 'tenantcluster', name, '-n', namespace, '--overwrite', label]),
    ask: (text: string) =>
      kubectl(['annotate', 'tenantcluster', name, '-n', namespace, '--overwrite', `tenantplane.io/reconcile-requested-at=${text}`]),
    remove: () => kubectl(['delete', 'tenantcluster', name, '-n', namespace, '--wait=false']),
    series: `tenantplane_last_success_timestamp_seconds{tenant_namespace="${namespace}",tenant="${name}"}`,
  };
}

test('a namespace is one tenant’s, also where another shard has the elder; the younger goes on when that is gone', async () => {
  await makeTenant('elder', 'team-shared', { team: 'elder' });
  const [elder, younger] = [tenantOf('elder', 'team-shared'), tenantOf('younger', 'team-shared')];
  const [one, two] = await Promise.all([shard('team=elder'), shard('team=younger')]);
  await makeTenant('younger', 'team-shared', { team: 'younger' });
  await expect.poll(() => younger.reason('Stalled'), SOON).toBe('NamespaceShared');
  await expect.poll(() => elder.reason('Reconciling'), SOON).toBe('DependencyNotReady');
  expect([await elder.leader(), await younger.leader()]).toEqual([identity(one), identity(two)]);
  await elder.remove();
  await expect.poll(elder.finalizers, SOON).toBe('');
  await expect.poll(() => younger.reason('Reconciling'), SOON).toBe('DependencyNotReady');
  expect(await younger.reason('Stalled')).toBe('');
});

test('a tenant goes with its labels: the one lets go, the other goes on, with what it was being taken down as well', async () => {
  await makeTenant('dev', 'team-moves');
  const tenant = tenantOf('dev', 'team-moves');
  const [one, two] = await Promise.all([shard('team=one'), shard('team=two')]);
  // nobody’s, and counted as that
  expect(await one.metric('tenantplane_tenants_on_host')).toBeGreaterThan(0);
  expect([await one.metric('tenantplane_tenants_claimed'), await two.metric('tenantplane_tenants_claimed')]).toEqual([0, 0]);
  expect([await tenant.leader(), await tenant.finalizers()]).toEqual(['', '']);

  await tenant.label('team=one');
  await expect.poll(() => one.metric(tenant.series), SOON).toBeGreaterThan(0);
  expect(await tenant.leader()).toBe(identity(one));
  expect(await two.metric(tenant.series)).toBeUndefined();
  await tenant.label('team=two');
  await expect.poll(() => two.metric(tenant.series), SOON).toBeGreaterThan(0);
  expect(await tenant.leader()).toBe(identity(two));
  await expect.poll(() => one.metric(tenant.series), SOON).toBeUndefined();
  expect(await one.metric('tenantplane_tenants_claimed')).toBe(0);
  expect(await two.metric('tenantplane_tenants_claimed')).toBe(1);
  await tenant.ask('of-two');
  await expect.poll(tenant.handled, SOON).toBe('of-two');

  await tenant.label('team-');
  await expect.poll(tenant.leader, SOON).toBe('');
  await tenant.remove();
  expect(await tenant.finalizers()).toContain('tenantplane.io/control-plane');
  await tenant.label('team=one');
  await expect.poll(tenant.finalizers, SOON).toBe('');
});

test('where shards overlap, a tenant is the first one’s until that ends; the other says so and leaves it alone', async () => {
  await makeTenant('dev', 'team-twice', { team: 'twice', tier: 'gold' });
  const tenant = tenantOf('dev', 'team-twice');
  const first = await shard('tier=gold');
  await expect.poll(tenant.leader, SOON).toBe(identity(first));
  const second = await shard('team=twice');
  await tenant.ask('of-first');
  await expect.poll(tenant.handled, SOON).toBe('of-first');
  await expect.poll(() => second.metric('tenantplane_tenants_contested'), SOON).toBe(1);
  const { holds } = second.log().find(({ msg }) => msg === 'another shard works on a tenant of this one') ?? {};
  expect(holds).toMatch(/^.+ by Lease tenantplane-system\/tenantplane-reconciler-[a-z2-7]{12}, which is for tier=gold$/);
  const events = async (): Promise<string> =>
    kubectl(['get', 'events.events.k8s.io', '-n', 'team-twice', '-o', 'jsonpath={.items[?(@.reason=="ShardsOverlap")].note}']);
  await expect.poll(events, SOON).toContain('which is for tier=gold');
  expect([await tenant.leader(), await second.metric(tenant.series)]).toEqual([identity(first), undefined]);
  first.kill('SIGTERM');
  await expect.poll(tenant.leader, SOON).toBe(identity(second));
  await expect.poll(() => second.metric('tenantplane_tenants_contested'), SOON).toBe(0);
});

test('selectors that select the same wait for the same Lease, which says what it is for', async () => {
  const first = await shard('team in (x,y)');
  const flags = ['--leader-elect-namespace=tenantplane-system', '--shard-selector= team in ( y, x ),team'];
  const second = startReconciler({ kubeconfig: cluster.kubeconfigFor(ACCOUNT, GROUPS), flags });
  await expect.poll(() => said(second, 'standing by'), SOON).toBe(true);
  expect(second.log().find(({ msg }) => msg === 'standing by')?.['holder']).toBe(identity(first));
  const selectors = await kubectl(['get', 'leases', '-n', 'tenantplane-system', '-o', 'jsonpath={.items[*].metadata.annotations}']);
  expect(selectors).toContain('{"tenantplane.io/shard-selector":"team in (x,y)"}');
});
