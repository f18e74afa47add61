import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatQuantity, parseQuantity } from '../../../src/core/kube/quantity.ts';

describe('quantities', () => {
  test.each([
    ['1', 1_000_000_000n],
    ['100m', 100_000_000n],
    ['0.1', 100_000_000n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['1k', 1_000_000_000_000n],
    ['1Ki', 1_024_000_000_000n],
    ['1.5Gi', 1_610_612_736_000_000_000n],
    ['1e3', 1_000_000_000_000n],
    ['1E3', 1_000_000_000_000n],
    ['1E', 10n ** 27n],
    ['12e-1', 1_200_000_000n],
    ['-1', -1_000_000_000n],
    ['0.1n', 1n],
    [2, 2_000_000_000n],
    [0.5, 500_000_000n],
  ])('%s is read exactly', (text, amount) => {
    expect(parseQuantity(text)).toBe(amount);
  });

  test.each(['', '.', 'm', '1 Gi', '1gi', '1K', 'NaN', '1e', '0x10', '1Mib', '1e999999999', null, true])('%s is no quantity', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  test.each([
    [1_500_000_000n, 'decimal', '1500m'],
    [0n, 'binary', '0'],
    [1_610_612_736_000_000_000n, 'binary', '1536Mi'],
    [1_000_000_000_000_000_000n, 'binary', '1000000000'],
  ] as const)('%s is written as %s %s', (amount, form, text) => {
    expect(formatQuantity(amount, form)).toBe(text);
  });

  test('what is written is read back as the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.constantFrom('binary' as const, 'decimal' as const), (amount, form) => {
        expect(parseQuantity(formatQuantity(amount, form))).toBe(amount);
      }),
    );
  });
});
