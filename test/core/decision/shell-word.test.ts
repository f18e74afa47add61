import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shellWord } from '../../../src/core/decision/shell-word.ts';
import { visible } from '../../../src/report/escape.ts';

/** What a tenant could write to run something, in one shell or the other. */
const HOSTILE: readonly string[] = [
  'a; touch hit',
  '$(touch hit)',
  '`touch hit`',
  "a'; touch hit; '",
  "x\\';touch hit;#",
  'a\ntouch hit\n',
  'a\rtouch hit\r',
  'a && touch hit',
  '| touch hit',
  '> hit',
  '\u2019; touch hit; \u2018',
  '"; touch hit; "',
  '~/x',
  '*',
  '!!',
  '{a,b}',
  '#',
  '',
  '\u001b[200~touch hit\n',
  '\u202ea',
  '\0',
  '\ud800',
  '\u115f',
  'a\ufe0f',
];
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-word-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a shell hands to a program of these words. */
function words(shell: string, text: string): readonly string[] {
  const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const out = execFileSync(shell, ['-c', `"$NODE" -e '${program}' -- ${text}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath },
  });
  return JSON.parse(out);
}

describe('a word of a command', () => {
  test.each([
    ['team-dev/dev', 'team-dev/dev'],
    ['dir=out', 'dir=out'],
    ['=ls', "'=ls'"],
    ['my fleet', "'my fleet'"],
    ['équipe/a', "'équipe/a'"],
    ["it's", "'it?s'"],
    ['a\\b', "'a?b'"],
    ['-rf', './-rf'],
    ['', "''"],
  ])('%j is %s', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  const shells = ['sh', 'bash', 'zsh', 'fish'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);
  test.each(shells)('%s takes each as one word, no option, and runs nothing', (shell) => {
    const all = HOSTILE.map(shellWord);
    const got = words(shell, all.join(' '));
    expect(got).toEqual(all.map((word) => (word.startsWith("'") ? word.slice(1, -1) : word)));
    expect(readdirSync(folder)).toEqual([]);
    expect(all.map(visible)).toEqual(all);
  });

  test('whatever it is: quotes stand at its ends alone, and `visible` changes nothing of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), (text) => {
        const word = shellWord(text);
        expect(word).toMatch(/^(?:[\w./:+][\w./:=+-]*|'[^'\\\u2018-\u201b]*')$/u);
        expect(visible(word)).toBe(word);
        expect(word.length).toBeLessThan(410);
      }),
    );
  });
});
