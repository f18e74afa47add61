import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode, writeFailure } from '../errors.ts';
import { checkDistinct, checkTreePath } from '../tree/tree-path.ts';

/** Text by path relative to the bundle, with `/`. */
export type BundleFiles = ReadonlyMap<string, string>;

/** `sha256sum -c` reads it: a line for each file, in the order of their paths. */
export function checksums(files: BundleFiles): string {
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([path, text]) => `${createHash('sha256').update(text).digest('hex')}  ${path}\n`)
    .join('');
}

/** All of it or nothing: the folder is made beside its place, and moved there when it is whole. */
export function writeBundle(folder: string, files: BundleFiles): void {
  for (const path of files.keys()) checkTreePath(path);
  checkDistinct([...files.keys()], (path) => join(folder, path));
  let made: string | undefined;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    made = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`));
    for (const [path, text] of [...files, ['SHA256SUMS', checksums(files)] as const]) {
      const target = join(made, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    removeEmpty(folder);
    renameSync(made, folder);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw writeFailure(error, 'the evidence', 'Nothing was written.');
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
