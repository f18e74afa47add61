import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../../src/core/kube/json.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { parseDocument } from '../../../src/krm/yaml/parse.ts';
import { plainScalars } from '../../oracle/yaml-json/scalars.ts';

/** Strings that some reader takes for something else. */
const TRICKY = [
  'yes',
  'No',
  'on',
  'OFF',
  'y',
  'N',
  'true',
  'null',
  '~',
  '',
  ' ',
  '0755',
  '0o17',
  '1_000',
  '1e3',
  '.5',
  '12:30:45',
  '2020-01-01',
  '2001-12-14t21:59:43.10-05:00',
  '<<',
  '=',
  '-',
  '- a',
  '? a',
  ': a',
  'a: b',
  'a #b',
  '#a',
  'a:',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  '{a}',
  '[a]',
  "'a",
  '"a',
  '---',
  '...',
  'a\tb',
  '\ta',
  'a\n',
  '\na',
  'a\n\n',
  'a\n\nb\n',
  ' a\nb',
  'a\n b\n',
  'a\n\tb\n',
  'a \nb\n',
  'a\n  \nb\n',
  '\n',
  '\n\n',
  'a\rb',
  'a\r\nb\r\n',
  '\u0000',
  '\u0007',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffe',
  '😀',
  'a\n😀\n',
  'a\n\u0085b\n',
  '#!/bin/sh\nexec "$@"\n',
  '{{ .x }}',
  '10.0.0.1',
  '10.0.0.0/8',
  '100m',
  '1.5Gi',
  '80/TCP',
  '1.2',
  '1.2.3',
  '/var/run',
  '$(NAME)',
  'key=value',
  'a,b',
  'registry:5000/a:1',
  'x'.repeat(1100),
  'a b '.repeat(100),
];
const anyString = fc.oneof(
  fc.constantFrom(...TRICKY),
  fc.constantFrom(...plainScalars(2000)),
  fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !/\p{Surrogate}/u.test(text)),
  fc
    .array(fc.constantFrom('a', ' ', '\n', '\t', '#', ':', '-', '"', "'", '\\', 'é', '\u2028'), { maxLength: 12 })
    .map((parts) => parts.join('')),
);
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyString,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => (n > -(2n ** 53n) && n < 2n ** 53n ? Number(n) : n)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyString, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const anyObject = fc.dictionary(anyString, anyValue, { minKeys: 1, maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;

describe('the printer', () => {
  test('what it writes, our reader reads back: any value', () => {
    fc.assert(
      fc.property(anyObject, (object) => void expect(parseDocument(emitYaml(object))).toEqual({ value: object, problems: [] })),
      { numRuns: 800 },
    );
  });

  test('a reader of YAML 1.2 (kustomize, the yaml package) reads the same', () => {
    fc.assert(
      fc.property(anyObject, (object) => void expect(parse(emitYaml(object), { intAsBigInt: true })).toEqual(bigIntegers(object))),
      { numRuns: 800 },
    );
  });

  test('so does js-yaml with its own schema, dates included', () => {
    fc.assert(
      fc.property(
        fc.dictionary(anyString, anyString, { maxKeys: 5, minKeys: 1, noNullPrototype: true }),
        (object) => void expect(load(emitYaml(object))).toEqual(object),
      ),
      { numRuns: 800 },
    );
  });

  test('writes the same text for what it wrote and read back', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const text = emitYaml(object);
        expect(emitYaml(parseDocument(text).value as JsonObject)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('a key beyond the length of simple keys, beside a key that looks like null', () => {
    const object = { ['x'.repeat(2000)]: { null: 'a', '~': ['b'] } };
    expect(parseDocument(emitYaml(object))).toEqual({ value: object, problems: [] });
  });

  test('looks like what people write', () => {
    const object: JsonObject = {
      spec: {
        list: ['a', { b: 1, c: [[1, 2], [], {}] }],
        text: 'line\nmore\n',
        cut: 'a\nb',
        kept: 'a\n\n',
        words: ['yes', 'n', '8080', '12:30'],
        empty: '',
        none: null,
      },
      metadata: { name: 'x', labels: { y: '1', 'app.kubernetes.io/name': 'x' } },
      kind: 'Thing',
      apiVersion: 'v1',
    };
    expect(emitYaml(object)).toBe(`apiVersion: v1
kind: Thing
metadata:
  name: x
  labels:
    "y": "1"
    app.kubernetes.io/name: x
spec:
  list:
  - a
  - b: 1
    c:
    - - 1
      - 2
    - []
    - {}
  text: |
    line
    more
  cut: |-
    a
    b
  kept: |+
    a

  words:
  - "yes"
  - "n"
  - "8080"
  - "12:30"
  empty: ""
  none: null
`);
  });

  test('a half of a surrogate pair, which no YAML can hold, becomes the replacement character', () => {
    expect(emitYaml({ a: 'x\ud800y' })).toBe('a: "x\\uFFFDy"\n');
  });

  test('__proto__ stays a key', () => {
    const object = JSON.parse('{"data":{"__proto__":"x","constructor":"y"}}');
    expect(emitYaml(object)).toBe('data:\n  __proto__: x\n  constructor: "y"\n');
  });
});

/** As `yaml` reads integers with `intAsBigInt`. */
function bigIntegers(value: Json | undefined): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value);
  if (Array.isArray(value)) return value.map(bigIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bigIntegers(item)]));
}
