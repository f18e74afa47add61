import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startArgoCd } from '../../bed/argocd.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ok } from '../workspace.ts';
import { applications, applyManifests, synced, untilAll } from './argo-apps.ts';
import { eventually } from './eventually.ts';
import { prepareHost, render } from './fleet.ts';
import { fluxEngine } from './flux-engine.ts';
import { kubectl } from './host.ts';
import { createRepository } from './repository.ts';
import { edit, smallPackage } from './small-package.ts';

/** As long as a namespace may be, and alike up to their last letters. */
const LONG = ['dev', 'qas'].map((end) => `${'long-'.repeat(12)}${end}`);
/** As long as `--name` may be. */
const NAME = ['--name', 'a-rather-long-prefix-for-a-fleet'];

describe('tenants with the longest names', { timeout: 300_000 }, () => {
  let folder: string;
  let root: string;
  let cluster: Cluster;

  beforeAll(async () => {
    // a test has no time to build them
    for (const tool of ['argocd', 'flux'] as const) await buildTool(tool);
    expect(LONG.map((name) => name.length)).toEqual([63, 63]);
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-names-'));
    root = smallPackage(join(folder, 'fleet'));
    cpSync(join(root, 'tenants/dev'), join(root, 'tenants/qas'), { recursive: true });
    edit(join(root, 'tenants/qas/tenant.yaml'), 'name: dev', 'name: qas');
    for (const [index, tenant] of ['dev', 'qas'].entries())
      edit(join(root, `tenants/${tenant}/tenant.yaml`), 'namespace: team-dev', `namespace: ${LONG[index]}`);
    render(root);
    cluster = await startCluster({ kwok: 2 });
    await prepareHost(cluster);
  });
  afterAll(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const printed = (command: string, ...flags: string[]): string => ok('tenantplane', ['render', command, root, ...NAME, ...flags]).stdout;
  const namesOf = (text: string, kind: string): string[] =>
    (loadAll(text) as { kind: string; metadata: { name: string } }[]).filter((row) => row.kind === kind).map((row) => row.metadata.name);

  test('an ApplicationSet names their Applications as `render application` does, and they sync', async () => {
    const repository = createRepository(join(folder, 'repository'));
    const revision = repository.commitTree(root);
    const flags = ['--repo', repository.url, '--revision', 'main'];
    const argocd = await startArgoCd(cluster, { applicationSets: true });
    try {
      const set = printed('applicationset', ...flags);
      await applyManifests(cluster, set);
      await untilAll(cluster, { count: 4, revision, holds: synced, limit: 150 });
      const names = (await applications(cluster)).map(({ metadata }) => metadata.name);
      expect(names.sort()).toEqual(namesOf(printed('application', ...flags), 'Application').sort());
      expect(Math.max(...names.map((name) => name.length))).toBe(63);
      // as docs/delivery.md says; before the first refresh Argo CD has written a status alone
      const again = async (): Promise<string> => (await cluster.kubectl(['apply', '--server-side', '-f', '-'], { input: set })).stderr;
      expect(await again()).toBe('');
      await kubectl(cluster, ['annotate', 'applicationset', '--all', '-n', 'argocd', 'argocd.argoproj.io/application-set-refresh=true']);
      const { seen } = await eventually(again, (refused) => refused !== '', 30);
      expect(seen).toMatch(/conflict with "argocd".*:\s.*\.spec\.generators/);
      await applyManifests(cluster, set);
    } finally {
      await argocd.stop();
    }
  });

  test('Flux’s own engine writes the names of their Kustomizations as labels', async () => {
    const text = printed('kustomization', '--source', 'GitRepository/fleet');
    (await fluxEngine(cluster, root, folder)).reconcile(text);
    const label = 'jsonpath={.metadata.labels.kustomize\\.toolkit\\.fluxcd\\.io/name}';
    const labels = await Promise.all(LONG.map((name) => kubectl(cluster, ['get', 'namespace', name, '-o', label])));
    expect(new Set(labels).size).toBe(2);
    expect(namesOf(text, 'Kustomization')).toEqual(expect.arrayContaining(labels));
    for (const name of labels) expect(name.length).toBe(63);
  });
});
