import type { Locate, TextStyle, Tone } from '../report/text.ts';
import type { CliIo, SharedFlags } from './io.ts';

const ANSI: Readonly<Record<Tone, string>> = {
  added: '32',
  changed: '33',
  removed: '31',
  refused: '31;1',
  warned: '33',
  dim: '2',
  strong: '1',
};

/** Colour only on a terminal, unless asked for; `NO_COLOR` (no-color.org) wins over the terminal. */
export function wantsColor(io: CliIo, flags: SharedFlags): boolean {
  if (flags.color === 'always') return true;
  if (flags.color === 'never') return false;
  const off = io.env['NO_COLOR'];
  return (off === undefined || off === '') && io.env['TERM'] !== 'dumb' && io.stdout.isTTY;
}

export function textStyle(
  io: CliIo,
  flags: SharedFlags,
  places: Pick<TextStyle, 'hostPrefix' | 'packageWords' | 'sourcePath' | 'standing'>,
): TextStyle {
  const color = wantsColor(io, flags);
  return {
    verbose: flags.verbose === true,
    limit: 10,
    width: widthOf(io),
    paint: (tone, text) => (color ? `\u001b[${ANSI[tone]}m${text}\u001b[0m` : text),
    locate: (source) => source.line,
    ...places,
  };
}

/** In a log or a pipe lines are searched more than read, so there they may be long. */
const UNKNOWN_WIDTH = 200;
const NARROWEST = 40;

/** `COLUMNS` as a shell exports it, or what the terminal says of itself. */
function widthOf({ env, stdout }: CliIo): number {
  const asked = /^\d{1,5}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;
  return Math.max(NARROWEST, asked > 0 ? asked : (stdout.columns ?? UNKNOWN_WIDTH));
}

/**
 * Prints with exact lines. Finding a line means parsing the file with positions, which is slow; so a first pass finds out
 * which places are printed at all, and only those are looked up.
 */
export async function located<T>(
  print: (locate: Locate) => T,
  find: (path: string, document: number, pointer: string) => Promise<number | undefined>,
): Promise<T> {
  const asked = new Map<string, readonly [string, number, string]>();
  const key = (path: string, document: number, pointer: string): string => `${document} ${pointer} ${path}`;
  const first = print((source, pointer) => {
    if (pointer !== undefined && pointer !== '')
      asked.set(key(source.path, source.document, pointer), [source.path, source.document, pointer]);
    return source.line;
  });
  if (asked.size === 0) return first;
  const lines = new Map<string, number | undefined>();
  for (const [name, place] of asked) lines.set(name, await find(...place));
  return print(
    (source, pointer) => (pointer === undefined ? undefined : lines.get(key(source.path, source.document, pointer))) ?? source.line,
  );
}
