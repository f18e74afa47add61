import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { ANSWER_FORMATS, type AnswerFormat } from '../../../src/report/answer/format-names.ts';
import { formatAnswer } from '../../../src/report/answer/formats.ts';
import { visible, visibleLines } from '../../../src/report/escape.ts';
import { HOSTILE, hostileAnswer, TOOLS } from './hostile-answer.ts';
import { seen } from './markdown-sinks.ts';
import { obeyedByRunners, SINKS, UNSEEN } from './sinks.ts';

/** Where a text holds its hostile strings as they are, that it does. */
const READERS: Readonly<Partial<Record<AnswerFormat, (text: string, hostile: string) => unknown>>> = {
  json: (text, hostile) => same(JSON.parse(text), { value: hostile, [hostile]: [hostile] }),
  yaml: (text, hostile) => yamlSame(load(text), hostile),
  ndjson: (text, hostile) =>
    same({ ...JSON.parse(text), apiVersion: 'report.tenantplane.io/v1alpha1', kind: 'WhyReport' }, { value: hostile, [hostile]: hostile }),
  // title, table title, column, three cells with a sign, and two rows of issues that name it in four places
  markdown: (text, hostile) => [...(seen(text).split(visible(hostile).replace(/\s/g, '')).length > 10 ? [] : [`not all shown: ${text}`])],
};

/** UTF-8 holds no half of a pair; what YAML cannot escape is shown, and so is all beside a line that a runner would obey. */
function yamlSame(actual: unknown, hostile: string): readonly string[] {
  const whole = hostile.replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, '\ufffd');
  const shown = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|##[a-z]*\[|section_start:\d|\n::/u.test(whole) ? visibleLines(whole) : whole;
  const value = /\n::/.test(shown) ? shown.replaceAll('\n', '\\n') : shown;
  return same(actual, { value, [whole === shown ? whole : visibleLines(whole)]: [value] });
}

function same(actual: unknown, expected: object): readonly string[] {
  try {
    expect(actual).toEqual({ apiVersion: 'report.tenantplane.io/v1alpha1', kind: 'WhyReport', ...expected });
    return [];
  } catch (error) {
    return [String(error)];
  }
}

describe.each(ANSWER_FORMATS)('%s', (format) => {
  test.each(Object.entries(HOSTILE))('%s is only text', (_, hostile) => {
    const text = formatAnswer(hostileAnswer(hostile), format, TOOLS);
    expect(text.length).toBeGreaterThan(20);
    expect([...text.replaceAll('\n', '')].filter((character) => UNSEEN.test(character))).toEqual([]);
    expect(READERS[format]?.(text, hostile) ?? []).toEqual([]);
    expect(SINKS[format]?.(text) ?? []).toEqual([]);
    if (format !== 'github') expect(obeyedByRunners(text)).toEqual([]);
    else expect(obeyedByRunners(text.replace(/^::(error|warning) /gm, ''))).toEqual([]);
  });

  test('a code that nobody knows passes through', () => {
    expect(formatAnswer(hostileAnswer('TP99999'), format, TOOLS)).toContain('TP99999');
  });
});

test('the number of lines of a format does not depend on what a tenant wrote', () => {
  const lines = (format: AnswerFormat, text: string): number => formatAnswer(hostileAnswer(text), format, TOOLS).split('\n').length;
  for (const format of ANSWER_FORMATS.filter((name) => name !== 'yaml')) {
    for (const hostile of Object.values(HOSTILE)) expect(`${format} ${lines(format, hostile)}`).toBe(`${format} ${lines(format, 'plain')}`);
  }
});
