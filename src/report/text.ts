import type { Source } from '../core/plan/tenant-context.ts';
import { visible } from './escape.ts';

/** What colour says is said by the sign as well; without a terminal `paint` is the identity. */
export type Tone = 'added' | 'changed' | 'removed' | 'refused' | 'warned' | 'dim' | 'strong';

/** The line of a pointer inside a source document, looked up only when it is printed. */
export type Locate = (source: Source, pointer?: string) => number | undefined;

export interface TextStyle {
  /** everything, however long; otherwise `limit` lines of a sort for each tenant */
  readonly verbose: boolean;
  readonly limit: number;
  readonly paint: (tone: Tone, text: string) => string;
  readonly locate: Locate;
  /** columns of a line, where long ones are wrapped; undefined leaves them as they are */
  readonly width?: number;
  /** stands before host paths: `host/` */
  readonly hostPrefix: string;
  /** how many files of the rendered tree lie in one of its folders, where the tree is known */
  readonly standing?: (folder: string) => number;
  /** stands behind a command that is suggested, so that it is about the same package: ` fleet --platform platform` */
  readonly packageWords: string;
  /** a source path of the plan as it can be opened from where the command was called */
  readonly sourcePath: (path: string) => string;
}

export const PLAIN: TextStyle = {
  verbose: false,
  limit: 10,
  paint: (_, text) => text,
  locate: (source) => source.line,
  hostPrefix: 'host/',
  packageWords: '',
  sourcePath: (path) => path,
};

/** `tenants/dev/objects/worker.yaml:18` */
export function place(source: Source, style: TextStyle, pointer?: string): string {
  const line = style.locate(source, pointer);
  return visible(`${style.sourcePath(source.path)}${line === undefined ? '' : `:${line}`}`);
}

/** At most `style.limit` blocks of lines, and how many more there are. */
export function listing(blocks: readonly (readonly string[])[], what: string, style: TextStyle): string[] {
  const shown = style.verbose || blocks.length <= style.limit + 1 ? blocks : blocks.slice(0, style.limit);
  const lines = shown.flat();
  const more = blocks.length - shown.length;
  if (more > 0) lines.push(style.paint('dim', `  … and ${more} more ${what} (-v lists them all)`));
  return lines;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour takes no column
const COLOUR = /\u001b\[[0-9;]*m/g;
const HANGING = 4;

/** A line as several that fit, broken at spaces and hanging under its beginning; a word that is longer stays whole, so that it can be copied. */
export function wrapped(line: string, width: number | undefined): readonly string[] {
  const length = (text: string): number => text.replace(COLOUR, '').length;
  if (width === undefined || length(line) <= width) return [line];
  const bare = line.replace(COLOUR, '');
  const indent = ' '.repeat(Math.min(bare.length - bare.trimStart().length + HANGING, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = '';
  for (const [, spaces = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    if (length(current + spaces + word) <= width || current.trim() === '') current += spaces + word;
    else {
      lines.push(current);
      current = indent + word;
    }
  }
  return [...lines, current];
}

/** Pads the first column of rows, so that the second lines up; a very long first column does not push all the others out. */
export function columns(rows: readonly (readonly [string, string])[], widest = 100): string[] {
  const width = Math.min(
    widest,
    rows.reduce((most, [left]) => Math.max(most, left.length), 0),
  );
  return rows.map(([left, right]) => (right === '' ? left : `${left.padEnd(width)}  ${right}`));
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const FEW = 10;

/** A list that is told, but never at any length. */
export function some(texts: readonly string[]): string {
  return texts.length <= FEW ? texts.join(', ') : `${texts.slice(0, FEW).join(', ')} and ${texts.length - FEW} more`;
}
