import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where a folder stands in Git, as far as Git can say it. */
export type GitState =
  | { readonly known: true; readonly commit: string; readonly changed: readonly string[] }
  | { readonly known: false; readonly why: string };

const call = promisify(execFile);
const BIG = 1 << 28;

/** Asks git; writes nothing, not even git's own index (`--no-optional-locks`). */
export async function gitState(folder: string, signal: AbortSignal): Promise<GitState> {
  try {
    const commit = (await git(folder, ['rev-parse', '--verify', 'HEAD'], signal)).trim();
    const status = await git(folder, ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--', '.'], signal);
    const changed = status.split('\0').flatMap((entry) => (entry.length > 3 ? [entry.slice(3)] : []));
    return { known: true, commit, changed: changed.sort() };
  } catch (error) {
    if (signal.aborted) throw error;
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return {
      known: false,
      why: missing ? 'there is no git on this machine' : 'the package is in no git repository, or in one without a commit',
    };
  }
}

async function git(folder: string, words: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout } = await call('git', ['--no-optional-locks', '-C', folder, ...words], { signal, maxBuffer: BIG, encoding: 'utf8' });
  return stdout;
}
