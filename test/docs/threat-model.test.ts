import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, readPage } from './markdown.ts';
import { casesTable, controlsTable, rulesTable } from './threat-tables.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

describe('the pages of threats', () => {
  test.each([
    ['docs/threat-model.md', 'controls', controlsTable],
    ['docs/threat-cases.md', 'rules', rulesTable],
    ['docs/threat-cases.md', 'cases', casesTable],
  ] as const)('%s has the table of %s that the tests run', (page, name, table) => {
    const block = new RegExp(`(<!-- ${name} -->\n)([\\s\\S]*?)(<!-- /${name} -->)`);
    if (UPDATE)
      writeFileSync(
        join(ROOT, page),
        readPage(page).replace(block, (_, open: string, __, end: string) => `${open}${table()}\n${end}`),
      );
    expect(block.exec(readPage(page))?.[2]).toBe(`${table()}\n`);
  });
});
