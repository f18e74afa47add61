import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { type KustomizeController, startKustomizeController } from '../../bed/kustomize-controller.ts';
import { eventually } from '../delivery/eventually.ts';
import { prepareHost, render } from '../delivery/fleet.ts';
import { get, kubectl } from '../delivery/host.ts';
import { smallPackage } from '../delivery/small-package.ts';
import { ok, ROOT } from '../workspace.ts';
import { type Said, writeStatus } from './tenant-status.ts';

const CONFIG = ['kustomization/tenantplane-config', '-n', 'flux-system'];

interface Kustomization {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastAttemptedRevision?: string;
    readonly lastAppliedRevision?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
  };
}

describe('a Kustomization of host/config with wait: true, by Flux’s real kustomize-controller', { timeout: 300_000 }, () => {
  let folder: string;
  let root: string;
  let cluster: Cluster;
  let flux: KustomizeController;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-flux-health-'));
    root = smallPackage(join(folder, 'fleet'));
    cluster = await startCluster({ kwok: 2 });
    await prepareHost(cluster);
    flux = await startKustomizeController(cluster);
    render(root);
    const revision = await flux.publish(root);
    await kubectl(cluster, ['apply', '--server-side', '-f', '-'], printed());
    // where no reconciler is, kstatus takes what has no status for what is done
    await until((seen) => ready(seen)?.status === 'True' && seen.status?.lastAppliedRevision === revision);
  });
  afterAll(async () => {
    await flux?.stop();
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const printed = (): string => ok('tenantplane', ['render', 'kustomization', root, '--source', 'GitRepository/fleet']).stdout;
  const ready = ({ status }: Kustomization) => status?.conditions?.find(({ type }) => type === 'Ready');
  const look = (): Promise<Kustomization> => get<Kustomization>(cluster, CONFIG);
  const until = async (holds: (seen: Kustomization) => boolean): Promise<Kustomization> => (await eventually(look, holds, 120)).seen;
  const said = (phase: string, ...conditions: Said[]): Promise<void> => writeStatus(cluster, phase, conditions);
  /** It is at this revision, and waits; and goes on to wait. */
  const waitsAt = async (revision: string): Promise<void> => {
    const waits = (seen: Kustomization): boolean => seen.status?.lastAttemptedRevision === revision && ready(seen)?.status === 'Unknown';
    await until(waits);
    await sleep(5_000);
    expect(await look()).toSatisfy(waits);
  };
  const isReadyAt = async (revision: string): Promise<void> => {
    await until((seen) => ready(seen)?.status === 'True' && seen.status?.lastAppliedRevision === revision);
  };

  test('waits for a TenantCluster that is being made, and is ready when that is', async () => {
    await said('Provisioning', 'Ready=Unknown Progressing', 'Reconciling=True Provisioning');
    const revision = await flux.publish(root);
    await waitsAt(revision);
    await said('Ready', 'Ready=True Succeeded');
    await isReadyAt(revision);
  });

  test('waits where the TenantCluster was ready and is no more, since that may pass', { tags: 'release' }, async () => {
    await said('Degraded', 'Ready=False Crashing', 'ControlPlaneReady=False Crashing');
    const revision = await flux.publish(root);
    await waitsAt(revision);
    await said('Ready', 'Ready=True Succeeded');
    await isReadyAt(revision);
  });

  test('fails at once where nothing goes on by itself, and names the TenantCluster', async () => {
    await said('Pending', 'Ready=False ProfileMissing', 'Stalled=True ProfileMissing');
    const revision = await flux.publish(root);
    const failed = await until((seen) => ready(seen)?.status === 'False' && seen.status?.lastAttemptedRevision === revision);
    expect(ready(failed)).toMatchObject({ reason: 'HealthCheckFailed', message: expect.stringContaining('TenantCluster/team-dev/dev') });
    await said('Ready', 'Ready=True Succeeded');
    await isReadyAt(await flux.publish(root));
  });

  test('with the expressions of the docs waits for a TenantCluster that no reconciler has seen yet', async () => {
    const page = readFileSync(join(ROOT, 'docs/install-reconciler.md'), 'utf8');
    const block = /```yaml\n(spec:\n {2}healthCheckExprs:[\s\S]*?)```/.exec(page)?.[1] ?? '';
    const added = (load(block) as { spec: JsonObject }).spec;
    const [config] = (loadAll(printed()) as { metadata: { name: string }; spec: JsonObject }[]).filter(
      ({ metadata }) => metadata.name === 'tenantplane-config',
    );
    await kubectl(cluster, ['apply', '--server-side', '-f', '-'], JSON.stringify({ ...config, spec: { ...config?.spec, ...added } }));
    // a pass that the new spec began could make the TenantCluster again, and wait for it at the old revision
    await until((seen) => ready(seen)?.status === 'True' && seen.status?.observedGeneration === seen.metadata.generation);
    await kubectl(cluster, ['delete', 'tenantcluster/dev', '-n', 'team-dev']);
    const revision = await flux.publish(root);
    await waitsAt(revision);
    await said('Provisioning', 'Ready=Unknown Progressing');
    await waitsAt(revision);
    await said('Ready', 'Ready=True Succeeded');
    await isReadyAt(revision);
    await said('Pending', 'Ready=False ProfileMissing', 'Stalled=True ProfileMissing');
    const next = await flux.publish(root);
    await until((seen) => ready(seen)?.status === 'False' && seen.status?.lastAttemptedRevision === next);
  });
});
