import { shellWord } from '../../core/decision/shell-word.ts';
import { shownPath } from './shown-path.ts';

/** What a command was told of the package, and one that it suggests has to be told again. Paths are absolute. */
export interface PackagePlace {
  readonly root: string;
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
}

/**
 * The words behind a suggested command, so that it asks the same package from where the user stands: ` fleet --platform platform`, or
 * nothing in the package itself.
 */
export function packageWords(cwd: string, { root, platform, config, hostVersion }: PackagePlace): string {
  const path = (absolute: string): string => shellWord(shownPath(cwd, absolute));
  return [
    ...(shownPath(cwd, root) === '.' ? [] : [path(root)]),
    ...(platform === undefined ? [] : ['--platform', path(platform)]),
    ...(config === undefined ? [] : ['--config', path(config)]),
    ...(hostVersion === undefined ? [] : ['--host-version', shellWord(hostVersion)]),
  ]
    .map((word) => ` ${word}`)
    .join('');
}
