import type { Document, Node, Pair, YAMLMap } from 'yaml';
import type { Path } from '../../core/kube/json.ts';
import { readDocuments } from './read.ts';
import { resolveScalar } from './scalar.ts';

/**
 * Documents with positions. The `yaml` package knows where each node stands, and is eight times slower than the reader, so it
 * is loaded only when somebody asks for a place.
 */
export interface Positioned {
  readonly yaml: typeof import('yaml');
  readonly document: Document.Parsed;
  /** the text of the document */
  readonly text: string;
  /** offset of the document in the file */
  readonly offset: number;
  /** where the object stands in the document: `[]`, or `['items', 2]` in a List */
  readonly prefix: Path;
}

/** The document of a file that holds the object of that index (counted as the reader counts); undefined where there is none. */
export async function positionedDocument(text: string, index: number): Promise<Positioned | undefined> {
  const slice = readDocuments(text, '').slices.find((candidate) => index >= candidate.first && index < candidate.first + candidate.count);
  if (slice === undefined) return undefined;
  const yaml = await import('yaml');
  const offset = slice.start === 0 && text.charCodeAt(0) === 0xfeff ? 1 : slice.start;
  const own = text.slice(offset, slice.end);
  try {
    const document = yaml.parseDocument(own, { uniqueKeys: false, strict: false, logLevel: 'silent', keepSourceTokens: true });
    return { yaml, document, text: own, offset, prefix: slice.list ? ['items', index - slice.first] : [] };
  } catch {
    // a document too deep for the package; the reader has refused it already
    return undefined;
  }
}

/** The entry of a map whose key kubectl reads as `key`. */
export function pairOf(yaml: Positioned['yaml'], map: YAMLMap, key: string): Pair<Node, Node | null> | undefined {
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const node = pair.key;
    if (!yaml.isScalar(node)) continue;
    const name = node.type === 'PLAIN' ? String(resolveScalar(node.source ?? '', [])) : String(node.value);
    if (name === key) return pair;
  }
  return undefined;
}
