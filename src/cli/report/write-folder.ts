import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ReportFile } from '../../report/html/folder.ts';
import { BEGINNING } from '../../report/html/shell.ts';
import { systemCode, TenantplaneError, writeFailure } from '../errors.ts';
import { checkTreePath } from '../tree/tree-path.ts';

/**
 * Writes a report of many pages: beside its place first, and there when it is whole. What was there is replaced, so no page of a tenant
 * that is gone stays, but only where every file of it is a page of a report.
 * @returns how many pages
 */
export function writeFolder(folder: string, shown: string, files: Iterable<ReportFile>): number {
  const target = existsSync(folder) ? realpathSync(folder) : folder;
  needReplaceable(target, shown);
  let made: string | undefined;
  let count = 0;
  try {
    mkdirSync(dirname(target), { recursive: true });
    made = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
    for (const { path, text } of files) {
      checkTreePath(path);
      mkdirSync(dirname(join(made, 'new', path)), { recursive: true });
      writeFileSync(join(made, 'new', path), text);
      count += 1;
    }
    if (existsSync(target)) renameSync(target, join(made, 'old'));
    renameSync(join(made, 'new'), target);
  } catch (error) {
    if (made !== undefined && !existsSync(target) && existsSync(join(made, 'old'))) renameSync(join(made, 'old'), target);
    throw writeFailure(error, `the report ${shown}`, 'Nothing was written.');
  } finally {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
  }
  return count;
}

function needReplaceable(folder: string, shown: string): void {
  const foreign = firstForeign(folder, '');
  if (foreign === undefined) return;
  throw new TenantplaneError(
    'usage',
    `${shown} ${foreign === '' ? 'is no folder' : `holds ${foreign}, which no report wrote`}; nothing was written.`,
    {
      hint: 'Name a folder that is not there yet, is empty, or holds an earlier report alone.',
    },
  );
}

/** The first path that is neither a folder nor a page of a report; `''` for the folder itself. */
function firstForeign(root: string, path: string): string | undefined {
  let names: readonly string[];
  try {
    names = readdirSync(join(root, path)).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (systemCode(error) === 'ENOTDIR') return path;
    throw writeFailure(error, `the report`, 'Nothing was written.');
  }
  for (const name of names) {
    const inner = path === '' ? name : `${path}/${name}`;
    const stat = lstatSync(join(root, inner));
    const foreign = stat.isDirectory() ? firstForeign(root, inner) : stat.isFile() && isPage(join(root, inner)) ? undefined : inner;
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

function isPage(file: string): boolean {
  const begin = Buffer.alloc(Buffer.byteLength(BEGINNING));
  const handle = openSync(file, 'r');
  try {
    return readSync(handle, begin) === begin.length && begin.toString('utf8') === BEGINNING;
  } finally {
    closeSync(handle);
  }
}
