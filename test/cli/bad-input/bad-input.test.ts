import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readResourceList } from '../../../src/krm/resource-list.ts';
import { cell, outcomeCells, readErrorsPage, writeGroup } from './errors-page.ts';
import type { Row } from './row.ts';
import { COMMAND_LINE } from './rows/command-line.ts';
import { CONFIGURATION } from './rows/configuration.ts';
import { FUNCTION } from './rows/function.ts';
import { HOSTILE } from './rows/hostile.ts';
import { OBJECTS } from './rows/objects.ts';
import { SYNTAX } from './rows/syntax.ts';
import { build, callProcess, type Outcome, renderedPackage, runRow } from './run-row.ts';
import { said, saidByFunction } from './said.ts';

const GROUPS: readonly (readonly [string, readonly Row[]])[] = [
  ['syntax', SYNTAX],
  ['objects', OBJECTS],
  ['configuration', CONFIGURATION],
  ['tenants', HOSTILE],
  ['command line', COMMAND_LINE],
];
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';
/** bounds of what one bad input may cost, of which each of these needs a small part */
const MOST = { cpuSeconds: 2, megabytes: 512 } as const;

let folder = '';
let rendered = '';
let dist = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenantplane-bad-input-'));
  rendered = await renderedPackage(folder);
  dist = build(join(folder, 'dist'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What holds for every input, whatever is said of it. */
function expectDecent({ exit, out, err, cpuSeconds, megabytes }: Pick<Outcome, 'exit' | 'out' | 'err' | 'cpuSeconds' | 'megabytes'>): void {
  expect([0, 1, 2, 3, 4, 5]).toContain(exit);
  expect(out + err).not.toMatch(/^\s+at .*:\d+:\d+\)?$|is a bug|a defect of/m);
  expect((out + err).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(cpuSeconds).toBeLessThan(MOST.cpuSeconds);
  if (megabytes !== undefined) expect(megabytes).toBeLessThan(MOST.megabytes);
}

describe.each(GROUPS)('docs/errors-table.md, %s', (group, rows) => {
  const page = readErrorsPage();
  const seen = new Map<string, string>();

  test.each(rows)('$what', async (row) => {
    const outcome = await runRow(row, rendered, join(dist, 'tenantplane.mjs'));
    expectDecent(outcome);
    const paths = new Set([...outcome.before.keys(), ...outcome.after.keys()]);
    expect([...paths].filter((path) => outcome.before.get(path) !== outcome.after.get(path))).toEqual([]);
    const lines = said(outcome.err + outcome.out);
    expect(lines).not.toEqual([]);
    seen.set(row.what, outcomeCells(lines, outcome.exit));
    if (!UPDATE) expect(seen.get(row.what)).toBe(page.expected(group, row.what));
  });

  afterAll(() => {
    if (UPDATE) writeGroup(group, seen);
  });

  test.skipIf(UPDATE)('has each input once, and no other', () => {
    expect(page.inputs(group)).toEqual(rows.map(({ what }) => cell(what)));
  });
});

describe('docs/errors-table.md, functions', () => {
  const page = readErrorsPage();
  const seen = new Map<string, string>();

  test.each(FUNCTION)('$what', ({ what, input, args = [] }) => {
    const result = callProcess(['render-tenant', ...args], folder, join(dist, 'tenantplane-fn.mjs'), input);
    expectDecent({ ...result, out: '' });
    // nothing, or a whole list that has lost no item
    if (result.out !== '') {
      const [sent, back] = [String(input), result.out].map((text) => readResourceList(text));
      if (sent === undefined || back === undefined || 'problem' in sent || 'problem' in back) throw new Error(`no list:\n${result.out}`);
      const texts = back.list.items.map((item) => item.text);
      expect(sent.list.items.filter((item) => !texts.includes(item.text))).toEqual([]);
    }
    const lines = saidByFunction(result.out, result.err);
    expect(lines).not.toEqual([]);
    seen.set(what, outcomeCells(lines, result.exit));
    if (!UPDATE) expect(seen.get(what)).toBe(page.expected('functions', what));
  });

  afterAll(() => {
    if (UPDATE) writeGroup('functions', seen);
  });

  test.skipIf(UPDATE)('has each input once, and no other', () => {
    expect(page.inputs('functions')).toEqual(FUNCTION.map(({ what }) => cell(what)));
  });
});

test('the tables are as long as they are said to be', () => {
  expect(GROUPS.reduce((sum, [, rows]) => sum + rows.length, FUNCTION.length)).toBeGreaterThan(200);
});
