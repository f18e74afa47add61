import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Paths as CI systems look them up: from the root of the repository that holds the file, or from the working folder where there
 * is none. An absolute path of this machine would name nothing anywhere else.
 */
export function repoPaths(cwd: string): (path: string) => string {
  const roots = new Map<string, string | undefined>();
  const rootOf = (folder: string): string | undefined => {
    if (!roots.has(folder)) {
      const parent = dirname(folder);
      roots.set(folder, existsSync(join(folder, '.git')) ? folder : parent === folder ? undefined : rootOf(parent));
    }
    return roots.get(folder);
  };
  return (path) => {
    const whole = resolve(cwd, path);
    return relative(rootOf(dirname(whole)) ?? cwd, whole)
      .split(sep)
      .join('/');
  };
}
