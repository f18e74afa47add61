import { digest } from '../../core/identity/digest.ts';

/** The version changes where old comments should no longer be found. */
const NAME = 'tenantplane:pr:v1';
const ENCODER = new TextEncoder();
/** A longer path is told by its end and a digest: the marker counts in the budget of the comment. */
const LONGEST = 300;

/**
 * By it a job finds its own comment again: the first line of the comment of one package. No marker is the beginning of another,
 * and nothing in a path ends it.
 * @param path of the package in its repository, `.` where the repository is the package, whose marker names no path
 */
export function markerOf(path: string): string {
  if (path === '.') return `<!-- ${NAME} -->`;
  const written = encoded(path);
  return `<!-- ${NAME} ${written.length <= LONGEST ? written : `${digest([path])}:${written.slice(-100)}`} -->`;
}

/** As in an address, so that it is one word of characters that end no comment and that no forge or runner obeys. */
function encoded(path: string): string {
  const bytes = (text: string): string => [...ENCODER.encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return path.replace(/[^A-Za-z0-9._/-]+/g, bytes).replace(/-(?=-|$)/g, '%2d');
}
