import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadAll } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { type KustomizeController, startKustomizeController } from '../../bed/kustomize-controller.ts';
import { ok } from '../workspace.ts';
import { eventually } from './eventually.ts';
import { prepareHost, render } from './fleet.ts';
import { isThere, kubectl, type Live, list, rendered } from './host.ts';
import { edit, smallPackage } from './small-package.ts';

const CLAIM = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
const OBJECTS = 'tenantplane-team-dev';
const ISOLATION = 'tenantplane-team-dev.isolation';

interface Kustomization {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly status?: {
    readonly lastAppliedRevision?: string;
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
}

describe('a Kustomization that is deleted, by Flux’s real kustomize-controller', { timeout: 400_000 }, () => {
  let folder: string;
  let root: string;
  let cluster: Cluster;
  let flux: KustomizeController;

  beforeEach(async () => {
    cluster = await startCluster({ kwok: 2 });
    await prepareHost(cluster);
    flux = await startKustomizeController(cluster);
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-flux-controller-'));
    root = smallPackage(join(folder, 'fleet'), { configMaps: 12 });
    writeFileSync(join(root, 'tenants/dev/objects/data.yaml'), CLAIM);
    const listed = '- { apiVersion: v1, kind: ConfigMap, direction: toHost }';
    edit(join(root, 'platform/policies.yaml'), listed, `${listed}\n    ${listed.replace('ConfigMap', 'PersistentVolumeClaim')}`);
    edit(join(root, 'render.yaml'), 'sources: mark', 'shards: 1');
    await publish();
  });
  afterEach(async () => {
    await flux?.stop();
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const printed = (...flags: string[]): string =>
    ok('tenantplane', ['render', 'kustomization', root, '--source', 'GitRepository/fleet', ...flags]).stdout;
  /** A commit of the tree and of what applies it; what is printed no more goes. Waits until every Kustomization is ready at it. */
  const publish = async (...flags: string[]): Promise<readonly string[]> => {
    render(root);
    const text = printed(...flags);
    const names = (loadAll(text) as Kustomization[]).map(({ metadata }) => metadata.name).sort();
    const revision = await flux.publish(root);
    await kubectl(cluster, ['apply', '--server-side', '-f', '-'], text);
    const standing = await list<Kustomization>(cluster, ['kustomization', '-n', 'flux-system']);
    for (const { metadata } of standing) if (!names.includes(metadata.name)) await drop(metadata.name);
    await eventually(
      () => list<Kustomization>(cluster, ['kustomization', '-n', 'flux-system']),
      (seen) => seen.length === names.length && seen.every((each) => isReadyAt(each, revision)),
      180,
    );
    return names;
  };
  /** kubectl waits until the controller has let its finalizer go, so it has done what it does. */
  const drop = (name: string): Promise<string> => kubectl(cluster, ['delete', '-n', 'flux-system', `kustomization/${name}`]);
  const lines = (objects: readonly Live[]): string[] =>
    objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name} ${metadata.uid}`).sort();
  const live = async (): Promise<readonly Live[]> =>
    (await rendered(cluster)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const shared = async (): Promise<string[]> =>
    lines(
      await list(cluster, ['validatingadmissionpolicy,validatingadmissionpolicybinding,tenantcluster,isolationprofile,syncpolicy', '-A']),
    );
  const kindsOf = (objects: readonly Live[]): string[] => [...new Set(objects.map(({ kind }) => kind))].sort();

  test('takes what is pruned with it, and leaves data, walls, policies and configuration', async () => {
    const before = await live();
    expect(kindsOf(before)).toEqual(expect.arrayContaining(['ConfigMap', 'Deployment', 'PersistentVolumeClaim', 'Namespace']));
    const around = await shared();
    expect(around.length).toBeGreaterThan(20);
    const kept = before.filter(({ metadata }) => metadata.annotations?.['kustomize.toolkit.fluxcd.io/prune'] === 'disabled');
    expect(kindsOf(kept)).toEqual(['LimitRange', 'Namespace', 'NetworkPolicy', 'PersistentVolumeClaim', 'ResourceQuota']);

    await drop(OBJECTS);
    const left = await live();
    expect(kindsOf(left)).toEqual(expect.arrayContaining(kindsOf(kept)));
    expect(kindsOf(left)).not.toContain('Deployment');
    expect(kindsOf(left)).not.toContain('ConfigMap');

    await drop(ISOLATION);
    const after = await live();
    // those of the very same identity: nothing is made anew
    expect(lines(after)).toEqual(lines(kept));
    expect(after.filter(({ kind }) => kind === 'NetworkPolicy').map(({ metadata }) => metadata.name)).toEqual([
      'tenantplane-cp-default-deny',
      'tenantplane-default-deny',
    ]);
    // by these the control plane is taken down, whatever was pruned before its TenantCluster
    for (const kind of ['role', 'rolebinding'])
      expect(await isThere(cluster, [`${kind}/tenantplane-reconciler`, '-n', 'cp-x-dev-x-team-dev']), kind).toBe(true);

    await drop('tenantplane-platform');
    await drop('tenantplane-config');
    expect(await shared()).toEqual(around);
  });

  test('loses nothing in the order of the page, from one folder to several shards', async () => {
    const before = lines(await live());
    await publish('--no-prune');
    edit(join(root, 'render.yaml'), 'shards: 1', 'shards: 3');
    const names = await publish('--no-prune');
    expect(names).toContain(`${OBJECTS}.shard-02`);
    expect(names).not.toContain(OBJECTS);
    expect(lines(await live())).toEqual(before);
    await publish();
    expect(lines(await live())).toEqual(before);
    rmSync(join(root, 'tenants/dev/objects/m3.yaml'));
    await publish();
    expect(before.filter((line) => line.startsWith('ConfigMap team-dev/m3-'))).toHaveLength(1);
    expect(lines(await live())).toEqual(before.filter((line) => !line.startsWith('ConfigMap team-dev/m3-')));
  });

  test('loses what moves where it still prunes', async () => {
    const before = lines(await live());
    const names = (of: readonly string[]): readonly string[] => of.map((line) => line.replace(/ \S+$/, ''));
    // which Kustomization comes first is chance, and the new ones may be before the old one: then nothing is lost, this time
    for (const [from, to] of [
      [1, 3],
      [3, 1],
      [1, 3],
      [3, 1],
    ]) {
      edit(join(root, 'render.yaml'), `shards: ${from}`, `shards: ${to}`);
      await publish();
      const after = lines(await live());
      expect(names(after)).toEqual(names(before));
      if (!isDeepStrictEqual(after, before)) return;
    }
    expect.unreachable('nothing was lost in four moves');
  });
});

function isReadyAt({ metadata, status }: Kustomization, revision: string): boolean {
  const ready = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  return ready && status?.lastAppliedRevision === revision && status.observedGeneration === metadata.generation;
}
