import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER: URL = new URL('./', import.meta.url);
const numbered = (prefix: string, numbers: string): string[] =>
  numbers.split(' ').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${prefix}${Number(first) + index}`);
  });

/** Every row that was collected from public reports. */
const ROWS: readonly string[] = [
  ...numbered('S', '1-3 5 8 11-15 18-21 23 25 27 28 30-32 35-37 39 41-46 48 50 51 53-57 59 61-64 67-70 72 73 75 76'),
  ...numbered('T-P', '1-24'),
  ...numbered('T-S', '1-6'),
  ...numbered('T-I', '1-3'),
  ...numbered('T-N', '1-2'),
  ...numbered('T-L', '1-8'),
  ...numbered('T-K', '1-6'),
  ...numbered('T-M', '1-4'),
  ...numbered('T-Y', '1-6'),
  ...numbered('T-F', '1-4'),
  ...numbered('T-R', '1-10'),
  ...numbered('E', '1 2 4-7 9-11 13-15 17 20-22 24 26-28 30-32 34 35 38 40 41 43 45-48 50 52 53 56 57 60 62-64 66 68'),
  ...numbered('G', '1 2 4 6-14 16 17 19 20 22 24 25 27 29 33 34 37-40 42-44 46-48 50-52'),
];

it('every row is a case here, or the README says where it is shown or why it cannot be', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts');
  expect(names.length).toBeGreaterThan(8);
  const tests = names.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n');
  const left = readFileSync(new URL('README.md', FOLDER), 'utf8');
  const here = (id: string): boolean => new RegExp(`['\` ]${id}[' :,;]`).test(tests);
  const listed = (id: string): boolean => left.includes(`| ${id} |`);
  expect(ROWS.filter((id) => !here(id) && !listed(id))).toEqual([]);
  expect(ROWS.filter((id) => here(id) && listed(id))).toEqual([]);
});
