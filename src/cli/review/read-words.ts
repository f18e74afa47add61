import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TenantplaneError } from '../errors.ts';

/** Where one side of a comparison is read from. */
export type Place =
  | { readonly kind: 'ref'; readonly ref: string }
  /** of two refs, the commit that both began from */
  | { readonly kind: 'merge-base'; readonly refs: readonly [string, string] }
  /** the package as it lies in its folder, or in another one */
  | { readonly kind: 'folder'; readonly path?: string }
  | { readonly kind: 'stdin' };

export interface Comparison {
  /** the package that refs are read of, absolute */
  readonly root: string;
  readonly before: Place;
  readonly after: Place;
}

export interface DiffWords {
  readonly words: readonly string[];
  readonly base?: string;
  readonly head?: string;
  readonly cwd: string;
}

const USAGE = 'Say A..B, A...B, A or two folders; the package comes last: tenantplane diff main..HEAD fleet.';

/**
 * What to compare with what. `A..B`, `A...B` (from their merge base), `A B`, and `A` alone (against the folder) are refs; two folders,
 * or a folder and `-`, are compared as they lie. A folder behind refs is the package.
 * @param rootOf the package that a folder stands for; undefined is the folder here
 */
export function readWords({ words, base, head, cwd }: DiffWords, rootOf: (typed: string | undefined) => string): Comparison {
  if (base !== undefined || head !== undefined) {
    if (base === undefined || head === undefined || words.length > 0) {
      throw new TenantplaneError('usage', '--base and --head name both sides, and nothing else does.', { hint: USAGE });
    }
    const ref = [base, head].find((word) => !isFolder(word, cwd));
    if (ref !== undefined)
      throw new TenantplaneError('usage', `${ref} is no folder, and --base and --head name folders.`, {
        hint: 'Commits are said as A..B, before the package: tenantplane diff main..HEAD fleet.',
      });
    return folders(base, head, rootOf);
  }
  const refs: string[] = [];
  const paths: string[] = [];
  for (const word of words) (paths.length > 0 || isFolder(word, cwd) ? paths : refs).push(word);
  // behind a range stands the package, which need not lie on the disk: not in a bare repository
  if (paths.length === 0 && refs.length === 2 && refs[0]?.includes('..') === true) paths.push(...refs.splice(1));
  const [first, second] = paths;
  if (refs.length === 0 && first !== undefined && second !== undefined && paths.length === 2) return folders(first, second, rootOf);
  const range = rangeOf(refs);
  if (range === undefined || paths.length > 1 || first === '-') {
    throw new TenantplaneError('usage', `It is not clear what to compare: ${words.join(' ')}.`, { hint: USAGE });
  }
  return { root: rootOf(first), ...range };
}

/** `-` is one that comes through a pipe. */
function isFolder(word: string, cwd: string): boolean {
  return word === '-' || statSync(resolve(cwd, word), { throwIfNoEntry: false })?.isDirectory() === true;
}

function folders(base: string, head: string, rootOf: (typed: string) => string): Comparison {
  const place = (word: string): Place => (word === '-' ? { kind: 'stdin' } : { kind: 'folder', path: rootOf(word) });
  if (base === '-' && head === '-') throw new TenantplaneError('usage', 'Only one side can come from stdin.', { hint: USAGE });
  return { root: rootOf(base === '-' ? head : base), before: place(base), after: place(head) };
}

function rangeOf(refs: readonly string[]): Pick<Comparison, 'before' | 'after'> | undefined {
  const [one, two] = refs;
  if (refs.length > 2 || (two !== undefined && refs.some((ref) => ref.includes('..')))) return undefined;
  if (one === undefined) return { before: { kind: 'ref', ref: 'HEAD' }, after: { kind: 'folder' } };
  if (two !== undefined) return { before: { kind: 'ref', ref: one }, after: { kind: 'ref', ref: two } };
  const match = /^(.*?)(\.{2,3})(.*)$/.exec(one);
  if (match === null) return { before: { kind: 'ref', ref: one }, after: { kind: 'folder' } };
  const [, a = '', dots, b = ''] = match;
  const [from, to] = [a === '' ? 'HEAD' : a, b === '' ? 'HEAD' : b];
  return {
    before: dots === '...' ? { kind: 'merge-base', refs: [from, to] } : { kind: 'ref', ref: from },
    after: { kind: 'ref', ref: to },
  };
}
