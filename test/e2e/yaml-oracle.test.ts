import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/kube/json.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { askKubectl, marked } from '../oracle/yaml-json/ask.ts';
import { plainScalars } from '../oracle/yaml-json/scalars.ts';

// The library that kubectl reads YAML with, built from its Go module.

test('what was recorded of kubectl still holds', () => {
  const file = fileURLToPath(new URL('../fixtures/yaml-json/scalars.json', import.meta.url));
  const rows: readonly (readonly [string, unknown?])[] = JSON.parse(readFileSync(file, 'utf8'));
  const answers = askKubectl(rows.map(([text]) => `a: ${text}\n`));
  const changed = rows.filter((row, index) => {
    const value = (answers[index]?.value as { a?: unknown } | undefined)?.a ?? null;
    const recorded = row.length === 1 ? `s:${row[0]}` : row[1];
    return answers[index]?.error === undefined
      ? value !== recorded
      : JSON.stringify(recorded) !== JSON.stringify({ error: answers[index]?.error });
  });
  expect(changed).toEqual([]);
});

test('what the printer writes, kubectl reads as it was meant: odd strings as keys, values, items and blocks', () => {
  const odd = fc.oneof(
    fc.constantFrom(...plainScalars(6000)),
    fc.string({ unit: 'binary', maxLength: 24 }).filter((text) => !/\p{Surrogate}/u.test(text)),
    fc
      .array(fc.constantFrom('a', ' ', '\n', '\t', '#', ':', '-', '"', '\\', 'é', '\u0085', '\u2028', '😀', '|', '{', '}'), {
        maxLength: 14,
      })
      .map((parts) => parts.join('')),
  );
  const value = fc.oneof(
    odd,
    fc.array(odd, { maxLength: 3 }),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const objects = fc.sample(fc.dictionary(odd, value, { minKeys: 1, maxKeys: 6, noNullPrototype: true }), {
    numRuns: 6000,
    seed: 20_261_129,
  }) as JsonObject[];
  const answers = askKubectl(objects.map((object) => emitYaml(object)));
  const wrong = objects
    .map((object, index) => ({ text: emitYaml(object), expected: marked(object), answer: answers[index] }))
    .filter(({ expected, answer }) => JSON.stringify(sorted(answer?.value)) !== JSON.stringify(sorted(expected)));
  expect(wrong).toEqual([]);
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, item]) => [key, sorted(item)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
