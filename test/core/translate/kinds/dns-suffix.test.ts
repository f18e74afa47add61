import { describe, expect, it } from 'vitest';
import { isDnsName, underSuffix } from '../../../../src/core/translate/kinds/dns-suffix.ts';

describe('a suffix', () => {
  it.each([
    ['a.example.com', 'example.com', true],
    ['example.com', 'example.com', true],
    ['a.example.com', '.example.com', true],
    ['a.example.com', '*.example.com', true],
    ['a.example.com', 'EXAMPLE.com', true],
    ['aexample.com', 'example.com', false],
    ['example.com.net', 'example.com', false],
    ['', '', false],
    ['a.', '', false],
    ['a', '.', false],
  ])('%j under %j: %s', (name, suffix, covered) => {
    expect(underSuffix(name, [suffix])).toBe(covered);
  });
});

describe('a DNS name', () => {
  it.each(['a', 'a-b.c', '1.2.3.4', 'a'.repeat(63)])('%s is one', (name) => {
    expect(isDnsName(name)).toBe(true);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'A', 'a_b', '-a', 'a-', 'a'.repeat(64), Array(130).fill('a').join('.')])('%j is none', (name) => {
    expect(isDnsName(name)).toBe(false);
  });
});
