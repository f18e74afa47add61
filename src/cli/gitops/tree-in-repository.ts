import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { HOST_FOLDER } from '../../krm/package.ts';

/**
 * Where the tree of a package lies in the repository that holds the package: `fleet/host`.
 * @param root folder of the package
 * @returns undefined where it is in no git repository
 */
export function treeInRepository(root: string): string | undefined {
  const folder = realpathSync(root);
  let top = folder;
  // a worktree and a submodule have a file there
  while (!existsSync(join(top, '.git'))) {
    const parent = dirname(top);
    if (parent === top) return undefined;
    top = parent;
  }
  return relative(top, join(folder, HOST_FOLDER)).split(sep).join('/');
}
