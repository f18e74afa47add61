import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { CliIo } from '../io.ts';

export interface CacheFolder {
  /** absolute */
  readonly path: string;
  /** the variable that says it */
  readonly variable: string;
}

/** Where the environment has caches kept; undefined where it does not say. A relative `XDG_CACHE_HOME` is none, as its specification has it. */
export function cacheFolder({ cwd, env }: Pick<CliIo, 'cwd' | 'env'>): CacheFolder | undefined {
  const own = env['TENANTPLANE_CACHE'] ?? '';
  if (own !== '') return { path: resolve(cwd, own, 'renders'), variable: 'TENANTPLANE_CACHE' };
  for (const [variable, steps] of SHARED) {
    const folder = env[variable] ?? '';
    if (isAbsolute(folder)) return { path: join(folder, ...steps, 'tenantplane', 'renders'), variable };
  }
  return undefined;
}

const SHARED: readonly (readonly [variable: string, steps: readonly string[]])[] = [
  ['XDG_CACHE_HOME', []],
  ['HOME', ['.cache']],
];

/**
 * Whether a folder lies in the package, where it would be input, or in the repository around it, where it is committed sooner or
 * later: a `.gitignore` keeps neither us from reading it nor others from committing one of their own, and what is remembered says what a render says.
 * Links count as where they lead.
 */
export function liesWithSources(folder: string, root: string): boolean {
  const place = relative(repositoryOf(realpathSync(root)), realPlace(folder));
  return place !== '..' && !place.startsWith(`..${sep}`) && !isAbsolute(place);
}

/** The folder that has `.git`, the nearest above; the package itself where none has. */
function repositoryOf(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return root;
  }
}

/** Where a path leads that need not be there yet. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPlace(dirname(path)), basename(path));
  }
}
