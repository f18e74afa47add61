import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where files stand in Git, as far as Git can say it. */
export type GitState =
  | { readonly known: true; readonly commit: string; readonly changed: readonly string[] }
  | { readonly known: false; readonly why: string };

const call = promisify(execFile);
const BIG = 1 << 28;
/** Files that a render reads or writes, or that say what it reads. */
const COUNTS = /\.(?:ya?ml|json|ndjson)$|(?:^|\/)\.krmignore$/i;

/**
 * Compares the bytes of files with the blobs of HEAD. Not `git status`: what is ignored, assumed unchanged or left out of a sparse
 * checkout is no change to it, and would be read here all the same. Writes nothing.
 * @param paths relative to `folder`, with `/`
 */
export async function gitState(folder: string, paths: readonly string[], signal: AbortSignal): Promise<GitState> {
  try {
    const commit = (await git(folder, ['rev-parse', '--verify', 'HEAD'], signal)).trim();
    const format = (await git(folder, ['rev-parse', '--show-object-format'], signal)).trim();
    const blobs = blobsOf(await git(folder, ['ls-tree', '-r', '-z', 'HEAD', '--', '.'], signal));
    const other = paths.filter((path) => blobs.get(path)?.id !== blobId(readFileSync(join(folder, path)), format));
    const read = new Set(paths);
    const gone = [...blobs].filter(([path, blob]) => !read.has(path) && COUNTS.test(path) && !isThere(join(folder, path), blob));
    return { known: true, commit, changed: [...other, ...gone.map(([path]) => path)].sort() };
  } catch (error) {
    if (signal.aborted) throw error;
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall !== 'open';
    return {
      known: false,
      why: missing ? 'there is no git on this machine' : 'the package is in no git repository, or in one without a commit',
    };
  }
}

interface Blob {
  readonly id: string;
  readonly link: boolean;
}

/** A link in the place of a file is not followed, so the file is as good as gone. */
function isThere(file: string, { link }: Blob): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && (link ? stat.isSymbolicLink() : stat.isFile());
}

/** `<mode> blob <id>\t<path>` each, ended by NUL. */
function blobsOf(listing: string): ReadonlyMap<string, Blob> {
  const blobs = new Map<string, Blob>();
  for (const entry of listing.split('\0')) {
    const [, mode, id, path] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
    if (id !== undefined && path !== undefined) blobs.set(path, { id, link: mode === '120000' });
  }
  return blobs;
}

/** The name that git gives to bytes as they are, without any filter. */
function blobId(bytes: Buffer, format: string): string {
  return createHash(format === 'sha256' ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

async function git(folder: string, words: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout } = await call(
    'git',
    ['--no-optional-locks', '--no-replace-objects', '-c', 'core.fsmonitor=false', '-C', folder, ...words],
    {
      signal,
      maxBuffer: BIG,
      encoding: 'utf8',
    },
  );
  return stdout;
}
