/**
 * Path annotations are input: whoever wrote an item wrote its path. kpt itself wrote through a symbolic link out of the
 * package, and `kpt fn sink` lost objects whose paths differed in spelling only (`x/a.yaml`, `./x/a.yaml`).
 */
export const HOST_PREFIX = 'host/';

export type PathCheck = { readonly path: string } | { readonly why: string };

/** Rules in order; the first that matches says why a path is refused. */
const REFUSED: readonly { readonly matches: RegExp; readonly why: string }[] = [
  { matches: /^$/, why: 'it is empty' },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  { matches: /[\x00-\x1f\x7f-\x9f\u2028\u2029\p{Surrogate}]/u, why: 'it holds a control character' },
  { matches: /\\/, why: 'it holds a backslash; folders are separated by /' },
  { matches: /^\//, why: 'it is absolute' },
  { matches: /^[A-Za-z]:/, why: 'it names a drive' },
  { matches: /(?:^|\/)\.\.(?:\/|$)/, why: 'it leads out of the package (..)' },
  { matches: /\/$/, why: 'it names a folder' },
];

/** A path relative to the package in its one spelling (`./a//b` is `a/b`), or why it is refused. */
export function normalisePath(text: string): PathCheck {
  for (const rule of REFUSED) if (rule.matches.test(text)) return { why: rule.why };
  const path = text
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .join('/');
  return path === '' ? { why: 'it is empty' } : { path };
}

/** Whether a normalised path lies in the rendered tree. */
export function isInsideHost(path: string): boolean {
  return path.startsWith(HOST_PREFIX);
}

/**
 * Pairs of different paths that are one file on a disk that ignores case or Unicode normal form, and paths of which one is a
 * folder of the other.
 */
export function collidingPaths(paths: Iterable<string>): readonly (readonly [string, string])[] {
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  const pairs: (readonly [string, string])[] = [];
  for (const path of paths) {
    const folded = fold(path);
    const same = seen.get(folded);
    if (same === undefined) seen.set(folded, path);
    else if (same !== path) pairs.push([same, path]);
    for (let at = folded.indexOf('/'); at >= 0; at = folded.indexOf('/', at + 1)) folders.set(folded.slice(0, at), path);
  }
  for (const [folded, path] of seen) {
    const inside = folders.get(folded);
    if (inside !== undefined) pairs.push([path, inside]);
  }
  return pairs;
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
