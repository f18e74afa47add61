import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A local Git repository that holds a package's rendered tree under `host/`, and nothing of its sources. */
export interface Repository {
  readonly folder: string;
  /** as Argo CD names it */
  readonly url: string;
  /** takes the tree of a package over as it stands now, and commits. @returns the commit */
  commitTree(root: string): string;
  /** commits what was changed in the folder by hand */
  commit(): string;
}

export function createRepository(folder: string): Repository {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...NOBODY } });
  git('init', '--quiet', '--initial-branch=main');
  const commit = (): string => {
    git('add', '--all');
    git('commit', '--quiet', '--message=A render');
    return git('rev-parse', 'HEAD').trim();
  };
  return {
    folder,
    url: `file://${folder}`,
    commit,
    commitTree(root) {
      rmSync(join(folder, 'host'), { recursive: true, force: true });
      cpSync(join(root, 'host'), join(folder, 'host'), { recursive: true });
      return commit();
    },
  };
}

/** The machine's own Git settings do not count. */
const NOBODY = {
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};
