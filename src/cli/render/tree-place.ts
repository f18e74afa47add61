import { relative, resolve } from 'node:path';
import { objectsFolder } from '../../core/plan/assign.ts';
import { TenantplaneError } from '../errors.ts';

const HINT = { hint: 'Name another folder behind dir=.' };

/**
 * Where `-o dir=FOLDER` writes, as an absolute path.
 * @throws TenantplaneError where the tree would be in the way of what it is rendered from
 */
export function treePlace(folder: string, root: string, cwd: string): string {
  const tree = resolve(cwd, folder);
  if (tree === root || root.startsWith(`${tree}/`))
    throw new TenantplaneError('usage', 'The rendered tree cannot be the package itself or hold it.', HINT);
  if (objectsFolder(`${relative(root, tree)}/`) !== undefined) {
    const why = 'the next render would take it for a tenant’s objects';
    throw new TenantplaneError('usage', `The rendered tree cannot lie in an objects/ folder: ${why}.`, HINT);
  }
  return tree;
}
