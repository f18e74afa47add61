import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RECONCILER_FLAGS, variableOf } from '../../src/cli/reconciler/flags.ts';
import { METRICS } from '../../src/reconciler/metrics/metric-table.ts';
import { ROOT, readPage } from './markdown.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';
const PAGE = 'docs/reconciler.md';

const TABLES: Readonly<Record<string, string>> = {
  flags: table(
    ['flag', 'variable', 'default', ''],
    RECONCILER_FLAGS.map((flag) => [
      `\`--${flag.name} ${flag.value.toUpperCase()}\``,
      `\`${variableOf(flag)}\``,
      flag.fallback === undefined ? '' : `\`${flag.fallback}\``,
      flag.help,
    ]),
  ),
  metrics: table(
    ['metric', 'type', 'labels', ''],
    METRICS.map(({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help.replaceAll('<', '&lt;'),
    ]),
  ),
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

describe(PAGE, () => {
  test.each(Object.entries(TABLES))('says of %s what the table in the source says', (name, expected) => {
    const block = new RegExp(`(<!-- ${name} -->\n)([\\s\\S]*?)(<!-- /${name} -->)`);
    if (UPDATE) {
      const text = readPage(PAGE).replace(block, (_, open: string, __, end: string) => `${open}${expected}\n${end}`);
      writeFileSync(join(ROOT, PAGE), text);
    }
    expect(block.exec(readPage(PAGE))?.[2]).toBe(`${expected}\n`);
  });

  test('has rows to say', () => {
    expect(RECONCILER_FLAGS.length).toBeGreaterThan(10);
    expect(METRICS.length).toBeGreaterThan(30);
  });
});
