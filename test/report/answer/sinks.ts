import type { AnswerFormat } from '../../../src/report/answer/format-names.ts';
import { obeyed } from './markdown-sinks.ts';

/** A terminal obeys these, an eye is fooled by them, or a strict reader refuses them. */
export const UNSEEN: RegExp = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Lines of a log that a runner would obey, as their sources read them: GitHub a command between `::` and `::` after white space, or
 * between `##[` and `]` anywhere; Azure `##vso[` anywhere; GitLab a section with its time.
 */
export function obeyedByRunners(text: string): readonly string[] {
  return text.split('\n').filter((line) => {
    const bare = line.trim();
    const end = bare.startsWith('::') ? bare.indexOf('::', 2) : -1;
    return (
      (end > 0 && /^[a-z-]+$/i.test(bare.slice(2, end).split(' ')[0] ?? '')) ||
      /##(vso)?\[/i.test(line) ||
      /section_(start|end):\d+:/.test(line)
    );
  });
}

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

/** What in a text its format's reader would take for more than text; nothing, where all of it is text. JSON and YAML need only to parse. */
export const SINKS: Readonly<Partial<Record<AnswerFormat, (text: string) => readonly unknown[]>>> = {
  markdown: obeyed,
  html: (text) => strangeTags(text, HTML_TAG),
  sarif: (text) => {
    const { runs } = JSON.parse(text);
    return runs[0].results.filter(({ message }: { message: { text: string } }) =>
      /(^|[^\\])(\\\\)*\[[^\]]*\]\(|(^|[^{])\{\d+\}/.test(message.text),
    );
  },
  junit: (text) => strangeTags(text, XML_TAG),
  github: (text) =>
    lines(text).filter(
      (line) => !OWN_LINE.test(line) && !/^::(error|warning|notice) (file=[^:,]*(,line=\d+)?,)?title=[^:,]*::[^\r\n]*$/.test(line),
    ),
  gitlab: (text) => JSON.parse(text).filter(({ fingerprint }: { fingerprint: string }) => !/^[a-z2-7]{26}$/.test(fingerprint)),
  dot: (text) => lines(bareGraph(text)).filter((line) => !DOT_LINE.test(line)),
  mermaid: (text) => [
    ...lines(bareGraph(text)).filter((line) => !MERMAID_LINE.test(line)),
    ...[...text.matchAll(/"[^"]*"/g)].map(([label]) => label.slice(1, -1)).filter((label) => /[<>`&\\]|#(?!\d+;)/.test(label)),
  ],
  svg: (text) => strangeTags(text, SVG_TAG),
};

/** How many there are is said in words: GitHub shows no more than ten of a kind. */
const OWN_LINE = /^\d+ of \d+ findings are shown as annotations \(GitHub shows 10 of a kind for each step\)\.$/;

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

const DOT_LINE =
  /^\s*(digraph L \{|rankdir=LR;|node \[shape=box\];|subgraph cluster_\d+ \{|label=L;|n\d+ \[label=L\];|n\d+ -> n\d+( \[label=L\])?;|\})$/;
const MERMAID_LINE = /^\s*(flowchart LR|subgraph g\d+ \[L\]|n\d+\[L\]|n\d+ -->(\|L\|)? n\d+|end)$/;
