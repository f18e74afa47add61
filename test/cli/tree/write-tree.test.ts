import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareTree } from '../../../src/cli/tree/compare-tree.ts';
import { paceOf } from '../../../src/cli/tree/tree-fs.ts';
import { writeTree } from '../../../src/cli/tree/write-tree.ts';
import { failure, NO_SIBLINGS, PACE, put, read, render, scratch, wanted, watchedDisk } from './disk.ts';

test('the first render makes the tree', async () => {
  const folder = scratch();
  const root = join(folder, 'host');
  const difference = await render(root, { 'team-a/pod_x.yaml': 'x\n', 'platform/p.yaml': 'p\n' });
  expect(read(root)).toEqual({ 'team-a/pod_x.yaml': 'x\n', 'platform/p.yaml': 'p\n' });
  expect(difference).toMatchObject({ added: ['platform/p.yaml', 'team-a/pod_x.yaml'], changed: [], removed: [], unchanged: 0 });
  expect(readdirSync(folder)).toEqual(['host']);
});

test('a second render writes nothing at all', async () => {
  const root = join(scratch(), 'host');
  const files = { 'team-a/pod_x.yaml': 'x\n', 'team-b/pod_y.yaml': 'y\n' };
  await render(root, files);
  const writes: string[] = [];
  await render(
    root,
    files,
    ['team-a/never-was.yaml'],
    watchedDisk((write) => writes.push(write)),
  );
  expect(writes).toEqual([]);
});

test('a change touches its own folder only, and leaves unchanged files as they are', async () => {
  const root = join(scratch(), 'host');
  await render(root, { 'a/one.yaml': '1', 'a/two.yaml': '2', 'b/three.yaml': '3' });
  const before = { b: statSync(join(root, 'b')).ino, two: statSync(join(root, 'a/two.yaml')).ino, root: statSync(root).ino };
  await render(root, { 'a/one.yaml': 'new', 'a/two.yaml': '2', 'b/three.yaml': '3', 'a/deep/four.yaml': '4' });
  expect(read(root)).toEqual({ 'a/one.yaml': 'new', 'a/two.yaml': '2', 'b/three.yaml': '3', 'a/deep/four.yaml': '4' });
  expect({ b: statSync(join(root, 'b')).ino, two: statSync(join(root, 'a/two.yaml')).ino, root: statSync(root).ino }).toEqual(before);
});

test('files of others stay, removed files go, and no empty folder is left', async () => {
  const root = join(scratch(), 'host');
  put(root, { 'a/pod.yaml': 'ours', 'a/README.md': 'theirs', 'b/pod.yaml': 'ours', 'kustomization.yaml': 'theirs' });
  await render(root, {}, ['a/pod.yaml', 'b/pod.yaml']);
  expect(read(root)).toEqual({ 'a/README.md': 'theirs', 'kustomization.yaml': 'theirs' });
  expect(existsSync(join(root, 'b'))).toBe(false);
});

test('rights of folders stay', async () => {
  const root = join(scratch(), 'host');
  put(root, { 'a/pod.yaml': '1' });
  chmodSync(join(root, 'a'), 0o2750);
  await render(root, { 'a/pod.yaml': '2' });
  expect(statSync(join(root, 'a')).mode & 0o7777).toBe(0o2750);
});

test('a disk without hard links gets copies', async () => {
  const root = join(scratch(), 'host');
  put(root, { 'a/one.yaml': '1', 'a/two.yaml': '2' });
  const fs = watchedDisk((write) => {
    if (write === 'linkSync') throw failure('EPERM');
  });
  await render(root, { 'a/one.yaml': 'new' }, [], fs);
  expect(read(root)).toEqual({ 'a/one.yaml': 'new', 'a/two.yaml': '2' });
});

test.each([
  ['the tree itself', (folder: string) => symlinkSync(folder, join(folder, 'host'))],
  [
    'a folder in the tree',
    (folder: string) => {
      mkdirSync(join(folder, 'host'));
      symlinkSync('/tmp', join(folder, 'host/team-a'));
    },
  ],
  [
    'a file in the tree',
    (folder: string) => {
      put(folder, { 'host/team-a/pod.yaml': '1', outside: 'secret' });
      symlinkSync('../../outside', join(folder, 'host/team-a/link.yaml'));
    },
  ],
])('a link is refused before anything is written: %s', async (_, arrange) => {
  const folder = scratch();
  arrange(folder);
  await expect(render(join(folder, 'host'), { 'team-a/pod.yaml': 'x' })).rejects.toMatchObject({ code: 'unsafe-path' });
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a file where the tree should be is refused', async () => {
  const folder = scratch();
  put(folder, { host: 'a file' });
  await expect(render(join(folder, 'host'), { 'a.yaml': 'x' })).rejects.toMatchObject({ code: 'input' });
});

test.each([
  ['../evil.yaml'],
  ['a/../../evil.yaml'],
  ['/etc/evil.yaml'],
  ['a//b.yaml'],
  ['./a.yaml'],
  ['a/.'],
  [''],
  ['a\\b.yaml'],
  ['a\u0000.yaml'],
  ['a\nb.yaml'],
  [`${'x'.repeat(300)}.yaml`],
  ['C:evil.yaml'],
])('the path %j is refused', async (path) => {
  const folder = scratch();
  await expect(render(join(folder, 'host'), { [path]: 'x' })).rejects.toMatchObject({ code: 'unsafe-path' });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['a file of another that differs in case only', { 'a/Pod.yaml': 'theirs' }, { 'a/pod.yaml': 'ours' }],
  ['a folder that differs in case only', { 'Team/pod.yaml': 'theirs' }, { 'team/x.yaml': 'ours' }],
  ['two spellings of one letter', { 'caf\u00e9.yaml': 'theirs' }, { 'cafe\u0301.yaml': 'ours' }],
  ['two files of one render', {}, { 'a/x.yaml': '1', 'A/y.yaml': '2' }],
])('what is one on some disks is refused: %s', async (_, there, ours) => {
  const root = join(scratch(), 'host');
  put(root, there);
  await expect(render(root, ours)).rejects.toMatchObject({ code: 'unsafe-path', message: expect.stringContaining('ignores case') });
  expect(read(root) ?? {}).toEqual(there);
});

test.each([
  ['a file where a folder has to be', { a: 'theirs' }, { 'a/pod.yaml': 'ours' }, 'a'],
  ['a folder where a file has to be', { 'a.yaml/x': 'theirs' }, { 'a.yaml': 'ours' }, 'a.yaml'],
])('%s is said to be one', async (_, there, ours, path) => {
  const root = join(scratch(), 'host');
  put(root, there);
  await expect(render(root, ours)).rejects.toMatchObject({ message: `${join(root, path)} would have to be a file and a folder at once.` });
  expect(read(root)).toEqual(there);
});

test('a file of ours that only changes its case is replaced', async () => {
  const root = join(scratch(), 'host');
  put(root, { 'a/Pod.yaml': 'old' });
  await render(root, { 'a/pod.yaml': 'new' }, ['a/Pod.yaml']);
  expect(read(root)).toEqual({ 'a/pod.yaml': 'new' });
});

test('files beside the tree are written with it, and alone', async () => {
  const folder = scratch();
  const root = join(folder, 'host');
  const ledger = join(folder, '.tenantplane/a.ndjson');
  await render(root, { 'a.yaml': '1' }, [], undefined, { write: new Map([[ledger, 'line\n']]), remove: [] });
  await render(root, { 'a.yaml': '1' }, [], undefined, { write: new Map([[ledger, 'other\n']]), remove: [] });
  expect(read(folder)).toEqual({ 'host/a.yaml': '1', '.tenantplane/a.ndjson': 'other\n' });
  await render(root, { 'a.yaml': '1' }, [], undefined, { write: new Map(), remove: [ledger] });
  expect(read(folder)).toEqual({ 'host/a.yaml': '1' });
});

test('an interrupted render changes nothing and leaves nothing behind', async () => {
  const folder = scratch();
  const root = join(folder, 'host');
  put(root, { 'a.yaml': 'old' });
  const files = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}.yaml`, 'x']));
  const difference = await compareTree(root, wanted(files), ['a.yaml'], PACE);
  const controller = new AbortController();
  const writing = writeTree(difference, NO_SIBLINGS, paceOf(controller.signal));
  controller.abort();
  await expect(writing).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 });
  expect(read(folder)).toEqual({ 'host/a.yaml': 'old' });
});
