import { relative } from 'node:path';

/** A path as it would be typed where the command was called. */
export function shownPath(cwd: string, path: string): string {
  const short = relative(cwd, path);
  if (short === '') return '.';
  return short.startsWith('../../../') ? path : short;
}
