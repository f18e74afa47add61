import { isObject, type Json, type JsonObject } from '../core/kube/json.ts';
import type { KubeObject } from '../core/kube/object.ts';
import { scanAnnotations } from './scan-annotations.ts';
import { INDEX_KEY, LEGACY_INDEX_KEY, LEGACY_PATH_KEY, PACKAGE_KEY, PATH_KEY } from './transport.ts';
import { emitYaml } from './yaml/emit.ts';
import { LIMITS } from './yaml/limits.ts';
import { type Parsed, parseDocument } from './yaml/parse.ts';

/** One item of a ResourceList: its text, and what of it is asked for. Parsed at most once, and only when asked. */
export interface Item {
  /** verbatim, with its `-` */
  readonly text: string;
  /** path annotation as written; undefined where it has none */
  readonly path: string | undefined;
  readonly index: number;
  /** absolute path of its package, where kpt says it */
  readonly packagePath: string | undefined;
  /** legacy and internal annotations that contradict each other */
  readonly mismatch: boolean;
  /** the value, or what is wrong with the text */
  parsed(): Parsed;
}

/** @param indent spaces before the `-` */
export function itemFromText(text: string, indent: number): Item {
  let parsed: Parsed | undefined;
  const parse = (): Parsed => {
    parsed ??= onlyItem(parseDocument(text, LIMITS.documentCharacters));
    return parsed;
  };
  // a shape that the scanner does not know is parsed
  const annotations = scanAnnotations(text, indent) ?? annotationMap(parse().value);
  return { text, ...placeOf(annotations), parsed: parse };
}

export function itemFromValue(value: Json): Item {
  const parsed: Parsed = { value, problems: [] };
  return {
    text: isObject(value) ? itemText(value, 0) : `- ${JSON.stringify(value)}\n`,
    ...placeOf(annotationMap(value)),
    parsed: () => parsed,
  };
}

/** The text of an item that we write. */
export function itemText(object: KubeObject, indent: number): string {
  const start = ' '.repeat(indent);
  return `${start}- ${emitYaml(object).replace(/\n(?=[^\n])/g, `\n${start}  `)}`;
}

/** An item's text is a list of one. */
function onlyItem(parsed: Parsed): Parsed {
  const { value } = parsed;
  if (value === undefined || !Array.isArray(value) || value.length !== 1) return { value: undefined, problems: parsed.problems };
  return { value: value[0] ?? null, problems: parsed.problems };
}

function placeOf(annotations: ReadonlyMap<string, string>): Pick<Item, 'path' | 'index' | 'packagePath' | 'mismatch'> {
  const path = annotations.get(PATH_KEY);
  const legacyPath = annotations.get(LEGACY_PATH_KEY);
  const index = annotations.get(INDEX_KEY);
  const legacyIndex = annotations.get(LEGACY_INDEX_KEY);
  return {
    path: path ?? legacyPath,
    index: Number.parseInt(index ?? legacyIndex ?? '0', 10) || 0,
    packagePath: annotations.get(PACKAGE_KEY),
    mismatch: differ(path, legacyPath) || differ(index, legacyIndex),
  };
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function annotationMap(value: Json | undefined): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  const metadata: Json | undefined = isObject(value) ? value['metadata'] : undefined;
  const annotations: Json | undefined = isObject(metadata) ? metadata['annotations'] : undefined;
  if (isObject(annotations))
    for (const [key, item] of Object.entries(annotations as JsonObject)) if (typeof item === 'string') map.set(key, item);
  return map;
}
