import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { packageOfFile, packageRoot, type RootFlags } from '../package/package-root.ts';
import { tryAnyKind } from './host-kinds.ts';

/** What people type behind `why`, told apart. */
export interface Reference {
  /** absolute path of the package */
  readonly root: string;
  /** a file of the package or of its rendered tree, relative to the package */
  readonly file?: string;
  /** of that file, as answers print it: `deployment.yaml:10` */
  readonly line?: number;
  /** `deploy/web`, or `deploy` and `web`, or a name alone */
  readonly words: readonly string[];
}

/** What was asked for, as the title of an answer. */
export function referenceTitle({ file, words }: Reference): string {
  return file ?? words.join(words.some((word) => word.includes('/')) ? ' ' : '/');
}

const FILE_NAME = /\.(?:ya?ml|json)$/i;
const HOW = 'Name a host object (KIND/NAME -n NAMESPACE), a file, or a tenant’s object (KIND/NAME --tenant NAME).';

/** A folder is the package, wherever it stands, the last of several; a file says by itself which package it lies in. */
export function readReference(typed: readonly string[], io: CliIo, flags: RootFlags): Reference {
  const { cwd } = io;
  const lines = typed.flatMap((word) => lineOf(word, cwd) ?? []);
  const words = typed.map((word) => lineOf(word, cwd)?.file ?? word);
  const folders = words.flatMap((word, index) => (isFolder(word, words[index + 1], cwd) ? [index] : []));
  const last = folders.at(-1);
  const folder = last === undefined ? undefined : words[last];
  const second = folders.map((index) => words[index] ?? '').find((word, index) => index < folders.length - 1 && /[/.]/.test(word));
  if (second !== undefined)
    throw new TenantplaneError('usage', `Two folders: ${second} and ${folder}. Which one is the package?`, { hint: 'Name one.' });
  // a tenant may be called like a folder that lies here: `tree shop shop`
  const rest = words.filter((_, index) => index !== last);
  const [file] = rest.filter((word) => isFile(word, cwd));
  const wrong = rest.find((word) => word !== file && /^\.{0,2}\//.test(word));
  if (wrong !== undefined) throw new TenantplaneError('usage', `There is no folder or file ${wrong}.`, { hint: HOW });
  const missing = folder === undefined ? missingFolder(words, cwd) : undefined;
  if (missing !== undefined)
    throw new TenantplaneError('usage', `There is no folder ${missing}.`, {
      hint: 'Name the folder of the package, or leave it out for the folder here.',
    });
  if (file === undefined) return { root: packageRoot(folder, io, flags), words: rest };
  if (rest.length > 1)
    throw new TenantplaneError('usage', `${rest.join(' ')} is more than one file.`, { hint: 'Name one file, or an object.' });
  // a path may be meant from here or from the package
  const from = folder === undefined || existsSync(resolve(cwd, file)) ? cwd : resolve(cwd, folder);
  const path = resolve(from, file);
  const root = folder === undefined ? packageOfFile(path, cwd) : packageRoot(folder, io, flags);
  const inside = relative(root, path).split(sep).join('/');
  if (inside.startsWith('../'))
    throw new TenantplaneError('usage', `${file} does not lie in the package ${folder ?? root}.`, {
      hint: 'Name the package that it lies in.',
    });
  const line = lines.find((place) => place.file === file)?.line;
  return { root, file: inside, ...(line !== undefined && { line }), words: [] };
}

function isFolder(word: string, next: string | undefined, cwd: string): boolean {
  if (kindBefore(word) !== undefined || entry(cwd, word) !== 'folder') return false;
  const kindThenName = next !== undefined && !next.includes('/') && tryAnyKind(word, []) !== undefined;
  return !kindThenName;
}

/** The last word, where those before it name all that is asked for: it can only be the package. */
function missingFolder(words: readonly string[], cwd: string): string | undefined {
  const [asked, last] = [words.slice(0, -1), words.at(-1)];
  if (last === undefined || isObject(last) || isFile(last, cwd)) return undefined;
  const [first, name, ...more] = asked;
  if (first === undefined) return undefined;
  const kindAndName = name !== undefined && more.length === 0 && !name.includes('/') && tryAnyKind(first, []) !== undefined;
  const complete = kindAndName || (name === undefined && isFile(first, cwd)) || asked.every(isObject);
  return complete ? last : undefined;
}

/** `deploy/web`, and not `apps/Deployment`. */
function isObject(word: string): boolean {
  return kindBefore(word) !== undefined && tryAnyKind(word, []) === undefined;
}

/** `web.yaml:10`, and `web.yaml:10:3` as editors have it; not a file that is called so. */
function lineOf(word: string, cwd: string): { readonly file: string; readonly line: number } | undefined {
  const [, file, line] = /^(.+\.(?:ya?ml|json)):(\d{1,9})(?::\d{1,9})?$/i.exec(word) ?? [];
  return file === undefined || entry(cwd, word) === 'file' ? undefined : { file, line: Number(line) };
}

/** Also one that is not there, such as a host file that a render would make: `host/dev/x.yaml`, and not `cm/app.yaml`. */
function isFile(word: string, cwd: string): boolean {
  if (entry(cwd, word) === 'file') return true;
  return FILE_NAME.test(word) && word.includes('/') && kindBefore(word) === undefined;
}

/** The kind in `deploy/web`. */
function kindBefore(word: string): string | undefined {
  const kind = word.slice(0, Math.max(word.lastIndexOf('/'), 0));
  return kind !== '' && tryAnyKind(kind, []) !== undefined ? kind : undefined;
}

function entry(cwd: string, path: string): 'folder' | 'file' | undefined {
  const found = statSync(resolve(cwd, path), { throwIfNoEntry: false });
  return found === undefined ? undefined : found.isDirectory() ? 'folder' : 'file';
}
