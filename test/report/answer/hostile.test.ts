import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { ANSWER_FORMATS, type AnswerFormat } from '../../../src/report/answer/format-names.ts';
import { formatAnswer } from '../../../src/report/answer/formats.ts';
import { visible, visibleLines } from '../../../src/report/escape.ts';
import { HOSTILE, hostileAnswer, TOOLS } from './hostile-answer.ts';
import { obeyed, seen } from './markdown-sinks.ts';

/** A terminal obeys these, an eye is fooled by them, or a strict reader refuses them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/u;

const HTML_TAG =
  /^<(!doctype html|\/?(html|head|title|style|body|main|h1|table|caption|thead|tbody|tr|td|ul|li|p)|html lang="en"|meta [^<>]*|th scope="col"|\/th)>$/;
const XML_TAG =
  /^<(\?xml version="1.0" encoding="UTF-8"\?|testsuites name="tenantplane"|\/(testsuites|testsuite|testcase|error|failure|system-out)|system-out|testsuite name="[^"<>]*" tests="\d+" errors="\d+" failures="\d+"|testcase name="[^"<>]*" classname="[^"<>]*"\/?|(error|failure) message="\d+ findings?")>$/;
const SVG_TAG = /^<(\/?(title|style|defs|marker|g|text|svg)|svg [^<>]*|(marker|path|rect|text|g) [^<>]*)>$/;

function strangeTags(text: string, allowed: RegExp): readonly string[] {
  const bare = text.replace(/<style>[^<]*<\/style>/, '');
  const tags = [...bare.matchAll(/<[^>]*>?/g)].map(([tag]) => tag);
  const handlers = tags.filter((tag) => /\son\w+=|javascript:|href/i.test(tag.replace(/="[^"]*"/g, '=""')));
  return [...tags.filter((tag) => !allowed.test(tag)), ...handlers, ...[...bare.matchAll(/&(?!(amp|lt|gt|quot|#39);)/g)].map(String)];
}

/** What is left of a graph once its quoted labels are taken away. */
function bareGraph(text: string): string {
  return text.replace(/"(?:\\.|[^"\\])*"/g, 'L');
}

/** For each format, what is wrong with a text that holds hostile strings; nothing, where they are only text. */
const READERS: Readonly<Record<AnswerFormat, (text: string, hostile: string) => unknown>> = {
  text: () => [],
  table: () => [],
  wide: () => [],
  tree: () => [],
  json: (text, hostile) => same(JSON.parse(text), { value: hostile, [hostile]: [hostile] }),
  yaml: (text, hostile) => yamlSame(load(text), hostile),
  ndjson: (text, hostile) =>
    same({ ...JSON.parse(text), apiVersion: 'report.tenantplane.io/v1alpha1', kind: 'WhyReport' }, { value: hostile, [hostile]: hostile }),
  // title, table title, column, three cells with a sign, and two rows of issues that name it in four places
  markdown: (text, hostile) => [
    ...obeyed(text),
    ...(seen(text).split(visible(hostile).replace(/\s/g, '')).length > 10 ? [] : [`not all shown: ${text}`]),
  ],
  html: (text) => strangeTags(text, HTML_TAG),
  sarif: (text) => {
    const { runs } = JSON.parse(text);
    return runs[0].results.filter(({ message }: { message: { text: string } }) =>
      /(^|[^\\])(\\\\)*\[[^\]]*\]\(|(^|[^{])\{\d+\}/.test(message.text),
    );
  },
  junit: (text) => strangeTags(text, XML_TAG),
  github: (text) =>
    text
      .trimEnd()
      .split('\n')
      .filter((line) => !/^::(error|warning) (file=[^:,]*,line=3,)?title=[^:,]*::[^\r\n]*$/.test(line)),
  gitlab: (text) => JSON.parse(text).filter(({ fingerprint }: { fingerprint: string }) => !/^[a-z2-7]{26}$/.test(fingerprint)),
  dot: (text) =>
    bareGraph(text)
      .split('\n')
      .filter(
        (line) =>
          !/^\s*(digraph L \{|rankdir=LR;|node \[shape=box\];|subgraph cluster_\d+ \{|label=L;|n\d+ \[label=L\];|n\d+ -> n\d+ \[label=L\];|\}|)$/.test(
            line,
          ),
      ),
  mermaid: (text) => [
    ...bareGraph(text)
      .split('\n')
      .filter((line) => !/^\s*(flowchart LR|subgraph g\d+ \[L\]|n\d+\[L\]|n\d+ -->\|L\| n\d+|end|)$/.test(line)),
    ...[...text.matchAll(/"[^"]*"/g)].map(([label]) => label.slice(1, -1)).filter((label) => /[<>`&\\]|#(?!\d+;)/.test(label)),
  ],
  svg: (text) => strangeTags(text, SVG_TAG),
};

/** UTF-8 holds no half of a pair, and what YAML cannot escape is shown. */
function yamlSame(actual: unknown, hostile: string): readonly string[] {
  const whole = hostile.replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, '\ufffd');
  const value = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(whole) ? visibleLines(whole) : whole;
  return same(actual, { value, [value]: [value] });
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
    expect(READERS[format](text, hostile)).toEqual([]);
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
