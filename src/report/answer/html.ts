import { markupText } from '../escape.ts';
import type { Answer, AnswerTable, TreeNode } from './answer.ts';
import type { FormatTools } from './format-tools.ts';
import { issueTables, ownTables } from './markdown.ts';
import { columnNames, signed } from './tables.ts';
import { signedText } from './trees.ts';

/** One page without scripts and without anything from elsewhere; its policy forbids both, should an escape ever fail. */
export function htmlAnswer(answer: Answer, tools: FormatTools): string {
  const title = markupText(answer.title);
  const tables = [...ownTables(answer), ...issueTables(answer, tools)].map(table);
  const body = [...tables, ...(answer.trees.length === 0 ? [] : [tree(answer.trees)])];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body.length === 0 ? '<p>Nothing to show.</p>' : body.join('\n')}
</main>
</body>
</html>
`;
}

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:2rem;overflow-wrap:anywhere}
table{border-collapse:collapse}caption{font-weight:bold;text-align:left}td,th{border:1px solid;padding:.2rem .6rem;text-align:left;vertical-align:top}`;

function table({ title, columns, rows }: AnswerTable): string {
  const caption = title === undefined ? '' : `<caption>${markupText(title)}</caption>\n`;
  const head = columnNames(columns).map((name) => `<th scope="col">${markupText(name)}</th>`);
  const body = signed(rows).map((cells) => `<tr>${cells.map((cell) => `<td>${markupText(cell)}</td>`).join('')}</tr>\n`);
  return `<table>\n${caption}<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${body.join('')}</tbody>\n</table>`;
}

function tree(nodes: readonly TreeNode[]): string {
  const item = (node: TreeNode): string =>
    `<li>${markupText(signedText(node))}${node.children.length === 0 ? '' : `\n${tree(node.children)}`}</li>\n`;
  return `<ul>\n${nodes.map(item).join('')}</ul>`;
}
