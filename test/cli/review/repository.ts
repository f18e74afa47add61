import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { put, scratch } from '../tree/disk.ts';

/** A real git repository in a scratch folder. */
export interface Repository {
  readonly root: string;
  git(...args: readonly string[]): string;
  write(files: Readonly<Record<string, string | undefined>>): void;
  /** writes, and commits all of it; undefined removes a file. @returns the commit */
  commit(files: Readonly<Record<string, string | undefined>>, message?: string): string;
}

const CONFIG = [
  '-c',
  'user.name=A Tester',
  '-c',
  'user.email=tester@example.com',
  '-c',
  'commit.gpgsign=false',
  '-c',
  'core.autocrlf=false',
];

export function repository(): Repository {
  const root = scratch();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...CONFIG, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const write: Repository['write'] = (files) => {
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) rmSync(join(root, path));
      else put(root, { [path]: text });
    }
  };
  git('init', '-q', '-b', 'main', '.');
  return {
    root,
    git,
    write,
    commit(files, message = 'a change') {
      write(files);
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
  };
}
