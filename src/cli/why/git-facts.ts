import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemCode, TenantplaneError } from '../errors.ts';

const run = promisify(execFile);

/** Who last changed lines of a file, as Git has it. */
export interface LastChange {
  /** abbreviated; undefined for what is not committed yet */
  readonly commit?: string;
  readonly author?: string;
  /** ISO 8601 */
  readonly date?: string;
  readonly subject?: string;
  /** a shallow clone ends at this commit: the change is of it or of an earlier one */
  readonly boundary?: true;
  readonly words: string;
}

export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** @throws TenantplaneError where there is no Git, or no repository */
export async function needRepository(folder: string): Promise<void> {
  try {
    await git(folder, ['rev-parse', '--show-toplevel']);
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      throw new TenantplaneError('system', '--git asks Git, and there is no git command here.', {
        hint: 'Install Git, or leave --git out.',
        cause: error,
      });
    throw new TenantplaneError('system', `--git asks Git, and ${folder} is in no repository that it reads.`, {
      hint: 'Call it in a clone, or leave --git out. A repository of another owner needs git config safe.directory.',
      cause: error,
    });
  }
}

/** The newest change of some lines of a file, or of the whole file. */
export async function lastChange(folder: string, path: string, lines?: Lines): Promise<LastChange> {
  try {
    return lines === undefined ? await ofFile(folder, path) : await ofLines(folder, path, lines);
  } catch {
    return NOT_IN_GIT;
  }
}

const NOT_IN_GIT: LastChange = { words: 'not in Git' };
const UNCOMMITTED: LastChange = { words: 'not committed yet' };

async function ofFile(folder: string, path: string): Promise<LastChange> {
  const dirty = await git(folder, ['status', '--porcelain', '--', path]);
  if (dirty.startsWith('??')) return NOT_IN_GIT;
  if (dirty.trim() !== '') return UNCOMMITTED;
  return commitOf(folder, ['--', path]);
}

async function ofLines(folder: string, path: string, { first, last }: Lines): Promise<LastChange> {
  const blame = await git(folder, ['blame', '--porcelain', '-L', `${first},${last}`, '--', path]);
  const hashes = new Set([...blame.matchAll(/^([0-9a-f]{40,64}) \d+ \d+/gm)].map((match) => match[1] ?? ''));
  if ([...hashes].some((hash) => /^0+$/.test(hash))) return UNCOMMITTED;
  return commitOf(folder, ['--no-walk=sorted', ...hashes]);
}

const FORMAT = '--format=%h%x00%an%x00%aI%x00%P%x00%s';

async function commitOf(folder: string, which: readonly string[]): Promise<LastChange> {
  const line = await git(folder, ['log', '-1', FORMAT, ...which]);
  const [commit, author = '', date = '', parents = '', subject = ''] = line.trimEnd().split('\0');
  if (commit === undefined || commit === '') return NOT_IN_GIT;
  const words = `${commit} ${author} ${date.slice(0, 10)} "${subject}"`;
  // what came before the boundary is blamed on it
  const boundary = parents === '' && (await git(folder, ['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  if (!boundary) return { commit, author, date, subject, words };
  return { commit, author, date, subject, boundary, words: `${words} (or earlier: this shallow clone ends there)` };
}

/** Reads only. A file system monitor is a program that the repository names, so none is run. */
async function git(folder: string, words: readonly string[]): Promise<string> {
  const options = { cwd: folder, maxBuffer: 1 << 26, env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } };
  const { stdout } = await run(
    'git',
    ['--no-replace-objects', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...words],
    options,
  );
  return stdout;
}
