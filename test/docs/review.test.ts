import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsOf, fits, runBlock, updatePage } from './console.ts';
import { blocksOf, readPage } from './markdown.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const blocks = ['docs/review.md', 'docs/pull-requests.md'].flatMap((page) =>
  blocksOf(readPage(page))
    .filter(({ language, info }) => language === 'console' && info === 'repository')
    .map((block) => ({ ...block, page })),
);

/** The repository of the pages: the fleet on `main`, and a branch `tighten` with three edits. */
function repository(cwd: string): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=A Tester', '-c', 'user.email=tester@example.com', '-c', 'commit.gpgsign=false', ...args], {
      cwd,
      stdio: 'ignore',
    });
  const edit = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(cwd, path), 'utf8');
    if (!text.includes(from)) throw new Error(`${path} holds no ${from}`);
    writeFileSync(join(cwd, path), text.replace(from, to));
  };
  git('init', '-q', '-b', 'main', '.');
  git('add', '-A');
  git('commit', '-qm', 'the fleet');
  git('switch', '-qc', 'tighten');
  edit('examples/fleet/platform/profiles.yaml', 'level: restricted', 'level: sandboxed');
  edit('examples/fleet/tenants/iris-dev/objects/app.yaml', 'iris/server:1.0.0', 'iris/server:1.1.0');
  rmSync(join(cwd, 'examples/fleet/tenants/birch-dev/objects/app.yaml'));
  git('commit', '-qam', 'tighten');
}

describe('pages on a repository', () => {
  test('there are some', () => {
    expect(blocks.length).toBeGreaterThan(1);
  });

  test.each(blocks)('$page:$line prints what the page says', async ({ page, lines }) => {
    const commands = commandsOf(lines);
    const outputs = await runBlock(commands, repository);
    if (UPDATE) return updatePage(page, lines, commands, outputs);
    commands.forEach(({ words, expected }, index) => {
      const actual = outputs[index] ?? [];
      if (!fits(expected, actual))
        expect(`$ ${words.join(' ')}\n${actual.join('\n')}`).toBe(`$ ${words.join(' ')}\n${expected.join('\n')}`);
    });
  });
});
