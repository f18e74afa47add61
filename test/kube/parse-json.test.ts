import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/kube/json.ts';
import { equal } from '../../src/core/kube/json.ts';
import { writeJson } from '../../src/core/kube/write-json.ts';
import { parseJson } from '../../src/kube/parse-json.ts';

describe('JSON of an API server', () => {
  test.each<[string, Json]>([
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['{"spec":{"limit":9223372036854775807}}', { spec: { limit: 9223372036854775807n } }],
    ['[1234567890123456]', [1234567890123456]],
    ['["9007199254740993","\\"9007199254740993"]', ['9007199254740993', '"9007199254740993']],
    ['{"9007199254740993":9007199254740993}', { '9007199254740993': 9007199254740993n }],
    ['[1.2345678901234567890,1234567890123456e2]', [1.2345678901234567, 1234567890123456e2]],
    ['["int64:9007199254740993",9007199254740993]', ['int64:9007199254740993', 9007199254740993n]],
    ['["_int64:1","int64:",90071992547409931]', ['_int64:1', 'int64:', 90071992547409931n]],
    ['["a\\\\",90071992547409931,"\\\\"]', ['a\\', 90071992547409931n, '\\']],
  ])('%s keeps every digit', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('a key called __proto__ is a key', () => {
    const parsed = parseJson('{"__proto__":{"n":9007199254740993}}');
    expect(Object.keys(parsed as object)).toEqual(['__proto__']);
  });

  test('what is no JSON is thrown, with long numbers in it or not', () => {
    for (const text of ['{"a":', '{"a":9007199254740993', '<html>1234567890123456</html>'])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('any value that is written is read as it was', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.constantFrom('int64:1', '_int64:', '"9007199254740993"'),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        scalar,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      ) as fc.Arbitrary<Json>,
    }));
    fc.assert(fc.property(value, (given) => equal(parseJson(writeJson(given)), given)));
  });
});
