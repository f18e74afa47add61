import { markdownText } from '../escape.ts';
import type { Answer, AnswerTable, TreeNode } from './answer.ts';
import type { FormatTools } from './format-tools.ts';
import { issueText, placeText } from './issue-place.ts';
import { columnNames, signed } from './tables.ts';
import { signedText } from './trees.ts';

/** GitHub flavoured Markdown, for comments, step summaries and wikis. What tenants wrote is a code span or a plain word. */
export function markdownAnswer(answer: Answer, tools: FormatTools): string {
  const tables = [...ownTables(answer), ...issueTables(answer, tools)].map(markdownTable);
  const body = tables.length > 0 ? tables : [list(answer.trees, '')];
  return `${[`### ${markdownText(answer.title)}\n`, ...body].filter((part) => part !== '').join('\n')}`;
}

/** Tables that do not repeat the issues. */
export function ownTables({ tables }: Answer): readonly AnswerTable[] {
  return tables.filter(({ ofIssues }) => ofIssues !== true);
}

/** Issues as a table, for formats that show one. */
export function issueTables({ issues }: Answer, tools: FormatTools): readonly AnswerTable[] {
  if (issues.length === 0) return [];
  const columns = ['grade', 'code', 'where', 'what'].map((name) => ({ name }));
  const rows = issues.map((issue) => ({
    cells: [issue.grade, `${issue.code} ${issue.reason}`, placeText(issue, tools), issueText(issue)],
  }));
  return [{ title: 'Needs attention', columns, rows }];
}

function markdownTable({ title, columns, rows }: AnswerTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => markdownText(cell, true)).join(' | ')} |`;
  const names = columnNames(columns);
  const head = [line(names), `|${names.map(() => '---').join('|')}|`];
  const named = title === undefined ? [] : [`**${markdownText(title)}**`, ''];
  return `${[...named, ...head, ...signed(rows).map(line)].join('\n')}\n`;
}

function list(nodes: readonly TreeNode[], indent: string): string {
  return nodes.map((node) => `${indent}* ${markdownText(signedText(node))}\n${list(node.children, `${indent}  `)}`).join('');
}
