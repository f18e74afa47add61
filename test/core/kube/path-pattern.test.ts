import { describe, expect, it } from 'vitest';
import type { Json, Path } from '../../../src/core/kube/json.ts';
import { compilePattern } from '../../../src/core/kube/path-pattern.ts';

function reached(pattern: string, root: Json): [Path, Json][] {
  const found: [Path, Json][] = [];
  compilePattern(pattern)?.visit(root, (path, value) => found.push([path, value]));
  return found;
}

describe('a path pattern', () => {
  it.each<[string, Json, [Path, Json][]]>([
    ['spec.name', { spec: { name: 'a' } }, [[['spec', 'name'], 'a']]],
    [
      'spec.items[*].ref.name',
      { spec: { items: [{ ref: { name: 'a' } }, { other: 1 }, null, { ref: { name: 'b' } }] } },
      [
        [['spec', 'items', 0, 'ref', 'name'], 'a'],
        [['spec', 'items', 3, 'ref', 'name'], 'b'],
      ],
    ],
    [
      'a[*][*]',
      { a: [[1], [2, 3], 4] },
      [
        [['a', 0, 0], 1],
        [['a', 1, 0], 2],
        [['a', 1, 1], 3],
      ],
    ],
    ['a[1].b', { a: [{ b: 1 }, { b: 2 }] }, [[['a', 1, 'b'], 2]]],
    ['metadata.annotations["a.b/c"]', { metadata: { annotations: { 'a.b/c': 'x' } } }, [[['metadata', 'annotations', 'a.b/c'], 'x']]],
    ['spec.name', { spec: ['name'] }, []],
    ['spec[*]', { spec: { 0: 'a' } }, []],
    ['constructor.name', {}, []],
    ['__proto__.a', {}, []],
  ])('%s reaches what it names and nothing else', (pattern, root, expected) => {
    expect(reached(pattern, root)).toEqual(expected);
  });

  it.each(['', '.a', 'a.', 'a..b', 'a[', 'a[x]', 'a[-1]', 'a[01]', 'a b', 'a[*]b', 'a["x]', '/a/b', 'a["\\x"]'])(
    '%j is no pattern',
    (text) => {
      expect(compilePattern(text)).toBeUndefined();
    },
  );

  it('keeps no position between two compilations', () => {
    expect(compilePattern('a.b')?.text).toBe('a.b');
    expect(compilePattern('a.b')?.text).toBe('a.b');
  });
});
