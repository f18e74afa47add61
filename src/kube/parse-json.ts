import type { Json } from '../core/kube/json.ts';

/** Sixteen digits are the first that may not fit into a double; most answers hold no such number, and this look is cheap. */
const LONG = /\d{16}/;
/** A string, which is passed over, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * JSON as an API server sends it. Integers beyond 2^53 come as `bigint`, since int64 fields must go back as they came.
 * @throws SyntaxError where it is no JSON
 */
export function parseJson(text: string): Json {
  if (!LONG.test(text)) return JSON.parse(text);
  const mark = unusedMark(text);
  const marked = text.replace(TOKEN, (token) => (token.startsWith('"') || !isLong(token) ? token : `"${mark}${token}"`));
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_, value: Json) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

function isLong(token: string): boolean {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
}

/** What no string of the text begins with. */
function unusedMark(text: string): string {
  let mark = 'int64:';
  while (text.includes(mark)) mark = `_${mark}`;
  return mark;
}
