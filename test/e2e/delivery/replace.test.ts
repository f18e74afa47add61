// Argo CD and Flux bring the same fields up in `argocd.test.ts` and `flux.test.ts`; what replaces an immutable one comes later.
// @module-tag release
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startArgoCd } from '../../bed/argocd.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ok } from '../workspace.ts';
import { applyManifests, refresh, synced, untilAll } from './argo-apps.ts';
import { eventually } from './eventually.ts';
import { prepareHost, render } from './fleet.ts';
import { fluxEngine } from './flux-engine.ts';
import { get, kubectl, list, writtenBy } from './host.ts';
import { createRepository } from './repository.ts';
import { edit, smallPackage } from './small-package.ts';

const WEB = 'deployment/web-x-default-x-dev';
const OWN = 'configmap/m1-x-default-x-dev';
const AT = ['-n', 'team-dev'] as const;
/** What a tenant would write to have its own objects replaced. */
const ASKED = 'annotations: { argocd.argoproj.io/sync-options: "Replace=true,Force=true", kustomize.toolkit.fluxcd.io/force: enabled }';

describe('an immutable field that a tenant changed, with spec.migration.replaceImmutable', { timeout: 300_000 }, () => {
  let folder: string;
  let root: string;
  let cluster: Cluster;

  beforeEach(async () => {
    // a test has no time to build them
    for (const tool of ['argocd', 'flux'] as const) await buildTool(tool);
    cluster = await startCluster({ kwok: 2 });
    await prepareHost(cluster);
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-replace-'));
    root = smallPackage(join(folder, 'fleet'), { configMaps: 3 });
    edit(join(root, 'tenants/dev/tenant.yaml'), 'spec:\n', 'spec:\n  migration: { replaceImmutable: true }\n');
    edit(join(root, 'tenants/dev/objects/m1.yaml'), 'name: m1', `name: m1, ${ASKED}`);
    render(root);
  });
  afterEach(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const changeSelector = (): void => {
    const file = join(root, 'tenants/dev/objects/web.yaml');
    edit(file, 'matchLabels:\n      app: web', 'matchLabels:\n      app: web\n      tier: front');
    edit(file, 'labels:\n        app: web', 'labels:\n        app: web\n        tier: front');
    edit(join(root, 'tenants/dev/objects/m1.yaml'), 'of: m1', 'of: somebody');
    render(root);
  };
  const hostFile = (name: string): string => readFileSync(join(root, 'host/team-dev', name), 'utf8');
  const uid = async (name: string): Promise<string> => (await get(cluster, [name, ...AT])).metadata.uid;
  const tiers = (): Promise<string> => kubectl(cluster, ['get', 'pods', ...AT, '-o', 'jsonpath={.items[*].metadata.labels.tier}']);

  /** Delivers the package, then the change, by one of the two. */
  async function replaces(manager: string, deliver: () => Promise<void>): Promise<void> {
    await deliver();
    const [web, own, before] = [await uid(WEB), await uid(OWN), await writtenBy(cluster, manager)];
    changeSelector();
    expect(hostFile('deployment.apps_web-x-default-x-dev.yaml')).toContain('sync-options: Replace=true,Force=true');
    // the tenant's own words reach nobody
    expect(hostFile('configmap_m1-x-default-x-dev.yaml')).not.toMatch(/Replace=true|force/i);
    await deliver();
    expect(await uid(WEB)).not.toBe(web);
    await eventually(tiers, (seen) => seen === 'front');
    const after = await writtenBy(cluster, manager);
    const written = [...after].filter(([name, at]) => before.get(name) !== at).map(([name]) => name);
    expect(written).toEqual(['ConfigMap team-dev/m1-x-default-x-dev', 'Deployment team-dev/web-x-default-x-dev']);
    // changed in place
    expect(await uid(OWN)).toBe(own);
    expect((await get(cluster, [OWN, ...AT])).data).toEqual({ of: 'somebody' });
    expect(
      (await list(cluster, ['configmaps,deployments', ...AT]))
        .filter((item) => item.metadata.annotations?.['kustomize.toolkit.fluxcd.io/force'] !== undefined)
        .map(({ metadata }) => metadata.name),
    ).toEqual(['web-x-default-x-dev']);
    // it stands until the object changes again, which is then no replace
    ok('tenantplane', ['render', root, '--check']);
    const done = await uid(WEB);
    edit(join(root, 'tenants/dev/objects/web.yaml'), 'web:1.0.3', 'web:1.0.4');
    render(root);
    expect(hostFile('deployment.apps_web-x-default-x-dev.yaml')).not.toContain('Replace=true');
    await deliver();
    expect(await uid(WEB)).toBe(done);
    expect(await kubectl(cluster, ['get', WEB, ...AT, '-o', 'jsonpath={.spec.template.spec.containers[0].image}'])).toMatch(/:1\.0\.4$/);
  }

  test('is replaced by Flux’s own engine, and its neighbours are left', async () => {
    const flux = await fluxEngine(cluster, root, folder);
    await replaces('kustomize-controller', async () => {
      flux.reconcile(ok('tenantplane', ['render', 'kustomization', root, '--source', 'GitRepository/fleet']).stdout);
    });
  });

  test('is replaced by Argo CD, and its neighbours are left', async () => {
    const repository = createRepository(join(folder, 'repository'));
    const argocd = await startArgoCd(cluster);
    try {
      let printed: string | undefined;
      await replaces('argocd-controller', async () => {
        const revision = repository.commitTree(root);
        if (printed === undefined) {
          printed = ok('tenantplane', ['render', 'application', root, '--repo', repository.url, '--revision', 'main']).stdout;
          await applyManifests(cluster, printed);
        } else await refresh(cluster);
        await untilAll(cluster, { count: 3, revision, holds: synced, limit: 120 });
      });
    } finally {
      await argocd.stop();
    }
  });
});
