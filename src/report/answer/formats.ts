import type { JsonObject } from '../../core/kube/json.ts';
import { unobeyed } from '../escape.ts';
import { githubCommands } from '../github.ts';
import { jsonText } from '../json-text.ts';
import { visibleYaml } from '../visible-yaml.ts';
import type { Answer } from './answer.ts';
import type { AnswerFormat } from './format-names.ts';
import type { FormatTools } from './format-tools.ts';
import { gitlabAnswer } from './gitlab.ts';
import { dotAnswer, mermaidAnswer } from './graphs.ts';
import { htmlAnswer } from './html.ts';
import { junitAnswer } from './junit.ts';
import { markdownAnswer } from './markdown.ts';
import { sarifAnswer } from './sarif.ts';
import { svgAnswer } from './svg.ts';
import { tablesText } from './tables.ts';
import { treesText } from './trees.ts';

const REPORT_VERSION = 'report.tenantplane.io/v1alpha1';

/** A new format is a row here, and its name one in format-names.ts. */
const FORMATS: Readonly<Record<AnswerFormat, (answer: Answer, tools: FormatTools) => string>> = {
  text: (answer, { style }) => unobeyed(answer.text?.(style) ?? tablesText(answer, false)),
  table: (answer) => unobeyed(tablesText(answer, false)),
  wide: (answer) => unobeyed(tablesText(answer, true)),
  tree: ({ trees }) => unobeyed(treesText(trees)),
  json: (answer) => `${jsonText(documentOf(answer), 2)}\n`,
  yaml: (answer, { yaml }) => visibleYaml(documentOf(answer), yaml),
  ndjson: ({ items }) => items.map((item) => `${jsonText(item)}\n`).join(''),
  markdown: markdownAnswer,
  html: htmlAnswer,
  sarif: sarifAnswer,
  junit: junitAnswer,
  github: ({ issues }, { style, repoPath }) => githubCommands(issues, repoPath, style.locate),
  gitlab: gitlabAnswer,
  dot: dotAnswer,
  mermaid: mermaidAnswer,
  svg: svgAnswer,
};

export function formatAnswer(answer: Answer, format: AnswerFormat, tools: FormatTools): string {
  return FORMATS[format](answer, tools);
}

function documentOf(answer: Answer): JsonObject {
  return { apiVersion: REPORT_VERSION, kind: answer.kind, ...answer.document };
}
