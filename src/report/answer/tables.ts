import { visible } from '../escape.ts';
import type { Answer, AnswerColumn, AnswerRow, AnswerTable } from './answer.ts';
import { fitted, wrapped } from './wrap.ts';

const GAP = '  ';

export function tablesText(answer: Answer, wide: boolean): string {
  return answer.tables.map((table) => tableText(table, wide)).join('\n');
}

function tableText(table: AnswerTable, wide: boolean): string {
  const shown = table.columns.flatMap((column, index) => (wide || column.wide !== true ? [index] : []));
  const rows = [table.columns.map(({ name }) => visible(name).toUpperCase()), ...signed(table.rows).map((row) => row.map(visible))];
  const natural = shown.map((index) => rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0));
  const least = shown.map((index) => (wide ? undefined : table.columns[index]?.wrap));
  const widths = fitted(natural, least, GAP.length);
  const lines = rows.flatMap((row) => {
    const cells = shown.map((index, place) => {
      const text = row[index] ?? '';
      return least[place] === undefined ? [text] : wrapped(text, widths[place] ?? text.length);
    });
    const height = cells.reduce((most, { length }) => Math.max(most, length), 1);
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, place) => (cell[line] ?? '').padEnd(place === shown.length - 1 ? 0 : (widths[place] ?? 0)))
        .join(GAP)
        .trimEnd(),
    );
  });
  return `${[...(table.title === undefined ? [] : [visible(table.title)]), ...lines].join('\n')}\n`;
}

/** Cells with the row's sign before the first, where any row of the table has one. */
export function signed(rows: readonly AnswerRow[]): readonly (readonly string[])[] {
  if (rows.every(({ sign }) => sign === undefined)) return rows.map(({ cells }) => cells);
  return rows.map(({ cells: [first = '', ...rest], sign }) => [`${sign ?? ' '} ${first}`, ...rest]);
}

/** Names of columns in a format that has room for all of them. */
export function columnNames(columns: readonly AnswerColumn[]): readonly string[] {
  return columns.map(({ name }) => name);
}
