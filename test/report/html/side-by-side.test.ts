import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/core/translate/edit.ts';
import { sideBySide } from '../../../src/report/html/side-by-side.ts';

describe('the tenant’s object beside the host’s', () => {
  test('what is the same is told once, and a changed field stands beside what it became', () => {
    const changes: Change[] = [{ path: ['metadata', 'name'], op: 'Replace', before: 'a', after: 'a-x', rule: 'rw.identity' }];
    const before = { kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
    expect(sideBySide(before, { ...before, metadata: { name: 'a-x' } }, changes)).toEqual([
      { same: ['kind: ConfigMap', 'metadata:'] },
      { changed: [{ tenant: '  name: a', host: '  name: a-x', rule: 'rw.identity' }] },
      { same: ['data:', '  k: v'] },
    ]);
  });

  test('the order of keys is no difference; the order of a list is', () => {
    expect(sideBySide({ spec: { a: 1, b: 2 } }, { spec: { b: 2, a: 1 } }, [])).toEqual([{ same: ['spec:', '  b: 2', '  a: 1'] }]);
    expect(sideBySide({ args: ['x', 'y'] }, { args: ['y', 'x'] }, []).some((run) => 'changed' in run)).toBe(true);
  });

  test('what is added before an item of a list changes no other item, and has the rule of what was added', () => {
    const env = (name: string) => ({ name, value: name });
    const changes: Change[] = [{ path: ['env', 0], op: 'Add', after: env('NEW'), rule: 'rw.environment' }];
    expect(sideBySide({ env: [env('A'), env('B')] }, { env: [env('NEW'), env('A'), env('B')] }, changes)).toEqual([
      { same: ['env:'] },
      {
        changed: [
          { host: '- name: NEW', rule: 'rw.environment' },
          { host: '  value: NEW', rule: 'rw.environment' },
        ],
      },
      { same: ['- name: A', '  value: A', '- name: B', '  value: B'] },
    ]);
  });

  test('a removed field stands alone, with the rule that removed it', () => {
    const changes: Change[] = [{ path: ['spec', 'nodeName'], op: 'Remove', before: 'n1', rule: 'rw.scheduling' }];
    expect(sideBySide({ spec: { a: 1, nodeName: 'n1' } }, { spec: { a: 1 } }, changes)).toEqual([
      { same: ['spec:', '  a: 1'] },
      { changed: [{ tenant: '  nodeName: n1', rule: 'rw.scheduling' }] },
    ]);
  });

  test('a value of several lines is a block, and what could be taken for another type is quoted', () => {
    expect(
      sideBySide({ a: 'x\ny\n', b: 'true', c: '5', d: ' x', e: 'a: b' }, { a: 'x\ny\n', b: 'true', c: '5', d: ' x', e: 'a: b' }, []),
    ).toEqual([{ same: ['a: |', '  x', '  y', 'b: "true"', 'c: "5"', 'd: " x"', 'e: "a: b"'] }]);
  });
});
