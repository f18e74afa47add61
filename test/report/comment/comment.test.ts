import { describe, expect, test } from 'vitest';
import type { Review } from '../../../src/core/review/review.ts';
import { COMMENT_BUDGET, commentText, SUMMARY_BUDGET } from '../../../src/report/comment/comment.ts';
import { markerOf } from '../../../src/report/comment/marker.ts';
import { HOSTILE } from '../answer/hostile-answer.ts';
import { obeyed, seen } from '../answer/markdown-sinks.ts';
import { big, cause, change, field, NOTHING } from './reviews.ts';

const MARKER = markerOf('.');
const OPTIONS = { budget: COMMENT_BUDGET, names: 20 };
/** GitHub's, of whatever it counts. */
const LIMIT = 65_536;

function sizes(text: string): readonly number[] {
  return [text.length, [...text].length, Buffer.byteLength(text)];
}

/** Where each of these words first stands, which has to be in this order. */
function inOrder(text: string, words: readonly string[]): void {
  const places = words.map((word) => [word, text.indexOf(word)] as const);
  expect(places.filter(([, place]) => place < 0)).toEqual([]);
  expect(places.map(([word]) => word)).toEqual([...places].sort(([, a], [, b]) => a - b).map(([word]) => word));
}

describe('a comment', () => {
  test('of nothing says that nothing changes', () => {
    expect(commentText(NOTHING, OPTIONS)).toBe(`${MARKER}
### tenantplane: no host object changes, isolation unchanged

9 objects unchanged · \`origin/main\` (\`aaaaaaaaaaaa\`) → \`HEAD\` (\`bbbbbbbbbbbb\`) · \`tenantplane diff aaaaaaaaaaaa..bbbbbbbbbbbb\` shows all of it
`);
  });

  test('of one change shows it, and what was edited', () => {
    const text = commentText({ ...NOTHING, causes: [cause('web')], changes: [change('web')] }, OPTIONS);
    expect(text).toContain('### tenantplane: 1 host object changes (`~1`) in 1 tenant, isolation unchanged');
    expect(text).toContain(
      '| `tenants/dev/objects/web.yaml:14` `Pod default/web` changed: `spec.containers[app].image` `"web:1"` → `"web:2"` | 1 | 0 | 1 | 0 |',
    );
    expect(text).toContain('```diff\n  spec.containers[app].image\n- "web:1"\n+ "web:2"\n```');
    expect(text).not.toContain('<details>');
  });

  test('of long values shows where they part, in the table as in the diff', () => {
    const long = (end: string): string => `${'a'.repeat(4000)}${end}${'z'.repeat(400)}`;
    const fields = [field(long('one'), long('two'))];
    const isolation = [
      { tenant: 'a/b', control: 'allow.annotations', before: long('old'), after: long('new'), direction: 'weaker', causes: ['web'] },
    ] as const;
    const text = commentText({ ...NOTHING, causes: [cause('web', { fields })], changes: [change('web', { fields })], isolation }, OPTIONS);
    expect(text).toMatch(/^- …a{20}onez+…$/m);
    expect(text).toMatch(/^\+ …a{20}twoz+…$/m);
    expect(text).toMatch(/`…a{20}onez+…` → `…a{20}twoz+…`/);
    expect(text).toMatch(/`…a{20}oldz+…` → `…a{20}newz+…`/);
    // where one goes on, and where the first half of a character is the same
    const more = commentText(
      { ...NOTHING, causes: [cause('web')], changes: [change('web', { fields: [field('b'.repeat(300), `${'b'.repeat(300)}; rm`)] })] },
      OPTIONS,
    );
    expect(more).toMatch(/^\+ …b{20}; rm"$/m);
    const pairs = commentText(
      { ...NOTHING, causes: [cause('web')], changes: [change('web', { fields: [field(`${'😀'.repeat(200)}1`, `${'😀'.repeat(200)}2`)] })] },
      OPTIONS,
    );
    expect(pairs).not.toMatch(/\p{Cs}/u);
  });

  test('of many says the worst first, and each edit once', () => {
    const text = commentText(
      { ...big(50, 3), stopped: 'TP9001 it contradicts itself', frozen: [{ tenant: 'a/b', why: 'a file' }] },
      OPTIONS,
    );
    inOrder(text, [
      MARKER,
      'nothing would be rendered',
      '**Stopped**',
      '**Refused or held',
      '**Deletes data',
      '**Deletes:',
      '**Weaker isolation: 3 tenants** (`TP3009 IsolationWeakened`)',
      '**Weakens isolation',
      '**Restarts',
      '**Changes quotas',
      '| cause |',
      '<details>',
      'unchanged ·',
    ]);
    expect(text).not.toContain('Left out');
    expect(text.match(/^\| `tenants/gm)?.length).toBe(3);
  });

  test('names all edits that may be the cause, in whichever order', () => {
    const causes = [cause('web'), cause('db')];
    const changes = [change('web', { causes: ['web', 'db'], effects: ['restarted'] }), change('db', { causes: ['db', 'web'] })];
    const isolation: Review['isolation'] = [
      { tenant: 'a/b', control: 'quota', before: '1', after: '2', direction: 'weaker', causes: ['web', 'db'] },
    ];
    const text = commentText({ ...NOTHING, causes, isolation, changes: [...changes, change('c'), change('d')] }, OPTIONS);
    const both = /`Pod default\/web` changed: .* and\/or `tenants\/dev\/objects\/db.yaml:14` `Pod default\/db` changed/;
    for (const line of [/^\| .*\| 1 \| 0 \| 2 \| 0 \|$/m, /^\* 1 object by .*$/m, /^\* `quota` .*$/m])
      expect(line.exec(text)?.[0]).toMatch(both);
    expect(text).toContain('2 objects by <code>web</code> and/or <code>db</code></summary>');
  });

  test('a value that is hidden stays hidden', () => {
    const hidden = { pointer: '/data/a', path: 'data.a', op: 'Replace', hidden: true } as const;
    const review: Review = { ...NOTHING, causes: [cause('web', { fields: [hidden] })], changes: [change('web', { fields: [hidden] })] };
    expect(commentText(review, OPTIONS)).toContain('`data.a` (value hidden)');
  });
});

const PREFIXES: readonly (readonly [string, string])[] = [
  ['plain', ''],
  ['emoji', '👩‍👩‍👧‍👦🔥'],
  ['three bytes each', '漢字かな'.repeat(60)],
  ...Object.entries(HOSTILE),
];

describe.each([0, 1, 50, 5000, 50_000])('a comment of %s changes', (count) => {
  // every sort of text where that is quick, the longest ones where there is most of it
  test.each(count > 50 ? PREFIXES.slice(0, 4) : PREFIXES)('%s: fits, is only text, and says what it leaves out', (_, text) => {
    const review = count === 0 ? { ...NOTHING, before: { ...NOTHING.before, label: text } } : big(count, Math.min(count, 300), text);
    const comment = commentText(review, { ...OPTIONS, link: 'https://ci.example/run/1' });
    for (const size of sizes(comment)) expect(size).toBeLessThanOrEqual(COMMENT_BUDGET);
    expect(comment.startsWith(`${MARKER}\n### tenantplane: `)).toBe(true);
    expect(comment.split('\n').filter((line) => line.startsWith(MARKER)).length).toBe(1);
    expect(obeyed(comment).filter((line) => !line.startsWith('link: [the report of this run](<https://ci.example/run/1>)'))).toEqual([]);
    expect(comment.match(/^<details>/gm)?.length).toBe(comment.match(/^<\/details>/gm)?.length);
    if (count >= 5000) {
      expect(seen(comment)).toMatch(/Leftouthere:\d+of\d+/);
      expect(comment).toContain('| cause |');
    }
    const summary = commentText(review, { budget: SUMMARY_BUDGET, names: 200 });
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(SUMMARY_BUDGET);
    expect(LIMIT).toBeGreaterThan(COMMENT_BUDGET);
  });
});

test('a smaller budget is kept as well', () => {
  for (const budget of [5000, 8000, 20_000])
    expect(Buffer.byteLength(commentText(big(5000, 40), { budget, names: 20 }))).toBeLessThanOrEqual(budget);
});
