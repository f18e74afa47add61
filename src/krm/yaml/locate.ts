import type { Node } from 'yaml';
import { parsePointer } from '../../core/kube/pointer.ts';
import { pairOf, positionedDocument } from './document-nodes.ts';

export interface Position {
  /** from 1 */
  readonly line: number;
  /** from 1 */
  readonly column: number;
}

/**
 * Where a JSON Pointer of an object stands in its file: the key of a map entry, the start of a list item. A pointer that
 * leads nowhere gives its nearest parent.
 * @param index of the object in the file, as the reader counts
 */
export async function locate(text: string, index: number, pointer: string): Promise<Position | undefined> {
  const found = await positionedDocument(text, index);
  if (found === undefined) return undefined;
  const { yaml, document, prefix } = found;
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const step of [...prefix, ...parsePointer(pointer)]) {
    if (yaml.isAlias(node)) node = node.resolve(document) ?? null;
    if (yaml.isMap(node)) {
      const pair = pairOf(yaml, node, String(step));
      if (pair === undefined) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (yaml.isSeq(node)) {
      const item = typeof step === 'number' ? (node.items[step] as Node | undefined) : undefined;
      if (item === undefined) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return positionAt(text, found.offset + offset);
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
