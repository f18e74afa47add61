import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complementSelectors, MAX_TERMS } from '../../../src/core/isolation/complement.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { matchesSelector } from '../../../src/core/kube/labels.ts';

const KEYS = ['app', 'role', 'tier'] as const;
const VALUES = ['a', 'b', 'c'] as const;

const labelSet = fc
  .dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES, 'unnamed'))
  .map((labels) => new Map<string, string>(Object.entries(labels)));
const expression = fc.record({
  key: fc.constantFrom(...KEYS),
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
  values: fc.uniqueArray(fc.constantFrom(...VALUES), { maxLength: 3 }),
});
const selector: fc.Arbitrary<JsonObject> = fc.record(
  {
    matchLabels: fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)),
    matchExpressions: fc.array(expression, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

describe('the complement of selectors', () => {
  test('matches a label set exactly once where no selector does, and never where one does', () => {
    fc.assert(
      fc.property(fc.array(selector, { maxLength: 6 }), fc.array(labelSet, { minLength: 20, maxLength: 20 }), (selectors, sets) => {
        const terms = complementSelectors(selectors);
        if (terms === 'too-many') return;
        for (const labels of sets) {
          const covered = selectors.some((each) => matchesSelector(each, labels));
          expect(terms.filter((term) => matchesSelector(term, labels)).length).toBe(covered ? 0 : 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('does not depend on the order of selectors', () => {
    fc.assert(
      fc.property(fc.array(selector, { maxLength: 6 }), (selectors) => {
        expect(complementSelectors([...selectors].reverse())).toEqual(complementSelectors(selectors));
      }),
    );
  });

  test.each<[string, JsonObject[], JsonObject[]]>([
    ['no selector leaves everything', [], [{}]],
    ['an empty selector leaves nothing', [{}], []],
    [
      'values of one key become one term',
      [{ matchLabels: { app: 'b' } }, { matchLabels: { app: 'a' } }],
      [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a', 'b'] }] }],
    ],
    [
      'a common key is split once',
      [{ matchLabels: { app: 'a', role: 'x' } }, { matchLabels: { app: 'b', role: 'y' } }],
      [
        { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a', 'b'] }] },
        { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'role', operator: 'NotIn', values: ['x'] }] },
        { matchLabels: { app: 'b' }, matchExpressions: [{ key: 'role', operator: 'NotIn', values: ['y'] }] },
      ],
    ],
    ['a selector that matches nothing takes nothing away', [{ matchExpressions: [{ key: 'app', operator: 'In', values: [] }] }], [{}]],
    [
      'an absent label is told apart from other values',
      [
        {
          matchExpressions: [
            { key: 'app', operator: 'NotIn', values: ['a'] },
            { key: 'app', operator: 'Exists' },
          ],
        },
      ],
      [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, { matchLabels: { app: 'a' } }],
    ],
  ])('%s', (_, selectors, terms) => {
    expect(complementSelectors(selectors)).toEqual(terms);
  });

  test('n selectors with a common key give n+1 terms, up to the limit', () => {
    const selectors = (n: number): JsonObject[] =>
      Array.from({ length: n }, (_, index) => ({ matchLabels: { app: `app-${index}`, role: `role-${index}` } }));
    expect(complementSelectors(selectors(30))).toHaveLength(31);
    expect(complementSelectors(selectors(MAX_TERMS - 1))).toHaveLength(MAX_TERMS);
    expect(complementSelectors(selectors(MAX_TERMS))).toBe('too-many');
  });

  test('selectors without a common key end at the limit, not in endless work', () => {
    const hostile = Array.from({ length: 60 }, (_, index) => ({
      matchLabels: Object.fromEntries(Array.from({ length: 5 }, (__, at) => [`key-${(index * 7 + at * 11) % 60}`, 'x'])),
    }));
    expect(complementSelectors(hostile)).toBe('too-many');
  });

  test('a flood of selectors is given up before it costs time', () => {
    const flood = Array.from({ length: 20_000 }, (_, index) => ({ matchLabels: { app: `app-${index}` } }));
    expect(complementSelectors(flood)).toBe('too-many');
  });
});
