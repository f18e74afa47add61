import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ArgoCd, startArgoCd } from '../../bed/argocd.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { blocksOf, readPage } from '../../docs/markdown.ts';
import { hostFiles, objectsOf, ok, ROOT, run, scratch } from '../workspace.ts';
import { type Application, applications, applyManifests, refresh, synced, untilAll } from './argo-apps.ts';
import { eventually } from './eventually.ts';
import { prepareHost } from './fleet.ts';
import { isThere, kubectl, list } from './host.ts';
import { createRepository, type Repository } from './repository.ts';

const DELIVERY = join(ROOT, 'examples/delivery');

/** The commands of a README's shell blocks. */
const commandsOf = (readme: string): string[] =>
  blocksOf(readPage(readme))
    .filter(({ language }) => language === 'sh')
    .flatMap(({ lines }) => lines);

test('examples/delivery/kustomize: its command gives what stands beside it', () => {
  const [command = ''] = commandsOf('examples/delivery/kustomize/README.md');
  const built = ok('bash', ['-c', command]).stdout;
  const golden = join(DELIVERY, 'kustomize/expected.yaml');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, built);
  expect(built).toContain('tenantplane.io/decision');
  expect(built).toBe(readFileSync(golden, 'utf8'));
});

describe('on a real cluster', { timeout: 300_000 }, () => {
  let cluster: Cluster;
  let argocd: ArgoCd;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-delivery-'));
    cluster = await startCluster({ kwok: 3 });
    await prepareHost(cluster);
    const plugin = join(folder, 'plugin');
    mkdirSync(plugin);
    cpSync(join(DELIVERY, 'argocd-plugin/plugin.yaml'), join(plugin, 'plugin.yaml'));
    argocd = await startArgoCd(cluster, { plugin, bin: inject('bin') });
  });
  afterAll(async () => {
    await argocd?.stop();
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  test('the files for Argo CD are taken by its own CRDs without a warning', async () => {
    for (const file of ['application.yaml', 'applicationset.yaml', 'project.yaml']) {
      const ran = await cluster.kubectl(['apply', '--server-side', '--dry-run=server', '-f', join(DELIVERY, 'argocd', file)]);
      expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
    }
  });

  test('examples/delivery/kpt: its commands render and apply it', async () => {
    const root = join(scratch(), 'kpt');
    cpSync(join(DELIVERY, 'kpt'), root, { recursive: true });
    const before = hostFiles(root);
    const script = commandsOf('examples/delivery/kpt/README.md').join('\n');
    ok('bash', ['-e', '-c', script], { cwd: root, env: { KUBECONFIG: cluster.kubeconfig } });
    expect(hostFiles(root)).toEqual(before);
    expect((await list(cluster, ['deployments', '-A'])).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'team-dev/api-x-default-x-dev',
      'team-dev/web-x-default-x-dev',
    ]);
    // kpt lets go of a quota with an update, which loses against the quota's own controller now and then; nothing else may fail
    const { stdout } = run('kpt', ['live', 'destroy', root, '--kubeconfig', cluster.kubeconfig]);
    expect(
      stdout.split('\n').filter((line) => line.includes('failed') && !/^resourcequota.*has been modified|summary|result/.test(line)),
    ).toEqual([]);
    expect(await list(cluster, ['deployments', '-A'])).toEqual([]);
    expect(await isThere(cluster, ['namespace/team-dev'])).toBe(true);
  });

  describe('examples/delivery/argocd-plugin', () => {
    let repository: Repository;
    let sources: string;
    let revision: string;
    beforeAll(async () => {
      repository = createRepository(join(folder, 'repository'));
      sources = repository.folder;
      cpSync(copyPackageOf('examples/first-tenant'), sources, { recursive: true });
      revision = repository.commit();
      const application = readFileSync(join(DELIVERY, 'argocd-plugin/application.yaml'), 'utf8');
      await applyManifests(cluster, application.replace(/repoURL: .*/, `repoURL: ${repository.url}`));
    });

    test('renders the sources in Argo CD, the tenant that is asked for', async () => {
      await untilAll(cluster, { count: 1, revision, holds: synced, limit: 120 });
      const root = copyPackageOf('examples/first-tenant');
      ok('tenantplane', ['render', root, '--quiet', '--tenant', 'dev']);
      const [app] = await applications(cluster);
      expect(app?.status?.resources?.length).toBe(objectsOf(hostFiles(root)).size);
      expect(await isThere(cluster, ['deployment/web-x-default-x-dev', '-n', 'team-dev'])).toBe(true);
    });

    test('a tenant that is refused is an error, and nothing is removed', async () => {
      const smuggled =
        'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: { name: loose }\nspec: { level: baseline }\n';
      writeFileSync(join(sources, 'tenants/dev/objects/smuggled.yaml'), smuggled);
      repository.commit();
      await refresh(cluster);
      const conditions = async (): Promise<Application['status']> => (await applications(cluster))[0]?.status;
      const { seen } = await eventually(
        conditions,
        (status) => status?.conditions?.some(({ type }) => type === 'ComparisonError') === true,
      );
      expect(JSON.stringify(seen?.conditions)).toContain('objects/smuggled.yaml');
      expect(await isThere(cluster, ['deployment/web-x-default-x-dev', '-n', 'team-dev'])).toBe(true);
      expect(await kubectl(cluster, ['get', 'namespace/team-dev', '-o', 'jsonpath={.status.phase}'])).toBe('Active');
    });
  });

  function copyPackageOf(path: string): string {
    const copy = join(mkdtempSync(join(folder, 'copy-')), 'package');
    cpSync(join(ROOT, path), copy, { recursive: true, filter: (file) => !/\/(host|README\.md)(\/|$)/.test(file.slice(ROOT.length)) });
    return copy;
  }
});
