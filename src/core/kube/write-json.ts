import type { Json } from './json.ts';

/** A value as JSON: integers beyond 2^53 keep every digit, which `JSON.stringify` refuses to write. */
export function writeJson(value: Json, indent = 0): string {
  return write(value, indent, '');
}

function write(value: Json, indent: number, margin: string): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = margin + ' '.repeat(indent);
  if (Array.isArray(value)) {
    return bracket(
      '[',
      value.map((item) => write(item, indent, inner)),
      ']',
      indent,
      margin,
    );
  }
  const colon = indent > 0 ? ': ' : ':';
  const members: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) members.push(`${JSON.stringify(key)}${colon}${write(item, indent, inner)}`);
  }
  return bracket('{', members, '}', indent, margin);
}

function bracket(open: string, items: readonly string[], close: string, indent: number, margin: string): string {
  if (items.length === 0) return open + close;
  if (indent === 0) return open + items.join(',') + close;
  const inner = `\n${margin}${' '.repeat(indent)}`;
  return `${open}${inner}${items.join(`,${inner}`)}\n${margin}${close}`;
}
