import type { JsonObject } from '../../core/kube/json.ts';
import { visible } from '../escape.ts';
import { jsonText } from '../json-text.ts';
import type { TextStyle } from '../text.ts';
import type { Answer, AnswerTable, TreeNode } from './answer.ts';
import type { AnswerFormat } from './format-names.ts';

const REPORT_VERSION = 'report.tenantplane.io/v1alpha1';

export interface FormatTools {
  readonly style: TextStyle;
  /** YAML is emitted by the layer that knows it */
  readonly yaml: (document: JsonObject) => string;
}

/** A new format is a row. */
const FORMATS: Readonly<Record<AnswerFormat, (answer: Answer, tools: FormatTools) => string>> = {
  text: (answer, { style }) => answer.text?.(style) ?? tables(answer, false),
  table: (answer) => tables(answer, false),
  wide: (answer) => tables(answer, true),
  tree: (answer) => answer.trees.map((node) => treeText(node, '', '')).join(''),
  json: (answer) => `${jsonText(documentOf(answer), 2)}\n`,
  yaml: (answer, { yaml }) => yaml(documentOf(answer)),
  ndjson: (answer) => answer.items.map((item) => `${jsonText(item)}\n`).join(''),
};

export function formatAnswer(answer: Answer, format: AnswerFormat, tools: FormatTools): string {
  return FORMATS[format](answer, tools);
}

function documentOf(answer: Answer): JsonObject {
  return { apiVersion: REPORT_VERSION, kind: answer.kind, ...answer.document };
}

function tables(answer: Answer, wide: boolean): string {
  return answer.tables.map((table) => tableText(table, wide)).join('\n');
}

function tableText(table: AnswerTable, wide: boolean): string {
  const shown = table.columns.flatMap((column, index) => (wide || column.wide !== true ? [index] : []));
  const rows = [table.columns.map(({ name }) => name.toUpperCase()), ...table.rows.map(({ cells }) => cells.map(visible))];
  const widths = shown.map((index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) =>
    shown
      .map((index, place) => (row[index] ?? '').padEnd(place === shown.length - 1 ? 0 : (widths[place] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return `${[...(table.title === undefined ? [] : [visible(table.title)]), ...lines].join('\n')}\n`;
}

function treeText(node: TreeNode, first: string, rest: string): string {
  const sign = node.sign === undefined ? '' : `${node.sign} `;
  const lines = [`${first}${sign}${visible(node.text)}\n`];
  node.children.forEach((child, index) => {
    const last = index === node.children.length - 1;
    lines.push(treeText(child, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`));
  });
  return lines.join('');
}
