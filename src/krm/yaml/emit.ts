import type { Json, JsonObject } from '../../core/kube/json.ts';
import { isPlainSafe, quote } from './quote.ts';

/**
 * Our printer of objects: one text for one value, read alike by kubectl (YAML 1.1 rules), kustomize and the `yaml` package
 * (1.2) and js-yaml. Two-space indent, lists at the indent of their key, no folding, no anchors. Keys keep their order, but
 * `apiVersion`, `kind` and `metadata` come first.
 */
export function emitYaml(value: JsonObject): string {
  if (!hasEntries(value)) return '{}\n';
  let text = '';
  for (const key of FIRST) {
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (item !== undefined) text += entry(key, item, 0);
  }
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined && !FIRST.includes(key)) text += entry(key, item, 0);
  }
  return flat(text);
}

/**
 * The same text as one piece. V8 keeps what `+=` made as a tree of its pieces, ten times the size; to look at one character
 * puts them together.
 */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

const FIRST: readonly string[] = ['apiVersion', 'kind', 'metadata'];
/** go-yaml gives up on a simple key of more than 1024 characters; such a key is written with `?`. */
const LONGEST_SIMPLE_KEY = 1000;

const INDENTS: readonly string[] = Array.from({ length: 64 }, (_, width) => ' '.repeat(width));
function indentOf(width: number): string {
  return INDENTS[width] ?? ' '.repeat(width);
}

/** Keys repeat in every object, so what they look like is remembered; bounded, since ConfigMap keys are the user's. */
const KEYS = new Map<string, string>();
function keyText(key: string): string {
  const known = KEYS.get(key);
  if (known !== undefined) return known;
  const text = isPlainSafe(key) ? key : quote(key);
  if (KEYS.size < 10_000) KEYS.set(key, text);
  return text;
}

/** `key: value` and its line break, the indent of the first line included. */
function entry(key: string, value: Json, indent: number): string {
  const text = keyText(key);
  const start = indentOf(indent);
  if (text.length > LONGEST_SIMPLE_KEY) return `${start}? ${text}\n${start}:${after(value, indent)}`;
  return `${start}${text}:${after(value, indent)}`;
}

/** What follows `key:`. */
function after(value: Json, indent: number): string {
  if (typeof value === 'string') return ` ${scalarText(value, indent + 2)}\n`;
  if (typeof value !== 'object' || value === null) return ` ${atom(value)}\n`;
  if (Array.isArray(value)) return value.length === 0 ? ' []\n' : `\n${list(value, indent)}`;
  return hasEntries(value) ? `\n${map(value, indent + 2)}` : ' {}\n';
}

function map(value: JsonObject, indent: number): string {
  let text = '';
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined) text += entry(key, item, indent);
  }
  return text;
}

function list(values: readonly Json[], indent: number): string {
  let text = '';
  const start = indentOf(indent);
  for (const value of values) text += `${start}- ${listItem(value, indent + 2)}`;
  return text;
}

/** What follows `- `; a map or a list inside begins on the same line. */
function listItem(value: Json, indent: number): string {
  if (typeof value === 'string') return `${scalarText(value, indent)}\n`;
  if (typeof value !== 'object' || value === null) return `${atom(value)}\n`;
  if (Array.isArray(value)) return value.length === 0 ? '[]\n' : list(value, indent).slice(indent);
  return hasEntries(value) ? map(value, indent).slice(indent) : '{}\n';
}

function hasEntries(value: JsonObject): boolean {
  for (const key in value) if (value[key] !== undefined) return true;
  return false;
}

function atom(value: null | boolean | number | bigint): string {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return '-0.0';
    // an integer that large is a bigint where it is exact, so a number is a float and must be read as one
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  }
  return String(value);
}

/** A string as a value: plain, a literal block of lines that stand at `indent`, or double-quoted. */
function scalarText(text: string, indent: number): string {
  if (isPlainSafe(text)) return text;
  if (!text.includes('\n') || !isLiteralSafe(text)) return quote(text);
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const chomping = body === text ? '-' : body.endsWith('\n') ? '+' : '';
  const start = indentOf(indent);
  let block = `|${chomping}`;
  for (const line of body.split('\n')) block += line === '' ? '\n' : `\n${start}${line}`;
  return block;
}

/**
 * Characters that a literal block can hold: printable ones, without those that a YAML 1.1 reader takes for line breaks or
 * refuses (NEL, U+2028, U+2029, BOM, DEL, C1).
 */
const LITERAL = /^[\n\t\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]+$/u;
/**
 * Lines that would need an indentation indicator (a first line that is empty or begins with a space), that go-yaml refuses
 * (a leading tab), or that hold white space only, which tools trim.
 */
const AWKWARD_LINE = /^[ \n]|(?:^|\n)[ ]*\t|\n[ \t]+(?:\n|$)/;

function isLiteralSafe(text: string): boolean {
  return LITERAL.test(text) && !AWKWARD_LINE.test(text);
}
