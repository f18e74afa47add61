import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collidingPaths, isInsideHost, normalisePath } from '../../src/krm/paths.ts';

describe('path annotations are input', () => {
  test.each([
    ['x/a.yaml', 'x/a.yaml'],
    ['./x/a.yaml', 'x/a.yaml'],
    ['x//a.yaml', 'x/a.yaml'],
    ['x/./a.yaml', 'x/a.yaml'],
    ['..evil.yaml', '..evil.yaml'],
    ['a..b/c.yaml', 'a..b/c.yaml'],
    ['ä/ü.yaml', 'ä/ü.yaml'],
  ])('%j is %j', (text, path) => expect(normalisePath(text)).toEqual({ path }));

  test.each([
    ['', 'it is empty'],
    ['.', 'it is empty'],
    ['./', 'it names a folder'],
    ['../evil.yaml', 'it leads out of the package (..)'],
    ['sub/../../evil.yaml', 'it leads out of the package (..)'],
    ['a/..', 'it leads out of the package (..)'],
    ['/etc/passwd', 'it is absolute'],
    ['//host/share', 'it is absolute'],
    ['C:/x.yaml', 'it names a drive'],
    ['C:x.yaml', 'it names a drive'],
    ['gen\\x.yaml', 'it holds a backslash; folders are separated by /'],
    ['..\\..\\x', 'it holds a backslash; folders are separated by /'],
    ['a\0.yaml', 'it holds a control character'],
    ['a\nb.yaml', 'it holds a control character'],
    ['a\u001b[2Jb', 'it holds a control character'],
    ['a\u2028b', 'it holds a control character'],
    ['a\ud800b', 'it holds a control character'],
    ['x/', 'it names a folder'],
  ])('%j is refused', (text, why) => expect(normalisePath(text)).toEqual({ why }));

  test('what comes out never leaves the package, and is its own normal form', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('..', '.', '', 'a', 'B', '/', '\\', '\0', 'c.yaml', ' ')).map((parts) => parts.join('/')),
        (text) => {
          const checked = normalisePath(text);
          if ('why' in checked) return;
          expect(checked.path.split('/')).not.toContain('..');
          expect(checked.path).not.toMatch(/^\/|\/\/|\/$/);
          expect(normalisePath(checked.path)).toEqual(checked);
        },
      ),
    );
  });

  test('only a folder that is host/ itself is the rendered tree', () => {
    expect(['host/a.yaml', 'host/x/a.yaml'].every(isInsideHost)).toBe(true);
    expect(['hosts/a.yaml', 'x/host/a.yaml', 'host', 'HOST/a.yaml'].some(isInsideHost)).toBe(false);
  });

  test('two spellings of one file on some disk collide; so do a file and a folder', () => {
    expect(collidingPaths(['a/x.yaml', 'A/x.yaml', 'b.yaml', 'caf\u00e9.yaml', 'cafe\u0301.yaml', 'd', 'd/e.yaml', 'f.yaml'])).toEqual([
      ['a/x.yaml', 'A/x.yaml'],
      ['caf\u00e9.yaml', 'cafe\u0301.yaml'],
      ['d', 'd/e.yaml'],
    ]);
  });
});
