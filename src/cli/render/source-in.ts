import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { READ } from '../../krm/package.ts';
import { isOwnConfiguration } from '../package/is-package.ts';
import { looksOurs } from '../package/looks-ours.ts';

/** Files that are opened to find out what a folder is: what is in its uppermost folders tells. */
const MOST_FILES = 500;

/**
 * A file that makes a folder one of sources: configuration of ours that no render made, or, in a folder of a package, any
 * manifest where no render ever wrote one.
 * @param folder absolute; it need not be there
 * @param ofPackage whether it lies in the package
 */
export function sourceIn(folder: string, ofPackage: boolean): string | undefined {
  let [manifest, opened, rendered]: [string | undefined, number, boolean] = [undefined, 0, false];
  const pending = [folder];
  for (let here = pending.shift(); here !== undefined; here = pending.shift()) {
    for (const entry of entries(here)) {
      const path = join(here, entry.name);
      if (entry.isDirectory()) pending.push(path);
      if (!entry.isFile() || !READ.test(entry.name)) continue;
      if (isOwnConfiguration(path)) return path;
      manifest ??= path;
      rendered ||= looksOurs(readFileSync(path, 'utf8'));
      opened += 1;
      if (opened === MOST_FILES) return rendered || !ofPackage ? undefined : manifest;
    }
  }
  return rendered || !ofPackage ? undefined : manifest;
}

function entries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // one that is not there holds nothing; what else is wrong with it says who writes
    return [];
  }
}
