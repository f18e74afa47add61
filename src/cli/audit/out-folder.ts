import { readdirSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { systemCode, TenantplaneError } from '../errors.ts';
import { realPlace } from '../real-place.ts';

/** A folder inside the package would be read as part of it by the next render. */
export function needOutside(root: string, out: string, shown: string): void {
  const path = relative(realpathSync(root), realPlace(out));
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) || path.split(sep).some((step) => step.startsWith('.'))) return;
  throw new TenantplaneError('usage', `${shown} lies in the package, so the next render would read the evidence as sources.`, {
    hint: 'Name a folder outside of it, or one that begins with a dot.',
  });
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
