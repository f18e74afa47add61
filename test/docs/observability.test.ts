import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALERTS } from '../../deploy/observability/alert-rows.ts';
import { METRICS } from '../../src/reconciler/metrics/metric-table.ts';
import { ROOT, readPage } from './markdown.ts';

const PAGE = 'docs/observability.md';
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const SECTIONS: Readonly<Record<string, () => string>> = {
  alerts: () =>
    ALERTS.map(
      ({ name, expr, for: time, severity, remedy }) =>
        `\n### ${name}\n\n${severity}${time === '0m' ? '' : `, after ${time}`}: \`${expr}\`\n\n${remedy}\n`,
    ).join(''),
  metrics: () => {
    const rows = METRICS.map(({ name, type, labels, help, perTenant }) => {
      const named = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${named}${perTenant === true ? ', by tenant' : ''} | ${escaped(help)} |\n`;
    });
    return `\n| metric | type | labels | meaning |\n|---|---|---|---|\n${rows.join('')}\n`;
  },
};

test.each(Object.keys(SECTIONS))('the %s of the page are those of the table', (name) => {
  const section = new RegExp(`(<!-- ${name}:[^\\n]*-->\\n)([\\s\\S]*?)(<!-- /${name} -->)`);
  const page = readPage(PAGE);
  const text = SECTIONS[name]?.() ?? '';
  if (UPDATE)
    writeFileSync(
      join(ROOT, PAGE),
      page.replace(section, (_, begin: string, __: string, end: string) => begin + text + end),
    );
  else expect(section.exec(page)?.[2]).toBe(text);
});
