import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ArgoCd, startArgoCd } from '../../bed/argocd.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ROOT } from '../workspace.ts';
import { applications, applyManifests, refresh, synced } from './argo-apps.ts';
import { eventually } from './eventually.ts';
import { prepareHost } from './fleet.ts';
import { isThere, kubectl } from './host.ts';
import { createRepository, type Repository } from './repository.ts';
import { smallPackage } from './small-package.ts';

const PLUGIN = readFileSync(join(ROOT, 'examples/delivery/argocd-plugin/plugin.yaml'), 'utf8');
const APPLICATION = readFileSync(join(ROOT, 'examples/delivery/argocd-plugin/application.yaml'), 'utf8');

describe('Argo CD’s source hydrator, with the plugin found by itself', { timeout: 300_000 }, () => {
  let folder: string;
  let repository: Repository;
  let cluster: Cluster;
  let argocd: ArgoCd;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-hydrator-'));
    const plugin = join(folder, 'plugin');
    mkdirSync(plugin);
    // a dry source names no plugin
    writeFileSync(join(plugin, 'plugin.yaml'), `${PLUGIN}  discover: { fileName: render.yaml }\n`);
    repository = createRepository(join(folder, 'repository'));
    smallPackage(repository.folder, { configMaps: 2 });
    repository.commit();
    cluster = await startCluster({ kwok: 2 });
    await prepareHost(cluster);
    argocd = await startArgoCd(cluster, { plugin, bin: inject('bin'), hydrator: true });
  });
  afterAll(async () => {
    await argocd?.stop();
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const hydrated = (): string =>
    execFileSync('git', ['show', 'hydrated:fleet/manifest.yaml'], { cwd: repository.folder, encoding: 'utf8', stdio: 'pipe' });
  const inSync = async (): Promise<void> => {
    await eventually(
      () => applications(cluster),
      (apps) => apps.length === 1 && apps.every(synced),
      120,
    );
  };

  test('renders the sources, pushes one file, and applies that', async () => {
    const { spec, ...rest } = load(APPLICATION) as { spec: object };
    const source = {
      drySource: { repoURL: repository.url, targetRevision: 'main', path: '.' },
      syncSource: { targetBranch: 'hydrated', path: 'fleet' },
    };
    const write = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'write', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository-write' } },
      stringData: { url: repository.url, type: 'git' },
    };
    const app = { ...rest, spec: { ...spec, source: undefined, sourceHydrator: source } };
    await applyManifests(cluster, [write, app].map((one) => JSON.stringify(one)).join('\n---\n'));
    await inSync();
    expect(hydrated()).toContain('name: tenantplane-default-deny');
    expect(await isThere(cluster, ['deployment/web-x-default-x-dev', '-n', 'team-dev'])).toBe(true);
  });

  test('follows a change of the sources, and prunes', async () => {
    rmSync(join(repository.folder, 'tenants/dev/objects/m1.yaml'));
    repository.commit();
    await kubectl(cluster, ['annotate', 'applications', '--all', '-n', 'argocd', '--overwrite', 'argocd.argoproj.io/hydrate=normal']);
    await eventually(
      async () => {
        // it may look before the hydrated branch has the change, and by itself only two minutes later
        await refresh(cluster);
        return isThere(cluster, ['configmap/m1-x-default-x-dev', '-n', 'team-dev']);
      },
      (there) => !there,
      120,
    );
    expect(hydrated()).not.toContain('name: m1-x-default-x-dev');
    await inSync();
    expect(await isThere(cluster, ['configmap/m0-x-default-x-dev', '-n', 'team-dev'])).toBe(true);
  });
});
