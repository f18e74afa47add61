import { describe, expect, it } from 'vitest';
import { isIgnored, parseIgnore } from '../../src/krm/ignore.ts';

describe('.krmignore', () => {
  const rows: readonly (readonly [pattern: string, path: string, isFolder: boolean, ignored: boolean])[] = [
    ['*.txt', 'a/b/c.txt', false, true],
    ['*.txt', 'a/b/c.yaml', false, false],
    ['/a.yaml', 'a.yaml', false, true],
    ['/a.yaml', 'b/a.yaml', false, false],
    ['b/*.yaml', 'b/a.yaml', false, true],
    ['b/*.yaml', 'b/c/a.yaml', false, false],
    ['b/**/a.yaml', 'b/a.yaml', false, true],
    ['b/**/a.yaml', 'b/c/d/a.yaml', false, true],
    ['b/**', 'b/c/d', false, true],
    ['b/**', 'b', true, false],
    ['out/', 'x/out', true, true],
    ['out/', 'x/out', false, false],
    ['a?c', 'abc', false, true],
    ['a?c', 'ac', false, false],
    ['a*b*c', 'aXbYbZc', false, true],
    ['.expected', 'x/.expected', true, true],
  ];
  it.each(rows)('%s on %s (folder: %s) is %s', (pattern, path, isFolder, ignored) => {
    expect(isIgnored(parseIgnore(pattern, ''), path, isFolder)).toBe(ignored);
  });

  it('counts from the folder that holds it, and the last rule decides', () => {
    const rules = parseIgnore('*.yaml\n!keep.yaml\n', 'sub');
    expect(isIgnored(rules, 'sub/a.yaml', false)).toBe(true);
    expect(isIgnored(rules, 'sub/keep.yaml', false)).toBe(false);
    expect(isIgnored(rules, 'a.yaml', false)).toBe(false);
  });

  it('is not kept busy by a tenant’s asterisks', () => {
    const rules = [...parseIgnore(`${'*a'.repeat(200)}*b\n${'**/'.repeat(100)}x\n`, '')];
    const before = process.cpuUsage().user;
    expect(isIgnored(rules, `${'d/'.repeat(100)}${'a'.repeat(250)}`, false)).toBe(false);
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });
});
