import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ArgoCd, memoryOf, startArgoCd } from '../../bed/argocd.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ok } from '../workspace.ts';
import { applyManifests, healthy, refresh, syncEverything, synced, untilAll } from './argo-apps.ts';
import { eventually } from './eventually.ts';
import { CLAIM, FLAGS, fleetPackage, giveIngressesAddresses, prepareHost, render, TENANTS, WEB } from './fleet.ts';
import { get, isThere, kubectl, rendered, writtenBy } from './host.ts';
import { createRepository, type Repository } from './repository.ts';

const SHARED = 'tenantplane-shared-dev';
/** Longest that a fleet may take on a busy machine, in seconds. */
const LIMIT = 420;

describe('real Argo CD with the generated ApplicationSet', { timeout: 500_000 }, () => {
  let folder: string;
  let root: string;
  let repository: Repository;
  let cluster: Cluster;
  let argocd: ArgoCd;
  let revision: string;
  /** of the tenants and of host/config, and of host/platform where there is one */
  let count: number;
  const times: Record<string, number> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-argocd-'));
    root = fleetPackage(join(folder, 'fleet'));
    render(root);
    repository = createRepository(join(folder, 'repository'));
    revision = repository.commitTree(root);
    cluster = await startCluster({ kwok: 5 });
    await prepareHost(cluster);
    argocd = await startArgoCd(cluster, { applicationSets: true });
  });
  afterAll(async () => {
    const memory = argocd?.processes.map(({ name, pid }) => `${name} ${memoryOf(pid)} MiB`).join(', ');
    console.info(`Argo CD: ${JSON.stringify(times)}; ${memory}`);
    await argocd?.stop();
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  test('brings the fleet to Synced and Healthy', async () => {
    const printed = ok('tenantplane', ['render', 'applicationset', root, '--repo', repository.url, '--revision', 'main']).stdout;
    count = TENANTS + 1 + [...printed.matchAll(/^kind: Application$/gm)].length;
    await applyManifests(cluster, printed);
    times['fleet to Synced'] = await untilAll(cluster, { count, revision, holds: synced, limit: LIMIT });
    await giveIngressesAddresses(cluster);
    times['then to Healthy'] = await untilAll(cluster, { count, revision, holds: healthy, limit: LIMIT });
  });

  test('a second sync writes nothing', async () => {
    const before = await writtenBy(cluster, 'argocd-controller');
    expect(before.size).toBeGreaterThan(20 * TENANTS);
    expect([...before].filter(([, written]) => written.endsWith(' never'))).toEqual([]);
    const begin = Date.now();
    for (const name of [SHARED, 'tenantplane-atlas-prod', 'tenantplane-config']) await syncEverything(cluster, name);
    times['second sync of three'] = (Date.now() - begin) / 1000;
    expect(await writtenBy(cluster, 'argocd-controller')).toEqual(before);
  });

  test('heals a drift', async () => {
    const policy = ['networkpolicy/tenantplane-default-deny', '-n', 'atlas-prod'];
    const before = await get(cluster, policy);
    await kubectl(cluster, ['delete', ...policy]);
    await kubectl(cluster, ['label', 'namespace', 'shared-dev', 'pod-security.kubernetes.io/enforce=privileged', '--overwrite']);
    const healed = await eventually(
      async () => [
        await isThere(cluster, policy),
        await kubectl(cluster, [
          'get',
          'namespace',
          'shared-dev',
          '-o',
          'jsonpath={.metadata.labels.pod-security\\.kubernetes\\.io/enforce}',
        ]),
      ],
      ([there, level]) => there === true && level === 'baseline',
    );
    times['drift healed'] = healed.seconds;
    expect((await get(cluster, policy)).metadata.uid).not.toBe(before.metadata.uid);
  });

  describe('what both sides may change', () => {
    const data = async (): Promise<unknown> => (await get(cluster, FLAGS)).data;
    const HOST = { beta: 'on', added: 'by the host' };

    test('is left as the host changed it, by self-heal and by a sync of everything', async () => {
      await kubectl(cluster, ['patch', ...FLAGS, '--type=merge', '-p', JSON.stringify({ data: HOST })]);
      await refresh(cluster);
      // self-heal takes five seconds
      await sleep(12_000);
      await untilAll(cluster, { count, revision, holds: synced, limit: 60 });
      await syncEverything(cluster, SHARED);
      expect(await data()).toEqual(HOST);
    });

    test('is left alone even where Git changes, and gets its new metadata', async () => {
      writeFileSync(
        join(root, 'tenants/shared/objects/flags.yaml'),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: flags, labels: { round: two } }\ndata: { beta: "git" }\n',
      );
      render(root);
      revision = repository.commitTree(root);
      await refresh(cluster);
      await untilAll(cluster, { count, revision, holds: synced, limit: LIMIT });
      expect(await data()).toEqual(HOST);
      expect(await kubectl(cluster, ['get', ...FLAGS, '-o', 'jsonpath={.metadata.labels.round}'])).toBe('two');
    });

    // what the annotation and the generated Application are for: without them the same edit is undone
    test('is fought over by a plain directory', async () => {
      mkdirSync(join(repository.folder, 'plain'));
      writeFileSync(
        join(repository.folder, 'plain/flags.yaml'),
        (
          await kubectl(cluster, [
            'create',
            'configmap',
            'plain',
            '-n',
            'default',
            '--from-literal=beta=off',
            '--dry-run=client',
            '-o',
            'yaml',
          ])
        ).replace('name: plain', 'name: plain\n  annotations: { client.lifecycle.config.k8s.io/mutation: ignore }'),
      );
      revision = repository.commit();
      await applyManifests(cluster, plainDirectory(repository.url));
      // what follows counts Applications
      onTestFinished(() => kubectl(cluster, ['delete', 'application/plain', '-n', 'argocd']).then(() => undefined));
      const beta = (): Promise<string> => kubectl(cluster, ['get', 'configmap/plain', '-n', 'default', '-o', 'jsonpath={.data.beta}']);
      await eventually(
        () => isThere(cluster, ['configmap/plain', '-n', 'default']),
        (there) => there,
      );
      await kubectl(cluster, ['patch', 'configmap/plain', '-n', 'default', '--type=merge', '-p', '{"data":{"beta":"on"}}']);
      // Argo CD waits before it heals again what it has just synced, a minute and more on a busy machine
      await eventually(beta, (value) => value === 'off', 240);
    });
  });

  describe('what leaves the tree', () => {
    test('goes, except claims and what closes the namespace, and the Application is in sync again', async () => {
      const claim = await get(cluster, CLAIM);
      for (const name of ['web', 'data']) rmSync(join(root, `tenants/shared/objects/${name}.yaml`));
      render(root);
      rmSync(join(root, 'host/shared-dev/limitrange_tenantplane-defaults.yaml'));
      revision = repository.commitTree(root);
      await refresh(cluster);
      times['pruned'] = (
        await eventually(
          () => isThere(cluster, WEB),
          (there) => !there,
        )
      ).seconds;
      await untilAll(cluster, { count, revision, holds: healthy, limit: LIMIT });
      expect((await get(cluster, CLAIM)).metadata).toMatchObject({ uid: claim.metadata.uid });
      expect((await get(cluster, CLAIM)).metadata.deletionTimestamp).toBeUndefined();
      expect(await isThere(cluster, ['limitrange/tenantplane-defaults', '-n', 'shared-dev'])).toBe(true);
    });

    test('a tenant that leaves takes its workloads, and leaves its data behind closed doors', async () => {
      const kinds = async (): Promise<string[]> => {
        const left = (await rendered(cluster)).filter(({ metadata }) => (metadata.namespace ?? metadata.name).endsWith('atlas-dev'));
        return [...new Set(left.map(({ kind }) => kind))].sort();
      };
      expect(await kinds()).toContain('Deployment');
      rmSync(join(root, 'tenants/atlas-dev'), { recursive: true });
      render(root, '--max-deletions', '50');
      revision = repository.commitTree(root);
      await kubectl(cluster, ['annotate', 'applicationset', '--all', '-n', 'argocd', 'argocd.argoproj.io/application-set-refresh=true']);
      const { seconds } = await eventually(kinds, (left) => !left.includes('Deployment') && !left.includes('Service'), LIMIT);
      times['tenant gone'] = seconds;
      expect(await kinds()).toEqual(['LimitRange', 'Namespace', 'NetworkPolicy', 'ResourceQuota']);
      await refresh(cluster);
      await untilAll(cluster, { count: count - 1, revision, holds: synced, limit: LIMIT });
      expect(await isThere(cluster, ['tenantcluster/atlas-dev', '-n', 'atlas-dev'])).toBe(false);
    });
  });
});

function plainDirectory(repoURL: string): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'plain', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL, targetRevision: 'main', path: 'plain' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['ServerSideApply=true'] },
    },
  });
}
