import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** Where a path would really be: through the links of whatever of it is there already. */
export function realPlace(path: string): string {
  const parent = dirname(path);
  return existsSync(path) ? realpathSync(path) : parent === path ? path : join(realPlace(parent), basename(path));
}

/** Whether a path is a folder or lies in it; both absolute, and real ones where links matter. */
export function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
