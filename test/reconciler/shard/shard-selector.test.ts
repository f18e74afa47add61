import { describe, expect, test } from 'vitest';
import { selectorMatcher } from '../../../src/core/kube/labels.ts';
import { parseSelector } from '../../../src/reconciler/shard/parse-selector.ts';
import { shardSelector } from '../../../src/reconciler/shard/shard-selector.ts';

describe('selectors that select the same have one form', () => {
  test.each<[form: string, ...same: readonly string[]]>([
    ['a=b', 'a==b', ' a = b ', 'a in (b)', 'a in ( b , b )', 'a=b,a', 'a=b,a!=c', 'a in (b,c),a notin (c)', 'a\t=\n b'],
    ['a!=b', 'a != b', 'a notin (b)'],
    ['a=b,c=d', 'c=d,a=b', ' c==d , a in (b) '],
    ['a in (b,c)', 'a in (c,b)', 'a in (b,c,d),a!=d', 'a in (c, b), a'],
    ['a notin (b,c)', 'a!=c,a!=b'],
    ['a', 'a,a', ' a '],
    ['!a', '! a', '!a,a!=b'],
    ['a,a!=b', 'a!=b,a'],
    ['a=', 'a==', 'a in (,)'],
    ['a in (,b)', 'a in (b,)'],
    ['example.com/in=in', 'example.com/in in (in)'],
    ['in in (notin,x)', 'in in (x,notin)'],
    ['', ' ', '\n'],
  ])('%j', (form, ...same) => {
    for (const text of [form, ...same]) expect(shardSelector(text), text).toBe(form);
  });

  test('and that form selects what the selector does', () => {
    const values = [undefined, '', 'x', 'y', 'z'];
    const parts = ['=x', '!=x', ' in (x,y)', ' notin (y,)', '=', '!=', ''].flatMap((end) => [`a${end}`, `b${end}`]).concat('!a', '!b');
    const labels = values.flatMap((a) =>
      values.map((b) => new Map([...(a === undefined ? [] : [['a', a] as const]), ...(b === undefined ? [] : [['b', b] as const])])),
    );
    const reads = (text: string): readonly boolean[] => {
      const parsed = parseSelector(text);
      if (!('matchExpressions' in parsed)) throw new Error(`${text}: ${parsed.problem}`);
      return labels.map(selectorMatcher({ matchExpressions: [...parsed.matchExpressions] }));
    };
    const forms = new Map<string, string>();
    for (const one of parts)
      for (const two of parts)
        for (const three of parts.slice(0, 3)) {
          const text = `${one},${two},${three}`;
          const form = shardSelector(text);
          const selected = reads(text);
          expect(typeof form === 'string', text).toBe(selected.some((each) => each));
          if (typeof form !== 'string') continue;
          expect(reads(form), `${text}: ${form}`).toEqual(selected);
          // and no two forms select the same
          const key = JSON.stringify(selected);
          expect(forms.get(key) ?? form).toBe(form);
          forms.set(key, form);
        }
    expect(forms.size).toBeGreaterThan(30);
  });
});

describe('a selector that makes no sense is refused', () => {
  test.each<[text: string, at: number, problem: string]>([
    ['a=b=c', 4, '"=" stands where a comma or the end is due'],
    ['a=b,', 5, 'it ends where the key of a label is due'],
    [',a', 1, '"," stands where the key of a label is due'],
    ['a b', 3, '"b" stands where =, ==, !=, in, notin, a comma or the end is due'],
    ['a>1', 2, '">" stands where =, ==, !=, in, notin, a comma or the end is due'],
    ['a in b', 6, '"b" stands where ( is due'],
    ['a in ()', 7, '")" stands where a value is due'],
    ['a in (b c)', 9, '"c" stands where a comma or ) is due'],
    ['a in (b', 8, 'it ends where a comma or ) is due'],
    ['a=(b)', 3, '"(" stands where the value of a label is due'],
    ['!a=b', 3, '"=" stands where a comma or the end is due'],
    ['!!a', 2, '"!" stands where the key of a label is due'],
    ['-a=b', 1, '"-a" is no key of a label'],
    ['x/y/z', 1, '"x/y/z" is no key of a label'],
    [`a=${'x'.repeat(64)}`, 3, `"${'x'.repeat(64)}" is no value of a label`],
    ['a=b!', 4, '"!" stands where a comma or the end is due'],
    ['a=b,a=c', 1, 'its requirements exclude each other, so it selects nothing'],
    ['!a,a', 1, 'its requirements exclude each other, so it selects nothing'],
  ])('%s', (text, at, problem) => {
    expect(shardSelector(text)).toEqual({ at, problem });
  });
});
