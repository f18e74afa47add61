// Later in a life than `flux.test.ts` looks at a tree that is cut into shards.
// @module-tag release
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ok } from '../workspace.ts';
import { prepareHost, render } from './fleet.ts';
import { type FluxEngine, fluxEngine, onlyOf } from './flux-engine.ts';
import { rendered } from './host.ts';
import { edit, smallPackage } from './small-package.ts';

const PREFIX = 'tenantplane-team-dev';

describe('objects that move from one shard to another, on Flux’s own engine', { timeout: 300_000 }, () => {
  let folder: string;
  let root: string;
  let cluster: Cluster;
  let flux: FluxEngine;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-flux-shards-'));
    root = smallPackage(join(folder, 'fleet'), { configMaps: 12 });
    edit(join(root, 'render.yaml'), 'sources: mark', 'shards: 2');
    render(root);
    cluster = await startCluster({ kwok: 2 });
    await prepareHost(cluster);
    flux = await fluxEngine(cluster, root, folder);
    flux.reconcile(printed());
  });
  afterEach(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const printed = (...flags: string[]): string =>
    ok('tenantplane', ['render', 'kustomization', root, '--source', 'GitRepository/fleet', ...flags]).stdout;
  const shard = (index: number): string => `${PREFIX}.shard-0${index}`;
  /** Kind, name and identity of all that is rendered. */
  const live = async (): Promise<string[]> =>
    (await rendered(cluster)).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name} ${metadata.uid}`).sort();
  const spread = (from: number, to: number): void => {
    edit(join(root, 'render.yaml'), `shards: ${from}`, `shards: ${to}`);
    render(root);
  };
  const inShard = (index: number): string[] => readdirSync(join(root, `host/team-dev/shard-0${index}`));

  test('the shard that loses them deletes those that no other has taken over yet, and no others', async () => {
    const before = await live();
    const lost = inShard(0);
    spread(2, 3);
    const movedTo = (index: number): number => lost.filter((file) => inShard(index).includes(file)).length;
    expect([movedTo(1), movedTo(2)]).not.toContain(0);
    flux.reconcile(onlyOf(printed(), shard(2)));
    const { deleted, skipped } = flux.reconcile(onlyOf(printed(), shard(0)));
    expect({ deleted: deleted?.length, skipped: skipped?.length }).toEqual({ deleted: movedTo(1), skipped: movedTo(2) });
    // all is there again once each shard had its turn, but made anew
    flux.reconcile(printed());
    const after = await live();
    expect(after.length).toBe(before.length);
    expect(after.filter((line) => !before.includes(line)).length).toBeGreaterThanOrEqual(movedTo(1));
  });

  test('the order of the page loses nothing, whoever comes first, and prunes again at its end', async () => {
    const before = await live();
    // 1. nobody prunes
    flux.reconcile(printed('--no-prune'));
    // 2. objects move
    const old = inShard(0);
    spread(2, 3);
    expect(old.filter((file) => !inShard(0).includes(file)).length).toBeGreaterThan(0);
    for (const index of [0, 1, 2]) expect(flux.reconcile(onlyOf(printed('--no-prune'), shard(index)))['deleted']).toBeUndefined();
    expect(await live()).toEqual(before);
    // 3. everybody prunes
    expect(flux.reconcile(printed())['deleted']).toBeUndefined();
    expect(await live()).toEqual(before);
    rmSync(join(root, 'tenants/dev/objects/m3.yaml'));
    render(root);
    expect(flux.reconcile(printed())['deleted']).toEqual(['ConfigMap/team-dev/m3-x-default-x-dev']);
  });
});
