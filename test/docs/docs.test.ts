import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Command, commandsOf, fits, runBlock } from './console.ts';
import { blocksOf, pages, ROOT, readPage } from './markdown.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const blocks = pages().flatMap((page) =>
  blocksOf(readPage(page))
    .filter(({ language, info, lines }) => language === 'console' && info === '' && lines.some((line) => line.startsWith('$ tenantplane ')))
    .map(({ line, lines }) => ({ where: `${page}:${line}`, page, lines, commands: commandsOf(lines) })),
);

/** Writes what is really printed into the page, but for commands whose output the page leaves out in part. */
function updatePage(page: string, lines: readonly string[], commands: readonly Command[], outputs: readonly (readonly string[])[]): void {
  const prompts = lines.filter((line) => line.startsWith('$ '));
  const block = commands.flatMap(({ expected }, index) => [
    prompts[index] ?? '',
    ...(expected.includes('…') ? expected : (outputs[index] ?? [])),
  ]);
  writeFileSync(join(ROOT, page), readPage(page).replace(lines.join('\n'), block.join('\n')));
}

describe('console blocks of the pages', () => {
  test('there are some', () => {
    expect(blocks.length).toBeGreaterThan(2);
  });

  test.each(blocks)('$where prints what the page says', async ({ page, lines, commands }) => {
    const outputs = await runBlock(commands);
    if (UPDATE) return updatePage(page, lines, commands, outputs);
    commands.forEach(({ words, expected }, index) => {
      const actual = outputs[index] ?? [];
      // Compared as text where it differs, so that the difference can be read.
      if (!fits(expected, actual))
        expect(`$ ${words.join(' ')}\n${actual.join('\n')}`).toBe(`$ ${words.join(' ')}\n${expected.join('\n')}`);
    });
  });

  test.each([
    [['a', 'b'], ['a', 'b'], true],
    [['a', '…', 'c'], ['a', 'b', 'b', 'c'], true],
    [['a', '…'], ['a'], true],
    [['…', 'c'], ['c'], true],
    [['a'], ['a', 'b'], false],
    [['a', '…', 'c'], ['a', 'b'], false],
  ])('%j as an expectation of %j: %s', (expected, actual, holds) => {
    expect(fits(expected, actual)).toBe(holds);
  });
});
