import { describe, expect, test } from 'vitest';
import { checkLedger, firstDifference } from '../../src/report/check-ledger.ts';
import { ledgerText } from '../../src/report/ledger.ts';
import { projected, refused, tenantPlan } from './fixtures.ts';

const LEDGER = ledgerText(tenantPlan([projected('a'), projected('b'), refused('c')]));
const LINES = LEDGER.trimEnd().split('\n');
const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('a ledger checked against its own first line', () => {
  test('is whole as it was written', () => {
    expect(checkLedger(LEDGER)).toEqual({
      whole: true,
      tenant: 'team-dev/dev',
      lines: 3,
      root: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(checkLedger(ledgerText(tenantPlan([])))).toMatchObject({ whole: true, lines: 0 });
  });

  test.each<[string, string, RegExp]>([
    ['emptied', '', /empty/],
    ['cut in a line', LEDGER.slice(0, -10), /was cut/],
    ['short of a line', joined(LINES.slice(0, -1)), /2 lines of 3/],
    ['with a line twice', joined([...LINES, LINES[3] ?? '']), /4 lines of 3/],
    ['with two lines swapped', joined([0, 2, 1, 3].map((index) => LINES[index] ?? '')), /add up to/],
    ['with an edited line', LEDGER.replace('TP3004', 'TP2001'), /add up to/],
    ['with a line that is no record', joined([...LINES.slice(0, 3), 'x']), /line 4 is no record/],
    ['with Windows line ends', LEDGER.replaceAll('\n', '\r\n'), /add up to/],
    ['without a header', joined(LINES.slice(1)), /no header/],
    ['of another version', LEDGER.replace('"v1"', '"v2"'), /version v2/],
    ['with a forged count', LEDGER.replace('"lines":3', '"lines":2'), /3 lines of 2/],
    ['with a forged root', LEDGER.replace(/sha256:./, 'sha256:x'), /add up to/],
  ])('%s is found out', (_, text, problem) => {
    const check = checkLedger(text);
    expect(check.whole).toBe(false);
    expect('problem' in check ? check.problem : '').toMatch(problem);
  });
});

describe('where two ledgers part', () => {
  test.each<[string, string, RegExp | undefined]>([
    ['nowhere', LEDGER, undefined],
    [
      'in a reason',
      ledgerText(tenantPlan([projected('a', { code: 'TP2999' }), projected('b'), refused('c')])),
      /\|a differs in (id, )?code/,
    ],
    ['in a line that is gone', ledgerText(tenantPlan([projected('a'), projected('b')])), /goes on with .*\|c|ends before .*\|c/],
    ['in a subject', ledgerText(tenantPlan([projected('a'), projected('z'), refused('c')])), /where .* belongs/],
  ])('%s', (_, other, about) => {
    const found = firstDifference(other, LEDGER);
    if (about === undefined) expect(found).toBeUndefined();
    else expect(found?.about).toMatch(about);
  });
});
