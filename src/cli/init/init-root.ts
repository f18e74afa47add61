import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { hasTenant, isOutermost, isPackage, isRendered, othersMayWrite, wholePackagesBelow } from '../package/is-package.ts';
import { enclosing, packageRoot, type RootFlags, tellPart } from '../package/package-root.ts';
import { shownPath } from '../package/shown-path.ts';

/**
 * The package that a new tenant joins or begins, absolute. As every command does, it takes the package that it stands in.
 * @throws TenantplaneError where a package would come to lie in another one, which reads what lies in it as its own
 */
export function initRoot(typed: string, io: CliIo, flags: RootFlags): string {
  const found = packageRoot(typed, io, flags);
  const accepts = flags.platform === undefined ? isPackage : isRendered;
  const outer = partOf(found, accepts);
  const here = resolve(io.cwd, typed) === resolve(io.cwd);
  if (outer !== undefined && !here)
    throw new TenantplaneError(
      'usage',
      `${typed} would lie in the package ${shownPath(io.cwd, outer)}, which reads it as its own. Nothing was written.`,
      {
        hint: 'Add a tenant to that package (init there, with --tenant NAME), or name a folder outside of it.',
      },
    );
  if (outer !== undefined) tellPart(shownPath(io.cwd, outer), io, flags);
  const root = outer ?? found;
  const [inner] = isPackage(root) ? [] : wholePackagesBelow(root);
  if (inner !== undefined)
    throw new TenantplaneError(
      'usage',
      `${typed} is no package but holds one: ${shownPath(io.cwd, join(root, inner))}. Nothing was written.`,
      {
        hint: 'Name that one to add a tenant to it, or a folder that is not there yet.',
      },
    );
  return root;
}

/** The package around a folder that is none itself, or is a package for its profiles alone. */
function partOf(folder: string, accepts: (folder: string) => boolean): string | undefined {
  let there = folder;
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  const start = there === folder ? dirname(folder) : there;
  if (there === folder && (isRendered(folder) || hasTenant(folder) || isOutermost(folder))) return undefined;
  // others could have put a package there
  return othersMayWrite(start) ? undefined : enclosing(start, accepts);
}
