import { join, relative, sep } from 'node:path';
import { PLATFORM } from './load-package.ts';

interface Packages {
  readonly root: string;
  readonly platform?: string;
}

/** The folder of a package and the file in it that a path of the package, or of the platform's, means. */
export function onDisk(path: string, { root, platform }: Packages): { readonly folder: string; readonly file: string } {
  if (!path.startsWith(PLATFORM) || platform === undefined) return { folder: root, file: join(root, path) };
  return { folder: platform, file: join(platform, path.slice(PLATFORM.length)) };
}

/** The same from the folder of the package, as documents tell it: `../platform/policies.yaml` for a file of the platform's. */
export function fromRoot(path: string, packages: Packages): string {
  if (!path.startsWith(PLATFORM) || packages.platform === undefined) return path;
  return relative(packages.root, onDisk(path, packages).file).split(sep).join('/');
}
