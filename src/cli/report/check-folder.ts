import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_FOLDER, READ } from '../../krm/package.ts';
import { TenantplaneError } from '../errors.ts';
import { holds, realPlace } from '../real-place.ts';

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
  outsideTree(target, shown, tree ?? join(root, HOST_FOLDER));
}

/** A page among the files that a package is read from would be input of the next render, or stand where its input stood. @throws TenantplaneError */
export function checkFile(file: string, shown: string, { root, tree }: Surroundings): void {
  const target = realPlace(file);
  if (READ.test(target) && holds(realPlace(root), target))
    throw new TenantplaneError('usage', `${shown} is a file of the package, by its name, which the next render would read.`, {
      hint: 'Name a file that ends with .html.',
    });
  outsideTree(target, shown, tree ?? join(root, HOST_FOLDER));
}

function outsideTree(target: string, shown: string, tree: string): void {
  if (holds(realPlace(tree), target))
    throw new TenantplaneError('usage', `${shown} lies in the rendered tree, which holds nothing but what a render writes.`, {
      hint: 'Name a place outside of it.',
    });
}
