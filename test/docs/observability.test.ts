import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALERTS } from '../../deploy/observability/alert-rows.ts';
import { ROOT, readPage } from './markdown.ts';

const PAGE = 'docs/observability.md';
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const section = /(<!-- alerts:[^\n]*-->\n)([\s\S]*?)(<!-- \/alerts -->)/;

function alerts(): string {
  return ALERTS.map(
    ({ name, expr, for: time, severity, remedy }) =>
      `\n### ${name}\n\n${severity}${time === '0m' ? '' : `, after ${time}`}: \`${expr}\`\n\n${remedy}\n`,
  ).join('');
}

test('the alerts of the page are those of the table', () => {
  const page = readPage(PAGE);
  if (UPDATE)
    writeFileSync(
      join(ROOT, PAGE),
      page.replace(section, (_, begin: string, __: string, end: string) => begin + alerts() + end),
    );
  else expect(section.exec(page)?.[2]).toBe(alerts());
});
