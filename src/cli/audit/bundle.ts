import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode, TenantplaneError, writeFailure } from '../errors.ts';
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

/** @throws TenantplaneError where the folder is there and holds something: evidence is never mixed with what was there */
export function needEmpty(folder: string, shown: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw new TenantplaneError('usage', `${shown} is no folder that can be written to.`, {
      hint: 'Name one that is not there yet.',
      cause: error,
    });
  }
  if (names.length > 0)
    throw new TenantplaneError('usage', `${shown} is not empty; nothing was written.`, {
      hint: 'Name a folder that is not there yet, or empty it.',
    });
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
