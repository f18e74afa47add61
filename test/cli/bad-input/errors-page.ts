import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../../docs/errors-table.md', import.meta.url));
/** one mistake may be reported once for each place that it spoils */
const MOST_LINES = 2;
const CELLS = /^\| (.*?) \| (.*) \| (\d+) \|$/;

/** The tables of docs/errors-table.md: what is expected of each input, in the words that people read. */
export interface ErrorsPage {
  /** what was said, and the exit code, by group and input */
  expected(group: string, what: string): string | undefined;
  /** inputs of a group, in their order */
  inputs(group: string): readonly string[];
}

export function readErrorsPage(): ErrorsPage {
  const text = readFileSync(PAGE, 'utf8');
  const rows = (group: string): readonly RegExpExecArray[] =>
    blockOf(text, group)
      .split('\n')
      .map((line) => CELLS.exec(line))
      .filter((row) => row !== null);
  return {
    expected(group, what) {
      const row = rows(group).find(([, input]) => input === cell(what));
      return row === undefined ? undefined : `${row[2]} | ${row[3]}`;
    },
    inputs: (group) => rows(group).map(([, input = '']) => input),
  };
}

/** One row as the page has it, without its first cell. */
export function outcomeCells(lines: readonly string[], exit: number): string {
  const shown = lines.slice(0, MOST_LINES).map(cell);
  if (lines.length > MOST_LINES) shown.push(`(and ${lines.length - MOST_LINES} more)`);
  return `${shown.join('<br>')} | ${exit}`;
}

export function writeGroup(group: string, rows: ReadonlyMap<string, string>): void {
  const lines = [...rows].map(([what, cells]) => `| ${cell(what)} | ${cells} |`);
  const table = ['| input | what is said | exit |', '|---|---|---|', ...lines].join('\n');
  const text = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    text.replace(markers(group), (_, open: string, __, end: string) => `${open}${table}\n${end}`),
  );
}

export function cell(text: string): string {
  return text.replace(/[\\|*_<>`[\]]/g, (character) => `\\${character}`);
}

function blockOf(text: string, group: string): string {
  const found = markers(group).exec(text)?.[2];
  if (found === undefined) throw new Error(`docs/errors-table.md has no table ${group}`);
  return found;
}

function markers(group: string): RegExp {
  return new RegExp(`(<!-- errors ${group} -->\n)([\\s\\S]*?)(<!-- /errors -->)`);
}
