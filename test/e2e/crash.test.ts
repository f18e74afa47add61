import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { bytes, ROOT, scratch } from './workspace.ts';

// The built command on a fleet of fifty tenants, ended in the middle by what ends processes in the middle: SIGKILL, a full
// disk, a disk that became read-only. Unit tests fail the disk at every single write; here it is a real one.

const PROGRAM = join(ROOT, 'dist/tenantplane.mjs');
const TRIES = { release: 20, landing: 10 }[inject('scope')];

type Files = ReadonlyMap<string, string>;

interface Fleet {
  readonly folder: string;
  /** `host/` as a render gives it of the sources as they were, or with every image and port changed */
  readonly tree: Readonly<Record<'old' | 'new', Files>>;
}

function render(folder: string): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [PROGRAM, 'render', folder, '-q'], { encoding: 'utf8' });
}

const SOURCES = bytes(join(ROOT, 'examples/fleet/tenants'));

function writeSources(folder: string, state: 'old' | 'new'): void {
  for (const [path, text] of SOURCES) {
    writeFileSync(
      join(folder, 'tenants', path),
      state === 'old' ? text : text.replaceAll(':1.0.0', ':1.0.1').replaceAll('port: 80', 'port: 81'),
    );
  }
}

/** The fleet, rendered in its old state; each test has a copy. */
let original: Fleet;
const PLACE = mkdtempSync(join(tmpdir(), 'tenantplane-crash-'));
beforeAll(() => {
  const folder = join(PLACE, 'fleet');
  cpSync(join(ROOT, 'examples/fleet'), folder, { recursive: true });
  const rendered = (state: 'old' | 'new'): Files => {
    writeSources(folder, state);
    expect(render(folder)).toMatchObject({ status: 0 });
    return bytes(join(folder, 'host'));
  };
  const tree = { new: rendered('new'), old: rendered('old') };
  const changed = [...tree.new].filter(([path, text]) => tree.old.get(path) !== text);
  expect(changed.length).toBeGreaterThan(100);
  original = { folder, tree };
});
afterAll(() => rmSync(PLACE, { recursive: true, force: true }));

function fleet(place: string): Fleet & { readonly write: (state: 'old' | 'new') => void } {
  const folder = join(place, 'fleet');
  cpSync(original.folder, folder, { recursive: true });
  return { ...original, folder, write: (state) => writeSources(folder, state) };
}

const differing = (a: Files, b: Files): readonly string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
const litter = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('.'));

/** Renders, and kills the process as soon as `when` is true. @returns whether it was still running */
async function renderAndKill(folder: string, when: () => boolean): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, 'render', folder, '-q'], { stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_, by) => resolve(by)));
  const watch = setInterval(() => {
    if (when()) child.kill('SIGKILL');
  }, 1);
  const signal = await ended;
  clearInterval(watch);
  return signal === 'SIGKILL';
}

/** Half of the tries anywhere in a render, half of them one millisecond after the other from when it begins to write. */
function moment(attempt: number, folder: string, whole: number): () => boolean {
  const start = performance.now();
  if (attempt % 2 === 0) return () => performance.now() - start > (whole * attempt) / TRIES;
  let begun: number | undefined;
  return () => {
    if (begun === undefined && litter(folder).length > 0) begun = performance.now();
    return begun !== undefined && performance.now() - begun >= attempt;
  };
}

test('killed at any moment, the tree is the old or the new one, and the next render takes away what was left', async () => {
  const { folder, write, tree } = fleet(scratch());
  write('new');
  const start = performance.now();
  render(folder);
  const whole = performance.now() - start;
  const seen = { killed: 0, left: 0 };
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [state, other] = attempt % 2 === 0 ? (['old', 'new'] as const) : (['new', 'old'] as const);
    write(state);
    if (await renderAndKill(folder, moment(attempt, folder, whole))) seen.killed += 1;
    const left = litter(folder);
    seen.left += left.length;
    if (existsSync(join(folder, 'host'))) {
      const now = bytes(join(folder, 'host'));
      expect([differing(now, tree.old), differing(now, tree.new)]).toContainEqual([]);
    } else {
      // between its two renames the only copy lies beside its place
      expect(left.map((name) => differing(bytes(join(folder, name, 'old')), tree[other]))).toEqual([[]]);
    }
    expect(render(folder).status).toBe(0);
    expect(differing(bytes(join(folder, 'host')), tree[state])).toEqual([]);
    expect(litter(folder)).toEqual([]);
  }
  // some of them were in the middle of writing
  expect(seen.killed).toBeGreaterThan(2);
  expect(seen.left).toBeGreaterThan(0);
}, 300_000);

/** A small file system in memory; undefined, with the reason on the terminal, where none may be mounted. */
function smallDisk(): string | undefined {
  const place = join(scratch(), 'disk');
  mkdirSync(place);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', place], { encoding: 'utf8' });
  if (mounted.status !== 0) {
    process.stderr.write(`not tried: a small disk cannot be mounted here (${(mounted.error?.message ?? mounted.stderr).trim()})\n`);
    return undefined;
  }
  onTestFinished(() => {
    spawnSync('umount', [place]);
    rmSync(place, { recursive: true, force: true });
  });
  return place;
}

function remount(place: string, options: string): void {
  expect(spawnSync('mount', ['-o', `remount,${options}`, place], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
}

function used(place: string, what: '--output=used' | '--output=iused'): number {
  return Number(spawnSync('df', ['--block-size=1024', what, place], { encoding: 'utf8' }).stdout.split('\n')[1]);
}

describe('a disk that gives out', () => {
  test.each([
    ['no byte free', (place: string) => `size=${used(place, '--output=used')}k`],
    ['64 KiB free', (place: string) => `size=${used(place, '--output=used') + 64}k`],
    ['400 KiB free', (place: string) => `size=${used(place, '--output=used') + 400}k`],
    ['no file free', (place: string) => `size=1g,nr_inodes=${used(place, '--output=iused')}`],
    ['40 files free', (place: string) => `size=1g,nr_inodes=${used(place, '--output=iused') + 40}`],
  ])('%s: the old tree is whole, nothing is left beside it, and the next render goes on', (_, options) => {
    const place = smallDisk();
    if (place === undefined) return;
    const { folder, write, tree } = fleet(place);
    write('new');
    remount(place, options(place));
    const failed = render(folder);
    expect(failed.stderr).toMatch(/^error: No space left to write .*host \(ENOSPC\)\. Nothing was changed\.\n {2}try: Free some space/);
    expect(failed.status).toBe(3);
    expect(differing(bytes(join(folder, 'host')), tree.old)).toEqual([]);
    expect(litter(folder)).toEqual([]);
    remount(place, 'size=1g,nr_inodes=1000000');
    expect(render(folder).status).toBe(0);
    expect(differing(bytes(join(folder, 'host')), tree.new)).toEqual([]);
  });

  test('read-only: said in words, and nothing is touched', () => {
    const place = smallDisk();
    if (place === undefined) return;
    const { folder, write, tree } = fleet(place);
    write('new');
    remount(place, 'ro');
    const failed = render(folder);
    expect(failed.stderr).toMatch(/^error: Cannot write .*host: read-only file system \(EROFS\)\. Nothing was changed\.\n {2}try: /);
    expect(failed.status).toBe(3);
    expect(differing(bytes(join(folder, 'host')), tree.old)).toEqual([]);
    remount(place, 'rw');
    expect(render(folder).status).toBe(0);
    expect(differing(bytes(join(folder, 'host')), tree.new)).toEqual([]);
  });

  test('the host folder is a mount of its own: said to be one, and the tree stays', () => {
    const place = smallDisk();
    if (place === undefined) return;
    const { folder, write, tree } = fleet(scratch());
    const host = join(folder, 'host');
    cpSync(host, place, { recursive: true });
    expect(spawnSync('mount', ['--bind', place, host], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    onTestFinished(() => void spawnSync('umount', [host]));
    write('new');
    const failed = render(folder);
    expect(failed.stderr).toMatch(
      /^error: .*host is a mount of its own, so it cannot be replaced as a whole \(E(XDEV|BUSY)\)\. Nothing was changed\./,
    );
    expect(failed.status).toBe(3);
    expect(differing(bytes(host), tree.old)).toEqual([]);
    expect(litter(folder)).toEqual([]);
  });
});
