import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { shellWord } from '../../core/decision/shell-word.ts';
import { visible } from '../../report/escape.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { hasTenant, isOutermost, isPackage, isRendered, othersMayWrite, packagesBelow, wholePackagesBelow } from './is-package.ts';
import { shownPath } from './shown-path.ts';

export interface RootFlags {
  readonly quiet?: boolean;
  /** profiles and policies come from elsewhere, so a folder without any may well be a package */
  readonly platform?: string;
  /** a package without tenants is meant, such as the platform's own */
  readonly allowEmpty?: boolean;
}

/**
 * The package that a command is about, absolute. In a folder of a package that is the package, as it is for git and cargo, and
 * stderr says which. A folder that was named is taken at its word: a part of a package is an error that names the package.
 * @param typed undefined and `.` are the folder here
 */
export function packageRoot(typed: string | undefined, io: CliIo, flags: RootFlags): string {
  const start = resolve(io.cwd, typed ?? '.');
  if (statSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) return start;
  const here = start === resolve(io.cwd);
  const nearest = enclosing(start, flags.platform === undefined || !here ? isPackage : isRendered);
  const root = here && nearest === start && flags.allowEmpty !== true ? (partOf(start) ?? start) : nearest;
  if (root === undefined) {
    refuseSeveral(start, typed ?? '.', io.cwd);
    return start;
  }
  if (root === start || (!here && flags.platform !== undefined)) return start;
  const shown = shownPath(io.cwd, root);
  if (!here)
    throw new TenantplaneError('usage', `${typed} is a part of the package ${shown}, and no package.`, {
      hint: `Name the package, ${shown}; a tenant of it as --tenant NAME.`,
    });
  tellPart(shown, io, flags);
  return root;
}

/** The package around a folder that has configuration alone, such as `profiles/` beside `tenants/`. */
function partOf(folder: string): string | undefined {
  if (isRendered(folder) || hasTenant(folder) || isOutermost(folder)) return undefined;
  const outer = dirname(folder);
  return othersMayWrite(outer) ? undefined : enclosing(outer, (above) => isPackage(above) && (isRendered(above) || hasTenant(above)));
}

export function tellPart(shown: string, io: CliIo, { quiet }: Pick<RootFlags, 'quiet'>): void {
  if (quiet !== true) io.stderr.write(`${visible(`note: the folder here is a part of the package ${shown}, which is taken.`)}\n`);
}

/** The package that a file lies in; the folder here where none is found. */
export function packageOfFile(file: string, cwd: string): string {
  return enclosing(dirname(file), isPackage) ?? cwd;
}

/** The nearest package from a folder upwards. */
export function enclosing(start: string, accepts: (folder: string) => boolean): string | undefined {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    // others could have put one there: it counts only where it was named, or is where one stands
    if (folder !== start && othersMayWrite(folder)) break;
    if (accepts(folder)) return folder;
    if (isOutermost(folder)) break;
  }
  return undefined;
}

/** Whether a folder is no package, nor a part of one, but packages lie in it: none of them is meant where none is named. */
export function holdsPackages(folder: string): boolean {
  return enclosing(folder, isPackage) === undefined && packagesBelow(folder).length > 0;
}

/** Several packages read as one would be a fleet that nobody has. */
function refuseSeveral(folder: string, typed: string, cwd: string): void {
  if (packagesBelow(folder).length === 0) return;
  // what is not rendered yet is one all the same
  const all = [...new Set([...packagesBelow(folder), ...wholePackagesBelow(folder)])].sort();
  const names = all.slice(0, 5).map((name) => shownPath(cwd, join(folder, name)));
  const more = all.length > names.length ? ` and ${all.length - names.length} more` : '';
  throw new TenantplaneError(
    'usage',
    `${typed} is no package but holds ${all.length === 1 ? 'one' : 'several'}: ${names.join(', ')}${more}.`,
    {
      hint: `Name one, such as ${shellWord(names[0] ?? '')}.`,
    },
  );
}
