import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { HOST_FOLDER } from '../../krm/package.ts';
import { realPlace } from '../audit/out-folder.ts';
import { TenantplaneError } from '../errors.ts';

interface Surroundings {
  readonly cwd: string;
  /** of the package */
  readonly root: string;
  readonly tree?: string;
}

/** A report takes the place of its folder as a whole, so some folders cannot be one. @throws TenantplaneError */
export function checkFolder(folder: string, shown: string, { cwd, root, tree }: Surroundings): void {
  const target = realPlace(folder);
  if (holds(target, realpathSync(cwd)))
    throw new TenantplaneError('usage', `${shown} is or holds the current folder, which a report cannot take the place of.`, {
      hint: 'Name a folder in it, or run this from elsewhere.',
    });
  if (holds(realPlace(tree ?? join(root, HOST_FOLDER)), target))
    throw new TenantplaneError('usage', `${shown} lies in the rendered tree, which holds nothing but what a render writes.`, {
      hint: 'Name a folder outside of it.',
    });
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
