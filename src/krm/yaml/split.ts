/**
 * Cuts a YAML stream into documents by its marker lines. `---` and `...` at the start of a line always end a document: inside
 * a block scalar every line is indented (YAML 1.2, rule c-forbidden), so no parse is needed. The slices put together are the
 * text, byte for byte.
 */
export interface TextSlice {
  readonly start: number;
  readonly end: number;
  /** line of the first character, from 1 */
  readonly line: number;
}

const MARKER = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;
/** comments, blank lines, markers and directives: nothing that has a value */
const NO_CONTENT = /^(?:[ \t]*(?:#.*)?|%.*|(?:---|\.\.\.)[ \t]*(?:#.*)?)$/;

export function splitDocuments(text: string): TextSlice[] {
  const cuts: number[] = [];
  MARKER.lastIndex = 0;
  for (let match = MARKER.exec(text); match !== null; match = MARKER.exec(text)) {
    cuts.push(match[0] === '---' ? match.index : afterLine(text, match.index));
  }
  const slices: TextSlice[] = [];
  let start = 0;
  let line = 1;
  for (const cut of [...cuts, text.length]) {
    // what stands before the first marker, or between two, and holds directives only belongs to the document that follows
    if (cut <= start || (cut < text.length && isDirectives(text, start, cut))) continue;
    slices.push({ start, end: cut, line });
    if (cut < text.length) line += countLines(text, start, cut);
    start = cut;
  }
  return slices;
}

/** Whether a slice has no value: empty, blank or comments only. */
export function isEmptyDocument(text: string): boolean {
  return contentOffset(text) === undefined;
}

/** Offset of the first line that is more than a comment, a marker or a directive; undefined where there is none. */
export function contentOffset(text: string): number | undefined {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const end = lineEnd(text, start);
    if (!NO_CONTENT.test(text.slice(start, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end))) return start;
    start = end + 1;
  }
  return undefined;
}

/** Line breaks between two offsets. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function isDirectives(text: string, start: number, end: number): boolean {
  const piece = text.slice(start, end);
  return /^\uFEFF?%/m.test(piece) && isEmptyDocument(piece) && !/^---/m.test(piece);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function afterLine(text: string, from: number): number {
  return Math.min(lineEnd(text, from) + 1, text.length);
}
