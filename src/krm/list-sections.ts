/** The top level of a ResourceList, cut by lines. */
export interface Section {
  readonly key: string;
  /** verbatim, line breaks included */
  readonly text: string;
}

export interface Sections {
  readonly sections: readonly Section[];
  /** verbatim texts of the items, each from its `-` (or the comments right above it) to its last line break */
  readonly items: readonly string[];
  /** spaces before the `-` of an item */
  readonly indent: number;
}

const KEY = /^([A-Za-z]+):/;
/** Markers, directives, anchors across items or a second document: a shape for the parser. */
const UNUSUAL = /^(?:---[ \t]*\S|%|\.\.\.|- *[&*!?|>])/m;

/**
 * Cuts a ResourceList in block style; undefined for any other shape. A line that begins with `-` at the indent of the first
 * item begins an item: whatever an item holds stands deeper (YAML 1.2, block sequences).
 */
export function splitSections(input: string): Sections | undefined {
  const text = input.startsWith('---\n') ? input.slice(4) : input;
  if (!KEY.test(text) || text.includes('\r') || UNUSUAL.test(text)) return undefined;
  const starts = sectionStarts(text);
  if (starts === undefined) return undefined;
  const sections = starts.map(({ key, start }, index) => ({ key, text: text.slice(start, starts[index + 1]?.start ?? text.length) }));
  if (new Set(sections.map((section) => section.key)).size < sections.length) return undefined;
  const items = sections.find((section) => section.key === 'items');
  if (items === undefined) return undefined;
  const body = /^items:[ \t]*\n/.exec(items.text);
  if (body === null) return undefined;
  const cut = splitItems(items.text.slice(body[0].length));
  if (cut === undefined) return undefined;
  const closed = sections.map((section) => (section.text.endsWith('\n') ? section : { ...section, text: `${section.text}\n` }));
  return { sections: closed, ...cut };
}

/** Lines at column 0 that are neither items, comments nor blank begin a section. */
function sectionStarts(text: string): { key: string; start: number }[] | undefined {
  const starts: { key: string; start: number }[] = [];
  const lines = /^[^\s#-][^\n]*/gm;
  for (let match = lines.exec(text); match !== null; match = lines.exec(text)) {
    const key = KEY.exec(match[0])?.[1];
    if (key === undefined) return undefined;
    starts.push({ key, start: starts.length === 0 ? 0 : match.index });
  }
  return starts;
}

function splitItems(body: string): { items: string[]; indent: number } | undefined {
  const first = /^( *)- /m.exec(body);
  if (first === null) return undefined;
  const indent = first[1]?.length ?? 0;
  const dash = `\n${' '.repeat(indent)}- `;
  const starts = [commentsAbove(body, first.index, indent)];
  if (starts[0] !== 0 && body.slice(0, starts[0]).trim() !== '') return undefined;
  for (let at = body.indexOf(dash, first.index); at >= 0; at = body.indexOf(dash, at + 1)) starts.push(commentsAbove(body, at + 1, indent));
  starts[0] = 0;
  const items = starts.map((start, index) => body.slice(start, starts[index + 1] ?? body.length));
  const last = items.length - 1;
  if (!items[last]?.endsWith('\n')) items[last] += '\n';
  return { items, indent };
}

/** Where an item begins when the comment lines right above it, at its own indent, belong to it. */
function commentsAbove(body: string, start: number, indent: number): number {
  let from = start;
  while (from > 0) {
    const before = body.lastIndexOf('\n', from - 2) + 1;
    if (!body.startsWith(`${' '.repeat(indent)}#`, before)) break;
    from = before;
  }
  return from;
}
