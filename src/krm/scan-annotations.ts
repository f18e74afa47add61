import { isTransport } from './transport.ts';

/**
 * The transport annotations of an item without a parse: lines of the map `metadata.annotations` at the indents that kpt and
 * kustomize write. Undefined for any shape that the lines do not show for certain.
 */
export function scanAnnotations(text: string, indent: number): ReadonlyMap<string, string> | undefined {
  const metadata = childLine(text, 0, indent + 2, 'metadata', indent);
  if (metadata === undefined) return undefined;
  const found = new Map<string, string>();
  const annotations = childLine(text, metadata, indent + 4, 'annotations', indent);
  if (annotations === undefined) return /^ *annotations *:/m.test(text) ? undefined : found;
  const start = ' '.repeat(indent + 6);
  let at = annotations;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    at = end + 1;
    if (line.trim() === '' || !line.startsWith(start)) {
      if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
      return indentOf(line) < start.length ? found : undefined;
    }
    const entry = ENTRY.exec(line.slice(start.length));
    // deeper lines belong to the value above them
    if (line.charCodeAt(start.length) === 0x20) continue;
    if (entry === null) {
      if (/^["'?&*!{[]/.test(line.slice(start.length)) && /config\.k(?:8s|ubernetes)\.io/.test(line)) return undefined;
      continue;
    }
    const [, key = '', plain, single, double] = entry;
    if (!isTransport(key)) continue;
    const value = plain ?? single ?? double;
    if (value === undefined || indentOf(text.slice(at, lineEnd(text, at))) > start.length) return undefined;
    found.set(key, value);
  }
  return found;
}

/** `key: value` where the value is a plain path or number, or simply quoted; no value matches where it is anything else. */
const ENTRY = /^([A-Za-z0-9./_-]+):(?: (?:([A-Za-z0-9_./@+-]+)|'([^']*)'|"([^"\\]*)"))?[ \t]*(?:#.*)?$/;

/** Offset of the line after `key:` at that indent, below `from`; undefined where there is no such line in the same map. */
function childLine(text: string, from: number, indent: number, key: string, itemIndent: number): number | undefined {
  let at = from;
  while (at < text.length) {
    const end = lineEnd(text, at);
    // one line holds the dash of the item in the place of its indent
    const raw = text.slice(at, end);
    const line =
      from === 0 && raw.startsWith(`${' '.repeat(itemIndent)}- `) ? `${' '.repeat(itemIndent + 2)}${raw.slice(itemIndent + 2)}` : raw;
    at = end + 1;
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const depth = indentOf(line);
    if (depth < indent) return undefined;
    if (depth === indent && line.startsWith(`${key}:`, indent))
      return /^[ \t]*(?:#.*)?$/.test(line.slice(indent + key.length + 1)) ? at : undefined;
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
