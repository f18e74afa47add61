import type { JsonObject } from '../../core/kube/json.ts';
import type { PreviousObject } from '../../core/plan/plan-types.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { looksOurs } from '../package/looks-ours.ts';

/**
 * The rendered tree as the planner sees it. Files are compared as text and parsed only where they differ, so that an unchanged
 * tree of ten thousand files costs no parsing at all.
 */
export function previousTree(texts: ReadonlyMap<string, string>): readonly PreviousObject[] {
  return [...texts].map(([path, text]) => previousFile(path, () => text));
}

/** @param read the file's text; only called where somebody asks */
export function previousFile(path: string, read: () => string): PreviousObject {
  let text: string | undefined;
  let object: JsonObject | undefined;
  const content = (): string => {
    text ??= read();
    return text;
  };
  return {
    source: { path, document: 0 },
    get object() {
      object ??= onlyObject(content(), path);
      return object;
    },
    matches: (desired, printed) => (printed ?? emitYaml(desired)) === content(),
    get broken() {
      return isMergeConflict(content()) || readDocuments(content(), path).objects.length === 0;
    },
  };
}

/** A file of ours holds one object. Anything else (two of them, none, no YAML) is somebody else's, and stays so. */
function onlyObject(text: string, path: string): JsonObject {
  const read = readDocuments(text, path);
  const [first] = read.objects;
  return read.objects.length === 1 && first !== undefined ? first.object : {};
}

function isMergeConflict(text: string): boolean {
  return looksOurs(text) && /^<{7} /m.test(text) && /^>{7} /m.test(text);
}
