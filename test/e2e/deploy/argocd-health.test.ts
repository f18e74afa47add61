import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type ArgoCd, startArgoCd } from '../../bed/argocd.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { type Application, applications, applyManifests, refresh } from '../delivery/argo-apps.ts';
import { eventually } from '../delivery/eventually.ts';
import { prepareHost, render } from '../delivery/fleet.ts';
import { kubectl } from '../delivery/host.ts';
import { createRepository, type Repository } from '../delivery/repository.ts';
import { edit, smallPackage } from '../delivery/small-package.ts';
import { ok, ROOT, scratch } from '../workspace.ts';
import { type Said, statusOf, writeStatus } from './tenant-status.ts';

const PATCH = join(ROOT, 'deploy/argocd/argocd-cm-patch.yaml');

/** What is said of a TenantCluster of generation 2, and what Argo CD makes of it. */
const CASES: readonly (readonly [phase: string, said: readonly Said[], health: string, message: string])[] = [
  ['Pending', [], 'Progressing', 'It has no condition Ready yet'],
  ['Provisioning', ['Ready=Unknown Progressing', 'Reconciling=True Provisioning'], 'Progressing', 'Provisioning: Provisioning it is.'],
  [
    'Pending',
    ['Ready=Unknown Progressing', 'Reconciling=True DependencyNotReady', 'IsolationEnforced=False BoundaryMissing'],
    'Progressing',
    'DependencyNotReady: ',
  ],
  ['Provisioning', ['Ready=Unknown Progressing', 'ControlPlaneReady=Unknown Starting'], 'Progressing', 'Progressing: '],
  ['Provisioning', ['Ready=False ImagePullFailing', 'ControlPlaneReady=False ImagePullFailing'], 'Degraded', 'ImagePullFailing: '],
  ['Ready', ['Ready=True Succeeded', 'ControlPlaneReady=True Available', 'IsolationEnforced=True Enforced'], 'Healthy', 'Succeeded: '],
  ['Ready', ['Ready=True Succeeded', 'CertificatesValid=True RenewalDue'], 'Healthy', 'Succeeded: '],
  [
    'Provisioning',
    ['Ready=Unknown Progressing', 'Reconciling=True Upgrading', 'ControlPlaneReady=True Available'],
    'Progressing',
    'Upgrading: ',
  ],
  ['Degraded', ['Ready=False BoundaryDrifted', 'IsolationEnforced=False BoundaryDrifted'], 'Degraded', 'BoundaryDrifted: '],
  ['Degraded', ['Ready=False Crashing', 'Reconciling=True Updating', 'ControlPlaneReady=False Crashing'], 'Degraded', 'Crashing: '],
  ['Pending', ['Ready=False ProfileMissing', 'Stalled=True ProfileMissing'], 'Degraded', 'ProfileMissing: '],
  ['Ready', ['Ready=True Succeeded', 'Paused=True User'], 'Suspended', 'User: '],
  ['Degraded', ['Ready=False Crashing', 'Paused=True User'], 'Suspended', 'User: '],
];

describe('the health script, run by Argo CD’s own command', () => {
  let argocd: string;
  let settings: string;

  beforeAll(async () => {
    argocd = await buildTool('argocd');
    const patch = load(readFileSync(PATCH, 'utf8')) as { metadata: JsonObject };
    const metadata = { ...patch.metadata, labels: { 'app.kubernetes.io/part-of': 'argocd' } };
    settings = JSON.stringify({ ...patch, metadata });
  });

  function healthOf(object: JsonObject): { health: string; message: string } {
    const folder = scratch();
    const [file, cm] = [join(folder, 'object.yaml'), join(folder, 'argocd-cm.yaml')];
    writeFileSync(file, JSON.stringify(object));
    writeFileSync(cm, settings);
    const args = ['admin', 'settings', 'resource-overrides', 'health', file, '--argocd-cm-path', cm];
    const { stdout } = ok(argocd, args, { env: { ARGOCD_BINARY_NAME: 'argocd' } });
    const [, health = stdout, message = ''] = /^STATUS: (\w+)\nMESSAGE: (.*)/m.exec(stdout) ?? [];
    return { health, message };
  }
  const tenant = (status?: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: 'tenantplane.io/v1alpha1',
    kind: 'TenantCluster',
    metadata: { name: 'dev', namespace: 'team-dev', generation: 2, ...metadata },
    ...(status === undefined ? {} : { status }),
  });

  test.each(CASES)('%s %j is %s', (phase, said, health, message) => {
    const shown = healthOf(tenant(statusOf(2, phase, said)));
    expect(shown).toEqual({ health, message: expect.stringContaining(message) });
  });

  test('what no reconciler has seen, or not in this generation, is progressing, whatever stands there', () => {
    expect(healthOf(tenant())).toEqual({ health: 'Progressing', message: 'No reconciler has seen it yet' });
    const before = statusOf(1, 'Ready', ['Ready=True Succeeded']);
    expect(healthOf(tenant(before))).toEqual({ health: 'Progressing', message: 'The reconciler has not seen this spec yet' });
  });

  test.each(['Ready=True Succeeded', 'Stalled=True AccessMissing', 'Paused=True DeletionHeld'] as const)(
    'what is being deleted is progressing by Argo CD’s own word, with %s too',
    (said) => {
      const shown = healthOf(tenant(statusOf(2, 'Deleting', [said]), { deletionTimestamp: '2026-01-01T00:00:00Z' }));
      expect(shown).toEqual({ health: 'Progressing', message: 'Pending deletion' });
    },
  );

  test.each(['IsolationProfile', 'SyncPolicy', 'SyncDecision'])('a %s is healthy, with whatever status', (kind) => {
    const status = statusOf(1, 'Pending', ['Ready=False Rejected', 'Stalled=True Invalid']);
    expect(healthOf({ ...tenant(status), kind }).health).toBe('Healthy');
  });
});

describe('real Argo CD that applies host/config', { timeout: 300_000 }, () => {
  let folder: string;
  let root: string;
  let repository: Repository;
  let cluster: Cluster;
  let argocd: ArgoCd;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-health-'));
    root = smallPackage(join(folder, 'fleet'));
    render(root);
    repository = createRepository(join(folder, 'repository'));
    repository.commitTree(root);
    cluster = await startCluster({ kwok: 2 });
    await prepareHost(cluster);
    argocd = await startArgoCd(cluster);
    const others = JSON.stringify({ data: { 'statusbadge.enabled': 'true' } });
    await kubectl(cluster, ['patch', 'configmap', 'argocd-cm', '-n', 'argocd', '--type', 'merge', '-p', others]);
    // as docs/install-reconciler.md has it
    await kubectl(cluster, ['patch', 'configmap', 'argocd-cm', '-n', 'argocd', '--patch-file', PATCH]);
    await applyManifests(
      cluster,
      ok('tenantplane', ['render', 'application', root, '--repo', repository.url, '--revision', 'main']).stdout,
    );
    await config(({ status }) => status?.sync?.status === 'Synced' && status.operationState?.phase === 'Succeeded');
  });
  afterAll(async () => {
    await argocd?.stop();
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until the Application of host/config is such. */
  async function config(holds: (app: Application) => boolean): Promise<Application | undefined> {
    const look = async (): Promise<Application | undefined> =>
      (await applications(cluster)).find(({ metadata }) => metadata.name === 'tenantplane-config');
    // it looks at once where it notices a change, and every two to three minutes where it has missed one
    return (await eventually(look, (app) => app !== undefined && holds(app), 200)).seen;
  }
  const shows = async (health: string): Promise<void> => {
    const app = await config(({ status }) => status?.health?.status === health);
    // no status stands in Git, and none makes a difference
    expect(app?.status?.sync?.status).toBe('Synced');
  };

  test('keeps what else its settings hold', async () => {
    const text = await kubectl(cluster, ['get', 'configmap', 'argocd-cm', '-n', 'argocd', '-o', 'jsonpath={.data.statusbadge\\.enabled}']);
    expect(text).toBe('true');
  });

  test('shows Progressing where no reconciler has seen the TenantCluster', () => shows('Progressing'));

  const steps: readonly (readonly [health: string, phase: string, said: readonly Said[]])[] = [
    ['Healthy', 'Ready', ['Ready=True Succeeded', 'ControlPlaneReady=True Available', 'IsolationEnforced=True Enforced']],
    ['Degraded', 'Degraded', ['Ready=False Crashing', 'ControlPlaneReady=False Crashing', 'IsolationEnforced=True Enforced']],
    ['Progressing', 'Provisioning', ['Ready=Unknown Progressing', 'Reconciling=True RollingRestart']],
    ['Suspended', 'Ready', ['Ready=True Succeeded', 'Paused=True User']],
    ['Degraded', 'Pending', ['Ready=False ProfileMissing', 'Stalled=True ProfileMissing']],
    ['Healthy', 'Ready', ['Ready=True Succeeded']],
  ];
  test.each(steps)('shows %s for phase %s and %j', async (health, phase, said) => {
    await writeStatus(cluster, phase, said);
    await shows(health);
  });

  test('shows Progressing again once Git brings another spec, until that is seen', async () => {
    edit(join(root, 'tenants/dev/tenant.yaml'), 'cpu: "2"', 'cpu: "3"');
    render(root);
    const revision = repository.commitTree(root);
    await refresh(cluster);
    await config(({ status }) => status?.sync?.revision === revision && status.health?.status === 'Progressing');
    await writeStatus(cluster, 'Ready', ['Ready=True Succeeded']);
    await shows('Healthy');
  });

  test('shows Progressing while it is being deleted', async () => {
    const tenant = ['tenantcluster', 'dev', '-n', 'team-dev'];
    const finalizers = (list: readonly string[]): string => JSON.stringify({ metadata: { finalizers: list } });
    await kubectl(cluster, ['patch', ...tenant, '--type=merge', '-p', finalizers(['tenantplane.io/control-plane'])]);
    await kubectl(cluster, ['delete', ...tenant, '--wait=false']);
    await config(({ status }) => status?.health?.status === 'Progressing');
    await kubectl(cluster, ['patch', ...tenant, '--type=merge', '-p', finalizers([])]);
  });
});
