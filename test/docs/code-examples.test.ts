import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sightings } from '../../site/seen.ts';
import { WHYS } from '../../src/cli/whys/whys.ts';
import { REASONS, type ReasonName, reasonOf } from '../../src/core/decision/reasons.ts';
import type { Plan } from '../../src/core/plan/plan-types.ts';
import { markdownText } from '../../src/report/escape.ts';
import { decisionsOf } from '../../src/report/tally.ts';
import { EXAMPLES, PACKAGES, renderPackage } from '../support/example.ts';
import type { CodeCase } from './code-cases/case.ts';
import { OBJECT_CASES } from './code-cases/objects.ts';
import { PACKAGE_CASES } from './code-cases/packages.ts';
import { sentenceOf } from './code-cases/run-case.ts';
import { ROOT } from './markdown.ts';

const PAGE = join(ROOT, 'docs/code-examples.md');
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';
const CASES: readonly CodeCase[] = [...OBJECT_CASES, ...PACKAGE_CASES];
const LONGEST = 400;

/** Codes that no command gives for a package, and why. */
const NOT_MET: Partial<Record<ReasonName, string>> = {
  SharedTooLarge: 'it takes the TenantClusters of 3,501 tenants: test/core/plan/plan.test.ts',
  ProjectedElsewhere: 'only the function render-isolation gives it: test/core/plan/scopes.test.ts',
};

const names = Object.fromEntries(Object.keys(REASONS).map((name) => [reasonOf(name as ReasonName).code, name]));
const rows = new Map<string, string>();

/** A line of the page: the code, what was put in, what was said. */
function row(code: string, input: string, said: string): string {
  const short = said.length <= LONGEST ? said : `${said.slice(0, LONGEST - 1)}…`;
  return `| ${code} | ${input} | ${code} ${names[code] ?? ''} — ${markdownText(short).replaceAll('|', '\\|').replaceAll('\n', ' ')} |`;
}

describe('docs/code-examples.md', () => {
  const page = new Map(
    readFileSync(PAGE, 'utf8')
      .split('\n')
      .flatMap((line) => (/^\| TP\d/.test(line) ? [[line.slice(2, 8), line] as const] : [])),
  );

  beforeAll(async () => {
    const cases = new Set(CASES.map(({ code }) => code));
    for (const example of PACKAGES)
      for (const [code, said] of saidOf((await renderPackage(join(EXAMPLES, example))).plan))
        if (!cases.has(code) && !rows.has(code)) rows.set(code, row(code, `the package \`examples/${example}\``, said));
  }, 120_000);

  test.each(CASES)('$code: $input', async (item) => {
    const said = await sentenceOf(item);
    expect(said).toBeDefined();
    rows.set(item.code, row(item.code, item.input, said ?? ''));
    if (!UPDATE) expect(rows.get(item.code)).toBe(page.get(item.code));
  });

  afterAll(() => {
    const text = readFileSync(PAGE, 'utf8');
    const head = text.slice(0, text.indexOf('|---|---|---|\n') + '|---|---|---|\n'.length);
    if (UPDATE) writeFileSync(PAGE, `${head}${[...rows.values()].sort().join('\n')}\n`);
  });

  test.skipIf(UPDATE)('has each case and each code of the examples once, and no other', () => {
    expect(new Set(CASES.map(({ code }) => code)).size).toBe(CASES.length);
    expect([...page.values()]).toEqual([...rows.values()].sort());
  });

  test.skipIf(UPDATE)('together with the other tables shows every code, but those that nothing gives', () => {
    const seen = sightings(join(ROOT, 'docs'));
    const missing = (Object.keys(REASONS) as ReasonName[]).filter((name) => !seen.has(reasonOf(name).code));
    const reserved = missing.filter((name) => WHYS[name][1].startsWith('Reserved'));
    expect(missing.filter((name) => !reserved.includes(name)).sort()).toEqual(Object.keys(NOT_MET).sort());
    for (const [code, { said }] of seen) expect(said).toContain(code);
  });
});

/** The first sentence of each code of a plan. */
function saidOf(plan: Plan): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { code, message } of [...decisionsOf(plan).flatMap((decision) => [decision, ...decision.notes]), ...plan.findings])
    if (!found.has(code)) found.set(code, message);
  return found;
}
