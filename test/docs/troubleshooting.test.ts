import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONDITIONS, type ConditionRow } from '../../src/core/controlplane/lifecycle/condition-reasons.ts';
import { ROOT, readPage } from './markdown.ts';

const PAGE = 'docs/troubleshooting.md';
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const section = /(<!-- conditions:[^\n]*-->\n)([\s\S]*?)(<!-- \/conditions -->)/;

/** A section for each condition, with a row for each of its reasons. */
function conditions(): string {
  return Object.entries(CONDITIONS)
    .map(([type, row]: readonly [string, ConditionRow]) => {
      const rows = Object.entries(row.reasons).map(
        ([reason, { status, meaning, remedy = '–' }]) => `| \`${reason}\` | ${status} | ${cell(meaning)} | ${cell(remedy)} |\n`,
      );
      return `\n## ${type}\n\n${row.meaning}\n\n| reason | status | means | what to do |\n|---|---|---|---|\n${rows.join('')}`;
    })
    .join('')
    .concat('\n');
}

function cell(text: string): string {
  return text.replace(/[\\|*_<>`[\]]/g, (character) => `\\${character}`);
}

test('the page has each condition and each reason, as the reconciler writes them', () => {
  const page = readPage(PAGE);
  if (UPDATE)
    writeFileSync(
      join(ROOT, PAGE),
      page.replace(section, (_, begin: string, __: string, end: string) => begin + conditions() + end),
    );
  else expect(section.exec(page)?.[2]).toBe(conditions());
});

test('what a person has to end says how', () => {
  const stuck = Object.values<ConditionRow>(CONDITIONS).flatMap(({ reasons }) => Object.entries(reasons));
  expect(stuck.filter(([, { status, remedy }]) => status === 'False' && remedy === undefined)).toEqual([]);
});
