import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/core/kube/json.ts';
import { parseDocument } from '../../../src/krm/yaml/parse.ts';
import { type OddLiteral, resolveScalar } from '../../../src/krm/yaml/scalar.ts';
import { marked } from '../../oracle/yaml-json/ask.ts';

type Row = readonly [text: string, answer?: Json | { readonly error: string }];
const ROWS: readonly Row[] = JSON.parse(readFileSync(new URL('../../fixtures/yaml-json/scalars.json', import.meta.url), 'utf8'));

describe('plain scalars', () => {
  test('12,000 of them mean what kubectl reads', () => {
    const wrong: unknown[] = [];
    for (const row of ROWS) {
      const [text] = row;
      const expected = row.length === 1 ? `s:${text}` : row[1];
      const odd: OddLiteral[] = [];
      const value = marked(resolveScalar(text, odd));
      const refused = odd.some(({ problem }) => problem === 'infinite');
      const kubectlRefuses = typeof expected === 'object' && expected !== null && 'error' in expected;
      if (refused !== kubectlRefuses || (!refused && value !== expected)) wrong.push([text, value, expected]);
    }
    expect(ROWS.length).toBe(12_000);
    expect(wrong).toEqual([]);
  });

  test('and in a document, where js-yaml finds the scalar', () => {
    const wrong = ROWS.filter(([text, answer]) => {
      const value = parseDocument(`a: ${text}\n`).value as { a: Json } | undefined;
      if (typeof answer === 'object' && answer !== null) return value !== undefined;
      return marked(value?.a) !== (answer === undefined ? `s:${text}` : answer);
    });
    expect(wrong).toEqual([]);
  });

  test('int64 is exact, and what is beyond it is said', () => {
    expect(parseDocument('a: 9223372036854775807\nb: -9223372036854775808\nc: 9007199254740993\n')).toEqual({
      value: { a: 9223372036854775807n, b: -9223372036854775808n, c: 9007199254740993n },
      problems: [],
    });
    expect(parseDocument('a: 18446744073709551615\n').problems.map(({ what }) => what)).toEqual([
      '18446744073709551615 is beyond 64-bit integers, and the API server keeps about 16 digits of it',
    ]);
  });
});
