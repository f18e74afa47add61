import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TenantplaneError } from '../errors.ts';
import { tryKind } from './find-kind.ts';

/** What people type behind `explain-sync`, told apart: `fleet deploy/web`, `svc web`, `new.yaml`. */
export interface Words {
  /** the package, as it was typed */
  readonly path?: string;
  /** a file, or - for stdin */
  readonly manifest?: string;
  /** what is left: `kind/name` (any number of them), `kind` and `name`, or one of the two */
  readonly object: readonly string[];
}

/** Flags that say what a lone word is not. */
export interface WordFlags {
  readonly kind?: string;
  readonly name?: string;
  readonly filename?: string;
}

const FILE_NAME = /\.(ya?ml|json)$/i;

type Entry = 'folder' | 'file' | 'nothing';

export function readWords(words: readonly string[], flags: WordFlags, cwd: string): Words {
  const [first, ...rest] = words;
  if (first === undefined) return { object: [] };
  const entry = entryAt(cwd, first);
  if (isPath(first, entry, rest, flags)) {
    const others = readObject(rest, cwd, flags);
    return { path: first, ...others };
  }
  return readObject(words, cwd, flags);
}

function readObject(words: readonly string[], cwd: string, flags: WordFlags): Words {
  const [first] = words;
  if (words.length === 1 && first !== undefined && isManifest(first, cwd, flags)) {
    if (flags.filename !== undefined)
      throw new TenantplaneError('usage', `Two manifests: ${flags.filename} and ${first}.`, { hint: 'Name one.' });
    return { manifest: first, object: [] };
  }
  return { object: words };
}

/** Also one that is not there, where it can be nothing else: `app.yaml`, and not `cm/app.yaml`. */
function isManifest(word: string, cwd: string, flags: WordFlags): boolean {
  if (word === '-' || entryAt(cwd, word) === 'file') return true;
  const kind = word.slice(0, Math.max(word.lastIndexOf('/'), 0));
  return FILE_NAME.test(word) && flags.kind === undefined && (kind === '' || tryKind(kind, []) === undefined);
}

/** A folder that is called like a kind is the kind where a name follows: `deploy web`. */
function isPath(word: string, entry: Entry, rest: readonly string[], flags: WordFlags): boolean {
  if (entry === 'file' || word === '-') return false;
  const [next] = rest;
  const kindThenName = rest.length === 1 && next !== undefined && !next.includes('/') && tryKind(word, []) !== undefined;
  if (entry === 'folder') return !kindThenName || flags.kind !== undefined || flags.name !== undefined || flags.filename !== undefined;
  if (/^\.{0,2}\/|^\.{1,2}$/.test(word)) return true;
  if (word.includes('/') || rest.length > 0) return false;
  // beside a manifest or a whole name, a lone word that is nothing here can only be a package that is not there; else it may be a kind
  return flags.filename !== undefined || (flags.kind !== undefined && flags.name !== undefined);
}

function entryAt(cwd: string, path: string): Entry {
  try {
    const found = statSync(resolve(cwd, path));
    return found.isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}
