import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, readPage } from './markdown.ts';
import { casesTable, rulesTable } from './threat-tables.ts';

const PAGE = 'docs/threat-model.md';
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

describe(PAGE, () => {
  test.each([
    ['rules', rulesTable],
    ['cases', casesTable],
  ] as const)('has the table of %s that the tests run', (name, table) => {
    const block = new RegExp(`(<!-- ${name} -->\n)([\\s\\S]*?)(<!-- /${name} -->)`);
    if (UPDATE)
      writeFileSync(
        join(ROOT, PAGE),
        readPage(PAGE).replace(block, (_, open: string, __, end: string) => `${open}${table()}\n${end}`),
      );
    expect(block.exec(readPage(PAGE))?.[2]).toBe(`${table()}\n`);
  });
});
