import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { systemCode, TenantplaneError } from '../errors.ts';
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
  const stat = statOf(root, fs);
  if (stat === undefined) return { root, exists: false, files, folders };
  if (stat.isSymbolicLink()) throw linkRefused(root);
  if (!stat.isDirectory())
    throw new TenantplaneError('input', `${root} is no folder.`, { hint: 'Move it away, or render to another folder.' });
  folders.set('', stat.mode & 0o7777);
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of fs.readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
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

function statOf(path: string, fs: TreeFs): Stats | undefined {
  try {
    return fs.lstatSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new TenantplaneError('input', `Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
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
