import { join, relative, resolve, sep } from 'node:path';
import { objectsFolder } from '../../core/plan/assign.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { holds, realPlace } from '../real-place.ts';
import { sourceIn } from './source-in.ts';

/**
 * Where `-o dir=FOLDER` writes, as an absolute path.
 * @throws TenantplaneError where the tree would be in the way of what it is rendered from, or that in its way: what helps a tree
 *   (to move what is not ours, to let go of more) would harm sources
 */
export function treePlace(folder: string, root: string, { cwd, env }: Pick<CliIo, 'cwd' | 'env'>): string {
  const tree = resolve(cwd, folder);
  const real = realPlace(tree);
  const realRoot = realPlace(root);
  const own = join(realRoot, HOST_FOLDER);
  if (holds(real, realRoot)) throw refused('The rendered tree cannot be the package itself or hold it.');
  const home = env['HOME'] ?? '';
  if (home !== '' && holds(real, realPlace(home)))
    throw refused('The rendered tree cannot be the home folder or hold it: all that lies there would be foreign to it.');
  if (real.split(sep).includes('.git')) throw refused(`The rendered tree cannot lie in ${folder}, which is git’s own.`);
  if (objectsFolder(`${relative(realRoot, real).split(sep).join('/')}/`) !== undefined)
    throw refused('The rendered tree cannot lie in an objects/ folder: the next render would take it for a tenant’s objects.');
  if (real === own) return tree;
  if (holds(own, real)) throw refused(`The rendered tree cannot lie in ${HOST_FOLDER}/, which is the tree of the package itself.`);
  const source = sourceIn(real, holds(realRoot, real));
  if (source !== undefined)
    throw refused(`${folder} holds sources (${relative(real, source)}), and a rendered tree holds nothing but what a render writes.`);
  return tree;
}

function refused(why: string): TenantplaneError {
  return new TenantplaneError('usage', `${why} Nothing was written.`, {
    hint: 'Name a folder behind dir= that is not there yet, is empty, or holds a rendered tree.',
  });
}
