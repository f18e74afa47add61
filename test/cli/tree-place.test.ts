import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { profile } from '../support/observe.ts';
import { tenantplane, twoTenants } from './harness.ts';
import { put, read, scratch } from './tree/disk.ts';

/** Where a tree cannot be: what is said of a tree (move what is not ours, allow more deletions) would harm what lies there. */

const NAMES = 'Name a folder behind dir= that is not there yet, is empty, or holds a rendered tree.';

function sources(): string {
  const root = twoTenants();
  put(root, {
    'platform/profiles/more.yaml': profile('more', 'restricted'),
    'manifests/app.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    '.github/workflows/ci.yaml': 'on: push\n',
    '.git/config': '[core]\n',
    'docs/README.md': 'words\n',
  });
  return root;
}

describe('a tree cannot be', () => {
  test.each([
    ['.', 'cannot be the package itself or hold it'],
    ['..', 'cannot be the package itself or hold it'],
    ['/', 'cannot be the package itself or hold it'],
    ['platform', 'platform holds sources (profiles/more.yaml)'],
    ['platform/profiles', 'platform/profiles holds sources (more.yaml)'],
    ['tenants', 'tenants holds sources (dev/tenant.yaml)'],
    ['tenants/dev', 'tenants/dev holds sources (tenant.yaml)'],
    ['manifests', 'manifests holds sources (app.yaml)'],
    ['.github', '.github holds sources (workflows/ci.yaml)'],
    ['.git', 'cannot lie in .git, which is git’s own'],
    ['.git/out', 'cannot lie in .git/out, which is git’s own'],
    ['tenants/dev/objects', 'cannot lie in an objects/ folder'],
    ['objects/out', 'cannot lie in an objects/ folder'],
    ['host/out', 'cannot lie in host/, which is the tree of the package itself'],
  ])('%s', async (folder, why) => {
    const root = sources();
    const before = read(root);
    for (const more of [[], ['--check'], ['--allow-empty', '--max-deletions', '1000']]) {
      const { code, out, err } = await tenantplane(['render', '-o', `dir=${folder}`, ...more], { cwd: root });
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(why);
      expect(err).toContain(`Nothing was written.\n  try: ${NAMES}\n`);
    }
    expect(read(root)).toEqual(before);
  });

  test('behind a link', async () => {
    const [root, links] = [sources(), scratch()];
    for (const folder of ['tenants', '.git']) {
      symlinkSync(join(root, folder), join(links, folder));
      const { code, err } = await tenantplane(['render', '-o', `dir=${join(links, folder)}/dev`], { cwd: root });
      expect([code, err]).toEqual([2, expect.stringContaining('Nothing was written.')]);
    }
  });

  test('the home folder, or sources of another package', async () => {
    const [root, home] = [twoTenants(), scratch()];
    const other = twoTenants();
    const run = (tree: string) => tenantplane(['render', '-o', `dir=${tree}`], { cwd: root, env: { HOME: home } });
    for (const [tree, why] of [
      [home, 'cannot be the home folder'],
      [other, 'holds sources ('],
      [join(other, 'tenants'), 'holds sources (dev/tenant.yaml)'],
    ] as const)
      expect(await run(tree)).toMatchObject({ code: 2, err: expect.stringContaining(why) });
    expect((await run(join(home, 'trees/dev'))).code).toBe(0);
    expect((await run(join(home, 'trees/dev'))).code).toBe(0);
  });
});

test('a tree can be in a folder with words alone, in an empty one, in one that is not there, and in its own', async () => {
  const root = sources();
  mkdirSync(join(root, 'empty'));
  for (const folder of ['docs', 'empty', 'out/tree', 'tenants/dev/out', 'host', 'out/tree'])
    expect([folder, await tenantplane(['render', '-o', `dir=${folder}`], { cwd: root })]).toEqual([
      folder,
      expect.objectContaining({ code: 0 }),
    ]);
});

test('a file that stands among what was rendered is foreign, as before', async () => {
  const root = twoTenants();
  await tenantplane(['render', '-q', '-o', 'dir=out'], { cwd: root });
  put(root, { 'out/platform/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' });
  expect((await tenantplane(['render', '--check', '-o', 'dir=out'], { cwd: root })).code).toBe(4);
});
