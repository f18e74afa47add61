import { describe, expect, test } from 'vitest';
import { commandsOf, endOfReading, fits, runBlock, updatePage } from './console.ts';
import { blocksOf, pages, readPage } from './markdown.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const blocks = pages().flatMap((page) =>
  blocksOf(readPage(page))
    .filter(({ language, info, lines }) => language === 'console' && info === '' && lines.some((line) => line.startsWith('$ tenantplane ')))
    .map(({ line, lines }) => ({ where: `${page}:${line}`, page, lines, commands: commandsOf(lines) })),
);

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

  test('what only reads has written nothing', () => {
    expect(endOfReading()).toEqual([]);
  });

  test.each([
    [['a', 'b'], ['a', 'b'], true],
    [['a', '…', 'c'], ['a', 'b', 'b', 'c'], true],
    [['a', '…'], ['a'], true],
    [['…', 'c'], ['c'], true],
    [['a'], ['a', 'b'], false],
    [['a', '…', 'c'], ['a', 'b'], false],
    [['by … at 9'], ['by x.y at 9'], true],
    [['by … at 9.'], ['by x at 9+'], false],
  ])('%j as an expectation of %j: %s', (expected, actual, holds) => {
    expect(fits(expected, actual)).toBe(holds);
  });
});
