import { describe, expect, test } from 'vitest';
import { fitted, wrapped } from '../../../src/report/answer/wrap.ts';

describe('cells in lines', () => {
  test.each([
    ['one two three', 7, ['one two', 'three']],
    ['Kind/a-name-that-is-long', 19, ['Kind/', 'a-name-that-is-long']],
    ['by Kind/a-name', 8, ['by Kind/', 'a-name']],
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['', 5, ['']],
  ])('%s in %i', (text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });
});

describe('widths', () => {
  test('what fits stays', () => expect(fitted([10, 60], [undefined, 20], 2)).toEqual([10, 60]));
  test('the widest that may goes first', () => expect(fitted([50, 90, 60], [undefined, 20, 20], 2)).toEqual([50, 33, 33]));
  test('no column goes below its least', () => expect(fitted([100, 90], [undefined, 40], 2)).toEqual([100, 40]));
});
