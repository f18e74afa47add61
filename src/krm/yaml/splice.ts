import type { Node, Pair, YAMLMap } from 'yaml';
import { type Positioned, pairOf, positionedDocument } from './document-nodes.ts';
import { isPlainSafe, quote } from './quote.ts';

/** A piece of text that is put in the place of another. */
interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Sets an annotation in the text of a file and touches no other byte: comments, anchors, line ends and flow style stay.
 * @param index of the object in the file, as the reader counts
 * @returns the new text (the same text where the annotation already says so), or undefined where the metadata is written in
 * a way that cannot be edited in one place (aliases, anchors, no metadata)
 */
export async function setAnnotation(text: string, index: number, key: string, value: string): Promise<string | undefined> {
  const found = await positionedDocument(text, index);
  if (found === undefined) return undefined;
  const metadata = metadataPair(found);
  if (metadata === undefined || !isEditable(found, metadata.value)) return undefined;
  const annotations = pairOf(found.yaml, metadata.value, 'annotations');
  if (annotations === undefined) {
    return patched(text, found, insertion(found, metadata, 'annotations', flowOrBlock(found, metadata.value, key, value)));
  }
  const map = annotations.value;
  if (map === null || (found.yaml.isScalar(map) && map.value === null)) {
    return patched(text, found, emptyValue(annotations, map, `{${quote(key)}: ${quote(value)}}`));
  }
  if (!isEditable(found, map)) return undefined;
  const entry = pairOf(found.yaml, map, key);
  if (entry === undefined) {
    return patched(
      text,
      found,
      insertion(found, { key: annotations.key, value: map }, key, { flow: quote(value), block: [` ${scalar(value)}`] }),
    );
  }
  const old = entry.value;
  if (found.yaml.isScalar(old) && old.value === value && old.type !== 'PLAIN') return text;
  if (old === null || (found.yaml.isScalar(old) && old.value === null && old.range?.[0] === old.range?.[1])) {
    return patched(text, found, emptyValue(entry, old, quote(value)));
  }
  if (!found.yaml.isScalar(old) || old.range == null || old.anchor !== undefined || old.tag?.startsWith('!') === true) return undefined;
  const isBlock = old.type === 'BLOCK_LITERAL' || old.type === 'BLOCK_FOLDED';
  return patched(text, found, { start: old.range[0], end: old.range[1], text: quote(value) + (isBlock ? lineEndOf(found.text) : '') });
}

/**
 * Removes an annotation, and the map of annotations with it where nothing else is in it.
 * @returns as `setAnnotation`
 */
export async function removeAnnotation(text: string, index: number, key: string): Promise<string | undefined> {
  const found = await positionedDocument(text, index);
  if (found === undefined) return undefined;
  const metadata = metadataPair(found);
  if (metadata === undefined) return undefined;
  const annotations = pairOf(found.yaml, metadata.value, 'annotations');
  if (annotations === undefined || !found.yaml.isMap(annotations.value)) return text;
  const entry = pairOf(found.yaml, annotations.value, key);
  if (entry === undefined) return text;
  if (!isEditable(found, metadata.value) || !isEditable(found, annotations.value)) return undefined;
  const only = annotations.value.items.length === 1 && metadata.value.items.length > 1;
  const patch = only ? removal(found, metadata.value, annotations) : removal(found, annotations.value, entry);
  return patch === undefined ? undefined : patched(text, found, patch);
}

interface MapPair {
  readonly key: Node;
  readonly value: YAMLMap;
}

function metadataPair(found: Positioned): MapPair | undefined {
  const { yaml, document, prefix } = found;
  let node: unknown = document.contents;
  for (const step of prefix) {
    if (typeof step === 'number') node = yaml.isSeq(node) ? node.items[step] : undefined;
    else node = yaml.isMap(node) ? pairOf(yaml, node, step)?.value : undefined;
  }
  if (!yaml.isMap(node)) return undefined;
  const pair = pairOf(yaml, node, 'metadata');
  return pair !== undefined && yaml.isMap(pair.value) ? { key: pair.key, value: pair.value } : undefined;
}

/** A map that stands in one place only. One with an anchor may be shown elsewhere through an alias. */
function isEditable(found: Positioned, node: Node): node is YAMLMap {
  return found.yaml.isMap(node) && node.anchor === undefined && node.range != null;
}

/** What stands behind a new key, in either style; the lines of `block` are relative to the key. */
interface Styles {
  readonly flow: string;
  readonly block: readonly string[];
}

function flowOrBlock(found: Positioned, parent: YAMLMap, key: string, value: string): Styles {
  const step = ' '.repeat(Math.max(1, indentStep(found, parent)));
  return { flow: `{${quote(key)}: ${quote(value)}}`, block: ['', `${step}${scalar(key)}: ${scalar(value)}`] };
}

/** How far a map is indented inside its parent: as its own keys are, two spaces where that cannot be seen. */
function indentStep(found: Positioned, map: YAMLMap): number {
  const first = firstKeyOffset(map);
  const column = first === undefined ? 2 : columnOf(found.text, first);
  return found.prefix.length > 0 ? 2 : column || 2;
}

/** A new entry at the top of a map: right after the line of the map's own key, so that no comment changes its neighbour. */
function insertion(found: Positioned, map: MapPair, key: string, value: Styles): Patch | undefined {
  const text = found.text;
  const start = map.value.range?.[0] ?? 0;
  if (map.value.flow === true) {
    const comma = map.value.items.length === 0 ? '' : ', ';
    return { start: start + 1, end: start + 1, text: `${quote(key)}: ${value.flow}${comma}` };
  }
  const first = firstKeyOffset(map.value);
  const keyEnd = map.key.range?.[1];
  if (first === undefined || keyEnd === undefined) return undefined;
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first);
  const lineEnd = text.indexOf('\n', keyEnd);
  if (!/^ *$/.test(indent) || lineEnd < 0 || lineEnd >= first) return undefined;
  const [head, ...rest] = value.block;
  const lines = [`${indent}${scalar(key)}:${head}`, ...rest.map((line) => indent + line)];
  return { start: lineEnd + 1, end: lineEnd + 1, text: lines.map((line) => line + lineEndOf(text)).join('') };
}

/** `annotations:` with nothing behind it, or with `null`. */
function emptyValue(pair: Pair<Node, Node | null>, value: Node | null, text: string): Patch | undefined {
  const range = value?.range;
  if (range != null && range[1] > range[0]) return { start: range[0], end: range[1], text };
  const colon = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind');
  if (colon === undefined) return undefined;
  return { start: colon.offset + 1, end: colon.offset + 1, text: ` ${text}` };
}

/** Takes an entry out: its lines in a block map, the text up to its neighbour in a flow map. */
function removal(found: Positioned, map: YAMLMap, pair: Pair<Node, Node | null>): Patch | undefined {
  const text = found.text;
  const start = pair.key.range?.[0];
  const end = pair.value?.range?.[1] ?? pair.key.range?.[1];
  if (start === undefined || end === undefined) return undefined;
  if (map.flow !== true) {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    if (!/^ *$/.test(text.slice(from, start))) return undefined;
    // a block map or scalar ends behind its line break, everything else before it
    const breakAt = text.charCodeAt(end - 1) === 0x0a ? end - 1 : text.indexOf('\n', end);
    return { start: from, end: breakAt < 0 ? text.length : breakAt + 1, text: '' };
  }
  const items = map.items as Pair<Node, Node | null>[];
  const index = items.indexOf(pair);
  const next = items[index + 1]?.key.range?.[0];
  if (next !== undefined) return { start, end: next, text: '' };
  const before = items[index - 1];
  const from = before === undefined ? start : (before.value?.range?.[1] ?? before.key.range?.[1]);
  return from === undefined ? undefined : { start: from, end, text: '' };
}

function firstKeyOffset(map: YAMLMap): number | undefined {
  return (map.items[0] as Pair<Node, Node | null> | undefined)?.key.range?.[0];
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function scalar(text: string): string {
  return isPlainSafe(text) ? text : quote(text);
}

function patched(text: string, found: Positioned, patch: Patch | undefined): string | undefined {
  if (patch === undefined) return undefined;
  return text.slice(0, found.offset + patch.start) + patch.text + text.slice(found.offset + patch.end);
}
