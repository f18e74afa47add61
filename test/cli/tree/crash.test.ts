import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { recoverTree, wasInterrupted } from '../../../src/cli/tree/work-folder.ts';
import { type Files, failure, put, read, render, scratch, watchedDisk } from './disk.ts';

const OLD: Files = {
  'a/one.yaml': 'old 1',
  'a/two.yaml': 'old 2',
  'a/deep/three.yaml': 'old 3',
  'b/four.yaml': 'old 4',
  'b/notes.md': 'theirs',
};
const NEXT: Files = { 'a/one.yaml': 'new 1', 'a/two.yaml': 'old 2', 'c/five.yaml': 'new 5', 'b/four.yaml': 'old 4' };
const REMOVE = ['a/deep/three.yaml'];
const AFTER: Files = { ...NEXT, 'b/notes.md': 'theirs' };
const INSIDE_A = {
  next: { 'a/one.yaml': 'new 1', 'a/six.yaml': 'new 6' },
  after: { ...OLD, 'a/one.yaml': 'new 1', 'a/six.yaml': 'new 6' },
};

/** Renders with a disk that fails at write `step` with `error`; when `dead`, at every later one too, as after a kill. */
async function renderFailing(root: string, next: Files, remove: string[], step: number, error: Error, dead: boolean): Promise<number> {
  let writes = 0;
  const fs = watchedDisk(() => {
    writes += 1;
    if (writes === step || (dead && writes > step)) throw error;
  });
  await render(root, next, remove, fs).catch(() => undefined);
  return writes;
}

describe.each([
  ['changes all over the tree', NEXT, REMOVE, AFTER],
  ['changes in one folder', INSIDE_A.next, [], INSIDE_A.after],
])('%s', (_, next, remove, after) => {
  test('killed at any step, the tree is the old one or the new one once the next render has looked', async () => {
    const seen = { old: 0, new: 0 };
    for (let step = 1; ; step += 1) {
      const folder = scratch();
      const root = join(folder, 'host');
      put(root, OLD);
      const writes = await renderFailing(root, next, remove, step, failure('EIO'), true);
      if (writes < step) break;
      recoverTree(root, Date.now());
      const state = read(root);
      expect([OLD, after]).toContainEqual(state);
      seen[state?.['a/one.yaml'] === 'new 1' ? 'new' : 'old'] += 1;
      expect(readdirSync(folder)).toEqual(['host']);
      await render(root, next, remove);
      expect(read(root)).toEqual(after);
    }
    expect(seen.old).toBeGreaterThan(5);
    expect(seen.new).toBeGreaterThan(0);
  });

  test('with the disk full at any step, the old tree is whole and nothing is left behind', async () => {
    for (let step = 1; ; step += 1) {
      const folder = scratch();
      const root = join(folder, 'host');
      put(root, OLD);
      let writes = 0;
      let failed = false;
      const fs = watchedDisk((write) => {
        // a full disk fails what needs space; it can still remove
        if (write === 'rmSync') return;
        writes += 1;
        if (writes !== step) return;
        failed = true;
        throw failure('ENOSPC');
      });
      const result = render(root, next, remove, fs);
      if (
        !(await result.then(
          () => !failed,
          () => false,
        ))
      ) {
        await expect(result).rejects.toMatchObject({
          code: 'no-space',
          exitCode: 3,
          message: expect.stringContaining('Nothing was changed'),
        });
        expect(read(folder)).toEqual(Object.fromEntries(Object.entries(OLD).map(([path, text]) => [`host/${path}`, text])));
      } else break;
    }
  });
});

test('killed in the middle of a first render, there is no tree', async () => {
  for (let step = 1; ; step += 1) {
    const folder = scratch();
    const root = join(folder, 'host');
    const writes = await renderFailing(root, NEXT, [], step, failure('EIO'), true);
    if (writes < step) break;
    recoverTree(root, Date.now());
    expect([undefined, NEXT]).toContainEqual(read(root));
  }
});

test.each([['new tree not in place'], ['new tree half made']])('kill -9 of a real process: %s', (moment) => {
  const folder = scratch();
  const root = join(folder, 'host');
  put(root, OLD);
  const script = fileURLToPath(new URL('./render-and-die.ts', import.meta.url));
  const write = moment === 'new tree not in place' ? 'renameSync' : 'linkSync';
  const child = spawnSync(process.execPath, ['--import', 'tsx', script, root, write, '2', JSON.stringify(NEXT)]);
  expect(child.signal).toBe('SIGKILL');
  expect(wasInterrupted(root)).toBe(true);
  expect(existsSync(root)).toBe(moment !== 'new tree not in place');
  const told = recoverTree(root, Date.now());
  expect(told).toHaveLength(moment === 'new tree not in place' ? 1 : 0);
  expect(read(root)).toEqual(OLD);
  expect(readdirSync(folder)).toEqual(['host']);
});

test('while another render writes, a second one waits for a person', async () => {
  const folder = scratch();
  const root = join(folder, 'host');
  put(root, OLD);
  const theirs = join(folder, `.host-${process.ppid}-0123abcd`);
  mkdirSync(join(theirs, 'new'), { recursive: true });
  writeFileSync(join(theirs, 'swap.json'), '{"tree":"host","at":""}\n');
  expect(() => recoverTree(root, Date.now())).toThrowError(expect.objectContaining({ code: 'busy', exitCode: 3 }));
  expect(existsSync(theirs)).toBe(true);
  // a process of that number long after is somebody else
  recoverTree(root, Date.now() + 3_600_000);
  expect(existsSync(theirs)).toBe(false);
});

test('a process of the same number that began at another time is another one', () => {
  const folder = scratch();
  put(folder, { 'host/a.yaml': '1', [`.host-${process.ppid}-0123abcd/swap.json`]: '{"tree":"host","at":"","started":"1"}' });
  recoverTree(join(folder, 'host'), Date.now());
  expect(read(folder)).toEqual({ 'host/a.yaml': '1' });
});

// without /proc nothing can tell, and the age of the folder has to do
test.runIf(existsSync('/proc/self/stat'))('a killed process that nobody waited for is dead', async () => {
  const folder = scratch();
  // the shell becomes a sleep that never reaps its child, which ends after that and is a zombie then
  const parent = spawn('bash', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [chunk] = await once(parent.stdout, 'data');
    const pid = String(chunk).trim();
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await sleep(10);
    put(folder, { 'host/a.yaml': '1', [`.host-${pid}-0123abcd/swap.json`]: '{"tree":"host","at":""}' });
    recoverTree(join(folder, 'host'), Date.now());
    expect(read(folder)).toEqual({ 'host/a.yaml': '1' });
  } finally {
    parent.kill('SIGKILL');
  }
});

test.each([[{}], [{ 'swap.json': '{"tr' }]])('what died before it staged anything is removed', (files) => {
  const folder = scratch();
  mkdirSync(join(folder, '.host-999999999-0123abcd'));
  put(join(folder, '.host-999999999-0123abcd'), files);
  recoverTree(join(folder, 'host'), Date.now());
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['a place outside of the tree', '{"tree":"host","at":"../../victim"}'],
  ['another tree', '{"tree":"other","at":""}'],
  ['no record of ours', 'notes'],
])('a folder that only looks like ours is left alone: %s', (_, record) => {
  const folder = scratch();
  put(folder, {
    'host/a.yaml': '1',
    '.host-999999999-0123abcd/swap.json': record,
    '.host-999999999-0123abcd/old/x': 'x',
    '.host-mine/keep': 'k',
  });
  const before = read(folder);
  recoverTree(join(folder, 'host'), Date.now());
  expect(read(folder)).toEqual(before);
});

test('a swap that cannot be finished is taken back', async () => {
  const folder = scratch();
  const root = join(folder, 'host');
  put(root, OLD);
  let renames = 0;
  const fs = watchedDisk((write) => {
    if (write !== 'renameSync') return;
    renames += 1;
    if (renames === 2) throw failure('EACCES');
  });
  await expect(render(root, NEXT, REMOVE, fs)).rejects.toMatchObject({ code: 'write-failed' });
  expect(read(root)).toEqual(OLD);
});

test('a swap that can neither be finished nor taken back keeps the only copy', async () => {
  const folder = scratch();
  const root = join(folder, 'host');
  put(root, OLD);
  let renames = 0;
  const fs = watchedDisk((write) => {
    if (write !== 'renameSync') return;
    renames += 1;
    if (renames >= 2) throw failure('EACCES');
  });
  await expect(render(root, NEXT, REMOVE, fs)).rejects.toMatchObject({ code: 'write-failed' });
  expect(recoverTree(root, Date.now())).toHaveLength(1);
  expect(read(root)).toEqual(OLD);
});

test('a mount of its own is said to be one', async () => {
  const root = join(scratch(), 'host');
  put(root, OLD);
  const fs = watchedDisk((write) => {
    if (write === 'renameSync') throw failure('EBUSY');
  });
  await expect(render(root, NEXT, REMOVE, fs)).rejects.toMatchObject({ message: expect.stringContaining('a mount of its own') });
});
