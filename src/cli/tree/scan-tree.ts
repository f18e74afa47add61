import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { systemCode, systemWords, TenantplaneError } from '../errors.ts';
import { DISK, type TreeFs } from './tree-fs.ts';

/** What lies in a tree, paths relative to it with `/`. */
export interface ScannedTree {
  readonly root: string;
  readonly exists: boolean;
  readonly files: ReadonlySet<string>;
  /** permission bits of each folder, `''` is the tree itself */
  readonly folders: ReadonlyMap<string, number>;
}

/** @throws TenantplaneError for a link or a special file: through a link, a write would land outside of the tree */
export function scanTree(root: string, fs: TreeFs = DISK): ScannedTree {
  const files = new Set<string>();
  const folders = new Map<string, number>();
  const stat = checkTreeRoot(root, fs);
  if (stat === undefined) return { root, exists: false, files, folders };
  folders.set('', stat.mode & 0o7777);
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of reading(join(root, folder), (path) => fs.readdirSync(path, { withFileTypes: true }))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.includes('\ufffd') && !fs.existsSync(join(root, path))) {
        throw new TenantplaneError('unsafe-path', `The name of ${join(root, path)} is not UTF-8.`, { hint: 'Rename or remove it.' });
      }
      if (entry.isFile()) files.add(path);
      else if (entry.isDirectory()) {
        folders.set(path, fs.lstatSync(join(root, path)).mode & 0o7777);
        pending.push(path);
      } else if (entry.isSymbolicLink()) throw linkRefused(join(root, path));
      else throw new TenantplaneError('unsafe-path', `${join(root, path)} is neither a file nor a folder.`, { hint: 'Remove it.' });
    }
  }
  return { root, exists: true, files, folders };
}

/** @returns undefined where there is no tree yet */
export function checkTreeRoot(root: string, fs: TreeFs = DISK): Stats | undefined {
  const stat = statOf(root, fs);
  if (stat?.isSymbolicLink() === true) throw linkRefused(root);
  if (stat?.isDirectory() === false)
    throw new TenantplaneError('input', `${root} is a file, and a rendered tree is a folder.`, {
      hint: 'Move it away, or render to another folder: -o dir=FOLDER.',
    });
  return stat;
}

export function readTreeFile(path: string, fs: TreeFs = DISK): Buffer {
  return reading(path, (file) => fs.readFileSync(file));
}

function statOf(path: string, fs: TreeFs): Stats | undefined {
  return reading(path, (file) => {
    try {
      return fs.lstatSync(file);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

function reading<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    throw new TenantplaneError('input', `Cannot read ${path}: ${systemWords(error)}.`, {
      hint: 'Fix its rights, or remove it.',
      cause: error,
    });
  }
}

function linkRefused(path: string): TenantplaneError {
  return new TenantplaneError(
    'unsafe-path',
    `${path} is a symbolic link; a rendered tree holds none, since a write could leave the tree through it.`,
    {
      hint: 'Replace the link by a folder or file, or remove it.',
    },
  );
}
