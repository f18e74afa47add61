import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tenantplane } from '../cli/harness.ts';
import { commandsOf, fits, runBlock, updatePage } from './console.ts';
import { blocksOf, ROOT, readPage } from './markdown.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const PREPARATIONS: Readonly<Record<string, (cwd: string) => Promise<void>>> = { repository, weakened, environments };

const blocks = ['docs/review.md', 'docs/pull-requests.md', 'docs/auditor.md'].flatMap((page) =>
  blocksOf(readPage(page))
    .filter(({ language, info }) => language === 'console' && info !== '')
    .map((block) => ({ ...block, page })),
);

/** Runs git as it was on a day of January. */
function git(cwd: string, day: number, ...args: readonly string[]): void {
  const date = `2026-01-0${day}T09:00:00Z`;
  execFileSync('git', ['-c', 'user.name=A Tester', '-c', 'user.email=tester@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
}

function edit(cwd: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(cwd, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} holds no ${from}`);
  writeFileSync(join(cwd, path), text.replace(from, to));
}

/** Renders anew, as who opens a pull request does. */
async function render(cwd: string, folder: string): Promise<void> {
  const { code, err } = await tenantplane(['render', folder, '-q'], { cwd });
  if (code !== 0) throw new Error(err);
}

function onMain(cwd: string): void {
  git(cwd, 5, 'init', '-q', '-b', 'main', '.');
  git(cwd, 5, 'add', '-A');
  git(cwd, 5, 'commit', '-qm', 'the fleet');
}

/** The fleet on `main`, and a branch `tighten` with three edits. */
async function repository(cwd: string): Promise<void> {
  onMain(cwd);
  git(cwd, 6, 'switch', '-qc', 'tighten');
  edit(cwd, 'examples/fleet/platform/profiles.yaml', 'level: restricted', 'level: sandboxed');
  edit(cwd, 'examples/fleet/tenants/iris-dev/objects/app.yaml', 'iris/server:1.0.0', 'iris/server:1.1.0');
  rmSync(join(cwd, 'examples/fleet/tenants/birch-dev/objects/app.yaml'));
  await render(cwd, 'examples/fleet');
  git(cwd, 6, 'add', '-A');
  git(cwd, 6, 'commit', '-qm', 'tighten');
}

/** The fleet, and a second commit on `main` that lowers the level of a profile and was not rendered. */
async function weakened(cwd: string): Promise<void> {
  onMain(cwd);
  edit(cwd, 'examples/fleet/platform/profiles.yaml', 'level: restricted', 'level: baseline');
  git(cwd, 6, 'commit', '-qam', 'baseline will do');
}

/** The fleet twice, the second with a newer image and a larger quota of one tenant. */
async function environments(cwd: string): Promise<void> {
  for (const folder of ['env/a', 'env/b']) cpSync(join(ROOT, 'examples/fleet'), join(cwd, folder), { recursive: true });
  edit(cwd, 'env/b/tenants/iris-dev/objects/app.yaml', 'iris/server:1.0.0', 'iris/server:1.1.0');
  edit(cwd, 'env/b/tenants/iris-dev/tenant.yaml', 'cpu: "2"', 'cpu: "3"');
  await render(cwd, 'env/b');
}

describe('pages on a repository', () => {
  test('there are some', () => {
    expect(blocks.length).toBeGreaterThan(1);
  });

  test.each(blocks)('$page:$line prints what the page says', async ({ page, lines, info }) => {
    const commands = commandsOf(lines);
    const prepare = PREPARATIONS[info];
    if (prepare === undefined) throw new Error(`${page}: nothing prepares ${info}`);
    const outputs = await runBlock(commands, prepare);
    if (UPDATE) return updatePage(page, lines, commands, outputs);
    commands.forEach(({ words, expected }, index) => {
      const actual = outputs[index] ?? [];
      if (!fits(expected, actual))
        expect(`$ ${words.join(' ')}\n${actual.join('\n')}`).toBe(`$ ${words.join(' ')}\n${expected.join('\n')}`);
    });
  });
});
