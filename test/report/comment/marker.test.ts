import { describe, expect, test } from 'vitest';
import { COMMENT_BUDGET, commentText } from '../../../src/report/comment/comment.ts';
import { markerOf } from '../../../src/report/comment/marker.ts';
import { HOSTILE } from '../answer/hostile-answer.ts';
import { obeyed } from '../answer/markdown-sinks.ts';
import { NOTHING } from './reviews.ts';

const PATHS = [
  'fleet',
  'teams/a/fleet',
  'a--b',
  'a-',
  'a -->\n### approved',
  'a --> fleet',
  '-->',
  '--!>',
  'a b',
  'a%20b',
  'größe/漢字',
  '../elsewhere',
  'x'.repeat(2000),
  `${'x'.repeat(2000)}/y`,
  `${'y'.repeat(2000)}/y`,
  ...Object.values(HOSTILE),
];

describe('the marker of a package', () => {
  test('of a repository that is the package is the one of old, so that an older comment is found', () => {
    expect(markerOf('.')).toBe('<!-- tenantplane:pr:v1 -->');
    expect(markerOf('teams/a/fleet')).toBe('<!-- tenantplane:pr:v1 teams/a/fleet -->');
  });

  test('is another for each path, and none begins with another', () => {
    const markers = [...new Set(['.', ...PATHS])].map(markerOf);
    const mixed = markers.flatMap((one, index) => markers.filter((other, at) => at !== index && other.startsWith(one)));
    expect(mixed).toEqual([]);
  });

  test.each(PATHS)('%j is one line, one comment of HTML and no more', (path) => {
    const marker = markerOf(path);
    expect(marker).toMatch(/^<!-- tenantplane:pr:v1 (?:(?!--|-? -)[\w./%:-])+ -->$/);
    expect(marker.length).toBeLessThan(400);
    const comment = commentText(NOTHING, { package: path, budget: COMMENT_BUDGET, names: 20 });
    expect(comment.split('\n').filter((line) => line.startsWith('<!--'))).toEqual([marker]);
    expect(obeyed(comment)).toEqual([]);
  });
});
