import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compareTree, type TreeDifference, type WantedFile } from '../../../src/cli/tree/compare-tree.ts';
import { DISK, type Pace, paceOf, type TreeFs } from '../../../src/cli/tree/tree-fs.ts';
import { type Siblings, writeTree } from '../../../src/cli/tree/write-tree.ts';

export type Files = Readonly<Record<string, string>>;

export const PACE: Pace = paceOf(new AbortController().signal);
export const NO_SIBLINGS: Siblings = { write: new Map(), remove: [] };

/** An empty folder that goes when the test ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function put(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Everything under a folder, `undefined` where there is none. */
export function read(root: string): Files | undefined {
  const files: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else files[path] = readFileSync(join(root, path), 'utf8');
    }
  };
  try {
    visit('');
  } catch {
    return undefined;
  }
  return files;
}

export function wanted(files: Files): WantedFile[] {
  return Object.entries(files).map(([path, text]) => ({ path, text: () => text }));
}

/** One whole render: compare, write. */
export async function render(
  root: string,
  files: Files,
  remove: readonly string[] = [],
  fs: TreeFs = DISK,
  siblings: Siblings = NO_SIBLINGS,
): Promise<TreeDifference> {
  const difference = await compareTree(root, wanted(files), remove, PACE, fs);
  await writeTree(difference, siblings, PACE, fs);
  return difference;
}

const WRITES = ['chmodSync', 'copyFileSync', 'linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'writeFileSync'] as const;
export type Write = (typeof WRITES)[number];

/** The disk, with a look at every write before it happens. */
export function watchedDisk(before: (write: Write, path: string) => void): TreeFs {
  const fs: Record<string, unknown> = { ...DISK };
  for (const name of WRITES) {
    const real = DISK[name] as (...args: unknown[]) => unknown;
    fs[name] = (...args: unknown[]) => {
      before(name, String(args[0]));
      return real(...args);
    };
  }
  return fs as unknown as TreeFs;
}

export function failure(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}
