import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { systemCode, TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';

const MOST_BYTES = 1024 * 1024 * 1024;
/** Nothing is asked, fetched or locked: a review reads what is there. */
const QUIET = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
} as const;

/** A repository, asked through the git command; its working tree and index are left alone. */
export interface Git {
  /** its working tree, or itself where it has none */
  readonly root: string;
  /** it has no working tree */
  readonly bare: boolean;
  /** the full commit of a ref */
  commit(ref: string): string;
  mergeBase(a: string, b: string): string;
  /** a folder of the disk as the repository names it, `''` for its root */
  pathOf(folder: string): string;
  list(commit: string, folder: string): readonly GitEntry[] | undefined;
  /** the submodule that is a folder or holds it */
  submoduleAt(commit: string, folder: string): string | undefined;
  blobs(ids: readonly string[]): readonly Buffer[];
}

export interface GitEntry {
  /** relative to the folder that was listed */
  readonly path: string;
  readonly id: string;
  readonly type: 'file' | 'link' | 'repository' | 'other';
}

/** @throws TenantplaneError where the folder is in no repository, or git is missing */
export function openGit(cwd: string, env: CliIo['env']): Git {
  const ask = (where: string, args: readonly string[], input?: string): Answered => askGit(where, env, args, input);
  const isShallow = (): boolean => ask(cwd, ['rev-parse', '--is-shallow-repository']).stdout.toString('utf8').trim() === 'true';
  const bare = ask(cwd, ['rev-parse', '--is-bare-repository']).stdout.toString('utf8').trim() === 'true';
  const top = ask(cwd, ['rev-parse', bare ? '--absolute-git-dir' : '--show-toplevel']);
  if (top.status !== 0) {
    throw new TenantplaneError('git', `${cwd} is in no git repository: ${lastLine(top.stderr)}`, {
      hint: 'Go into the repository, or compare two folders: tenantplane diff --base DIR --head DIR.',
    });
  }
  const root = top.stdout.toString('utf8').replace(/\n$/, '');
  const prefix = bare
    ? relative(root, cwd)
    : ask(cwd, ['rev-parse', '--show-prefix'])
        .stdout.toString('utf8')
        .replace(/\/?\n$/, '');
  const commit = (ref: string): string => {
    const found = ask(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
    if (found.status === 0) return found.stdout.toString('utf8').trim();
    const refs = ask(root, [
      'for-each-ref',
      '--count=5',
      '--sort=-committerdate',
      '--format=%(refname:short)',
      'refs/heads',
      'refs/remotes',
    ]);
    const names = refs.stdout.toString('utf8').trim().split('\n').join(', ');
    const shallow = isShallow();
    throw new TenantplaneError(
      shallow ? 'git' : 'usage',
      `The repository has no commit ${ref}, and there is no such folder${shallow ? '; it is a shallow clone' : ''}.`,
      {
        hint: shallow ? FETCH : names === '' ? 'Commit something first.' : `It has: ${names}.`,
      },
    );
  };
  return {
    root,
    bare,
    commit,
    mergeBase(a, b) {
      const found = ask(root, ['merge-base', commit(a), commit(b)]);
      if (found.status === 0) return found.stdout.toString('utf8').trim();
      throw new TenantplaneError('git', `${a} and ${b} have no common commit${isShallow() ? ' in this shallow clone' : ''}.`, {
        hint: isShallow() ? FETCH : `Compare the refs themselves: ${a}..${b}.`,
      });
    },
    pathOf(folder) {
      const path = [...prefix.split('/'), ...relative(cwd, folder).split('/')].filter((step) => step !== '' && step !== '.');
      const steps: string[] = [];
      for (const step of path) {
        if (step !== '..') steps.push(step);
        else if (steps.pop() === undefined) {
          throw new TenantplaneError('usage', `${folder} lies outside the repository ${root}.`, {
            hint: 'Name a package of the repository.',
          });
        }
      }
      return steps.join('/');
    },
    list(at, folder) {
      const found = ask(root, ['ls-tree', '-r', '-z', '--full-tree', `${at}:${folder}`]);
      return found.status === 0 ? entriesOf(found.stdout.toString('utf8')) : undefined;
    },
    submoduleAt(at, folder) {
      const steps = folder.split('/');
      return steps
        .map((_, index) => steps.slice(0, index + 1).join('/'))
        .find((path) => ask(root, ['ls-tree', '-z', '--full-tree', at, '--', path]).stdout.toString('utf8').startsWith(SUBMODULE));
    },
    blobs(ids) {
      if (ids.length === 0) return [];
      const found = ask(root, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
      if (found.status === 0) return blobsOf(found.stdout, ids, root);
      throw new TenantplaneError('git', `git cannot read the files: ${lastLine(found.stderr)}`, { hint: FETCH });
    },
  };
}

const FETCH = 'Fetch the history first: git fetch --unshallow (in CI: fetch-depth: 0).';

const SUBMODULE = '160000';
const TYPES: ReadonlyMap<string, GitEntry['type']> = new Map([
  ['100644', 'file'],
  ['100755', 'file'],
  ['100664', 'file'],
  ['120000', 'link'],
  [SUBMODULE, 'repository'],
]);

function entriesOf(listing: string): GitEntry[] {
  return listing.split('\0').flatMap((line) => {
    const match = /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line);
    if (match === null) return [];
    const [, mode = '', id = '', path = ''] = match;
    return [{ path, id, type: TYPES.get(mode) ?? 'other' }];
  });
}

function blobsOf(output: Buffer, ids: readonly string[], root: string): Buffer[] {
  let offset = 0;
  return ids.map((id) => {
    const end = output.indexOf(10, offset);
    const [, type, size] = output.subarray(offset, end).toString('utf8').split(' ');
    if (type !== 'blob') {
      throw new TenantplaneError('git', `The repository ${root} lacks the content of ${id}: it is a partial clone.`, {
        hint: 'Fetch it first: git fetch --refetch --filter=blob:none is not enough, use a full clone.',
      });
    }
    const start = end + 1;
    offset = start + Number(size) + 1;
    return output.subarray(start, offset - 1);
  });
}

interface Answered {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

function askGit(cwd: string, env: CliIo['env'], args: readonly string[], input?: string): Answered {
  const done = spawnSync('git', [...args], {
    cwd,
    env: { ...env, ...QUIET },
    maxBuffer: MOST_BYTES,
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input }),
  });
  if (done.error !== undefined) {
    const missing = systemCode(done.error) === 'ENOENT';
    throw new TenantplaneError('git', missing ? 'There is no git command here.' : `git ${args[0] ?? ''} failed: ${done.error.message}`, {
      hint: missing ? 'Install git, or compare two folders: tenantplane diff --base DIR --head DIR.' : 'Try the command by hand.',
      cause: done.error,
    });
  }
  return { status: done.status, stdout: done.stdout, stderr: done.stderr.toString('utf8') };
}

function lastLine(text: string): string {
  return (
    text
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^fatal: /, '') ?? ''
  );
}
