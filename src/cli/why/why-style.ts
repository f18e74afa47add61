import { join } from 'node:path';
import { HOST_FOLDER } from '../../krm/package.ts';
import type { TextStyle } from '../../report/text.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { shownPath } from '../package/shown-path.ts';
import { onDisk } from '../render/on-disk.ts';
import { textStyle } from '../style.ts';
import type { PackageFlags } from './open-package.ts';

/** A style whose paths can be opened from where the command was called. */
export function whyStyle(flags: SharedFlags & PackageFlags, { io }: CliContext): TextStyle {
  const tree = shownPath(io.cwd, join(flags.root, HOST_FOLDER));
  return textStyle(io, flags, {
    hostPrefix: `${tree}/`,
    packageWords: packageWords(io.cwd, flags),
    sourcePath: (path) => shownPath(io.cwd, onDisk(path, flags).file),
  });
}
