import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ok } from '../workspace.ts';
import { CLAIM, FLAGS, fleetPackage, prepareHost, render, TENANTS, WEB } from './fleet.ts';
import { type FluxEngine, fluxEngine, onlyOf, reportsOf } from './flux-engine.ts';
import { get, isThere, kubectl, list, writtenBy } from './host.ts';

const SHARED = ['tenantplane-shared-dev.isolation', 'tenantplane-shared-dev'];

describe('Flux’s own engine with the generated Kustomizations', { timeout: 500_000 }, () => {
  let flux: FluxEngine;
  let folder: string;
  let root: string;
  let cluster: Cluster;
  let kustomizations: string;
  const times: Record<string, number> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-flux-'));
    root = fleetPackage(join(folder, 'fleet'));
    render(root);
    kustomizations = printed();
    cluster = await startCluster({ kwok: 5 });
    await prepareHost(cluster);
    flux = await fluxEngine(cluster, root, folder);
  });
  afterAll(async () => {
    console.info(`Flux: ${JSON.stringify(times)}`);
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const printed = (): string => ok('tenantplane', ['render', 'kustomization', root, '--source', 'GitRepository/fleet']).stdout;
  const reconcile = (input = kustomizations): Record<string, string[]> => flux.reconcile(input);
  const only = (...names: string[]): string => onlyOf(kustomizations, ...names);

  const withoutLine = <T>(path: string, line: string, act: () => T): T => {
    const file = join(root, path);
    const text = readFileSync(file, 'utf8');
    const rest = text.split('\n').filter((candidate) => !candidate.endsWith(line));
    expect(rest).toHaveLength(text.split('\n').length - 1);
    writeFileSync(file, rest.join('\n'));
    const result = act();
    writeFileSync(file, text);
    return result;
  };

  test('brings the fleet up, and its pods behind its policies', async () => {
    const begin = Date.now();
    const { created, configured } = reconcile();
    times['fleet applied and ready'] = (Date.now() - begin) / 1000;
    expect(created?.length).toBeGreaterThan(20 * TENANTS);
    expect(configured).toBeUndefined();
    for (const tenant of ['shared-dev', 'atlas-prod']) {
      const turn = (kind: string): number[] => created?.flatMap((name, at) => (name.startsWith(`${kind}/${tenant}/`) ? [at] : [])) ?? [];
      expect(turn('NetworkPolicy').length).toBeGreaterThan(1);
      expect(Math.max(...turn('NetworkPolicy'))).toBeLessThan(Math.min(...turn('Deployment')));
    }
    expect(await list(cluster, ['pods', '-A', '--field-selector=status.phase!=Running'])).toEqual([]);
  });

  test('a second run changes nothing; what is written once is passed over', async () => {
    const before = await writtenBy(cluster, 'kustomize-controller');
    const begin = Date.now();
    expect(reconcile()).toEqual({ skipped: ['ConfigMap/shared-dev/flags-x-default-x-shared'] });
    times['second run'] = (Date.now() - begin) / 1000;
    expect(await writtenBy(cluster, 'kustomize-controller')).toEqual(before);
  });

  test('substitutes no variable in a tenant’s text', async () => {
    const substituting = (loadAll(only('tenantplane-shared-dev')) as { spec: object }[]).map((document) =>
      JSON.stringify({ ...document, spec: { ...document.spec, postBuild: { substitute: { HOME: '/elsewhere' } } } }),
    );
    const echoed = (): Promise<string> =>
      kubectl(cluster, ['get', ...WEB, '-o', 'jsonpath={.spec.template.spec.containers[0].command[2]}']);
    reconcile(substituting.join('\n---\n'));
    expect(await echoed()).toMatch(/^echo "\$\{HOME\}"/);
    // what the annotation is for
    withoutLine('host/shared-dev/deployment.apps_web-x-default-x-shared.yaml', 'substitute: disabled', () =>
      reconcile(substituting.join('\n---\n')),
    );
    expect(await echoed()).toMatch(/^echo "\/elsewhere"/);
    reconcile(only(...SHARED));
  });

  test('puts a drift back, and leaves alone what the host may change', async () => {
    await kubectl(cluster, ['delete', 'networkpolicy/tenantplane-default-deny', '-n', 'shared-dev']);
    await kubectl(cluster, ['label', 'namespace', 'shared-dev', 'pod-security.kubernetes.io/enforce=privileged', '--overwrite']);
    await kubectl(cluster, ['patch', ...FLAGS, '--type=merge', '-p', '{"data":{"beta":"on"}}']);
    const { created, configured } = reconcile(only(...SHARED));
    expect(created).toEqual(['NetworkPolicy/shared-dev/tenantplane-default-deny']);
    expect(configured).toEqual(['Namespace/shared-dev']);
    expect((await get(cluster, FLAGS)).data).toEqual({ beta: 'on' });
  });

  // what the annotation is for: without it the same edit is undone
  test('puts back the same edit where the annotation is not there', async () => {
    const { configured } = withoutLine('host/shared-dev/configmap_flags-x-default-x-shared.yaml', 'ssa: IfNotPresent', () =>
      reconcile(only(...SHARED)),
    );
    expect(configured).toEqual(['ConfigMap/shared-dev/flags-x-default-x-shared']);
    expect((await get(cluster, FLAGS)).data).toEqual({ beta: 'off' });
  });

  test('prunes what left the tree, except claims and what closes the namespace', async () => {
    for (const name of ['web', 'data']) rmSync(join(root, `tenants/shared/objects/${name}.yaml`));
    render(root);
    rmSync(join(root, 'host/shared-dev/limitrange_tenantplane-defaults.yaml'));
    const begin = Date.now();
    const { deleted, skipped } = reconcile(only(...SHARED));
    times['pruned'] = (Date.now() - begin) / 1000;
    expect(deleted).toEqual(['Deployment/shared-dev/web-x-default-x-shared']);
    expect(skipped?.sort()).toEqual([
      'ConfigMap/shared-dev/flags-x-default-x-shared',
      'LimitRange/shared-dev/tenantplane-defaults',
      'PersistentVolumeClaim/shared-dev/data-x-default-x-shared',
    ]);
    expect((await get(cluster, CLAIM)).metadata.deletionTimestamp).toBeUndefined();
    expect(await isThere(cluster, ['limitrange/tenantplane-defaults', '-n', 'shared-dev'])).toBe(true);
  });

  test('one Kustomization that fails holds back what depends on it, and nobody else', () => {
    const [broken] = loadAll(only('tenantplane-shared-dev')) as { spec: { path: string } }[];
    const documents = [
      { ...broken, metadata: { name: 'broken', namespace: 'flux-system' }, spec: { ...broken?.spec, path: './nowhere' } },
      { ...broken, metadata: { name: 'behind', namespace: 'flux-system' }, spec: { ...broken?.spec, dependsOn: [{ name: 'broken' }] } },
    ];
    const ran = flux.call(
      `${documents.map((document) => JSON.stringify(document)).join('\n---\n')}\n---\n${only('tenantplane-atlas-dev')}`,
    );
    expect(ran.status).toBe(1);
    expect(Object.fromEntries(reportsOf(ran).map(({ name, error }) => [name, error ?? 'ready']))).toEqual({
      broken: expect.stringContaining('no such file'),
      behind: 'dependency broken is not ready',
      'tenantplane-atlas-dev': 'ready',
    });
  });
});
