import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT, scratch } from '../workspace.ts';

export function must(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim();
}

export interface Repository {
  readonly folder: string;
  /** the commit that `change` left `main` at */
  readonly base: string;
  /** sets a package's Deployment to so many replicas */
  edit(path: string, replicas: number): void;
  commit(message: string): void;
}

export interface Wanted {
  /** of the packages, from the root of the repository */
  readonly paths?: readonly string[];
  /** whether each has an object that is refused */
  readonly refused?: boolean;
  /** what the branch does: one edit, nothing that concerns a package, or the packages themselves */
  readonly change?: 'edit' | 'nothing' | 'packages';
}

/** `main`, and `change` on top, where the working tree is; trees are rendered as they should be. */
export function repository({ paths = ['fleet'], refused = false, change = 'edit' }: Wanted = {}): Repository {
  const folder = scratch();
  const git = (...args: string[]): string => must('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], folder);
  const commit = (message: string): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };
  const render = (path: string): void =>
    void must('node', [join(ROOT, 'dist/tenantplane.mjs'), 'render', path, '--fail-on', 'never'], folder);
  const edit = (path: string, replicas: number): void => {
    const file = join(folder, path, 'tenants/dev/objects/api.yaml');
    const text = readFileSync(file, 'utf8');
    const edited = text.replace(/replicas: \d+/, `replicas: ${replicas}`);
    expect(edited).not.toBe(text);
    writeFileSync(file, edited);
  };
  const add = (path: string): void => {
    cpSync(join(ROOT, 'examples/first-tenant'), join(folder, path), { recursive: true });
    if (!refused) rmSync(join(folder, path, 'tenants/dev/objects/log-shipper.yaml'));
    render(path);
  };
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(folder, 'NOTES.txt'), 'before\n');
  if (change !== 'packages') for (const path of paths) add(path);
  commit('a package');
  const base = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '-b', 'change');
  writeFileSync(join(folder, 'NOTES.txt'), 'after\n');
  for (const path of paths) {
    if (change === 'packages') add(path);
    if (change !== 'edit') continue;
    edit(path, 7);
    render(path);
  }
  commit('the change');
  return { folder, base, edit, commit };
}

/** As a runner has it that fetches one commit only. */
export function shallow(repo: Repository): Repository {
  const folder = scratch();
  must('git', ['clone', '--quiet', '--depth', '1', '--branch', 'change', `file://${repo.folder}`, folder], folder);
  return { ...repo, folder };
}
