import { visible } from '../escape.ts';
import type { Answer, AnswerColumn, AnswerRow, AnswerTable } from './answer.ts';

export function tablesText(answer: Answer, wide: boolean): string {
  return answer.tables.map((table) => tableText(table, wide)).join('\n');
}

function tableText(table: AnswerTable, wide: boolean): string {
  const shown = table.columns.flatMap((column, index) => (wide || column.wide !== true ? [index] : []));
  const rows = [table.columns.map(({ name }) => visible(name).toUpperCase()), ...signed(table.rows).map((row) => row.map(visible))];
  const widths = shown.map((index) => rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0));
  const lines = rows.map((row) =>
    shown
      .map((index, place) => (row[index] ?? '').padEnd(place === shown.length - 1 ? 0 : (widths[place] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
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
