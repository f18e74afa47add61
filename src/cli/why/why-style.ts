import { join } from 'node:path';
import { HOST_FOLDER } from '../../krm/package.ts';
import type { TextStyle } from '../../report/text.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { PLATFORM } from '../render/load-package.ts';
import { shownPath } from '../render/package-style.ts';
import { textStyle } from '../style.ts';
import type { PackageFlags } from './open-package.ts';

/** A style whose paths can be opened from where the command was called. */
export function whyStyle(flags: SharedFlags & PackageFlags, { io }: CliContext): TextStyle {
  const tree = shownPath(io.cwd, join(flags.root, HOST_FOLDER));
  return textStyle(io, flags, {
    hostPrefix: `${tree}/`,
    sourcePath: (path) =>
      path.startsWith(PLATFORM) && flags.platform !== undefined
        ? shownPath(io.cwd, join(flags.platform, path.slice(PLATFORM.length)))
        : shownPath(io.cwd, join(flags.root, path)),
  });
}
