import type { JsonObject } from '../../core/kube/json.ts';
import type { PreviousObject } from '../../core/plan/plan-types.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { readDocuments } from '../../krm/yaml/read.ts';

/**
 * The rendered tree as the planner sees it. Files are compared as text and parsed only where they differ, so that an unchanged
 * tree of ten thousand files costs no parsing at all.
 */
export function previousTree(texts: ReadonlyMap<string, string>): readonly PreviousObject[] {
  const objects: PreviousObject[] = [];
  for (const [path, text] of texts) {
    let object: JsonObject | undefined;
    objects.push({
      source: { path, document: 0 },
      get object() {
        object ??= onlyObject(text, path);
        return object;
      },
      matches: (desired, printed) => (printed ?? emitYaml(desired)) === text,
      get broken() {
        return isMergeConflict(text) || readDocuments(text, path).objects.length === 0;
      },
    });
  }
  return objects;
}

/** A file of ours holds one object. Anything else (two of them, none, no YAML) is somebody else's, and stays so. */
function onlyObject(text: string, path: string): JsonObject {
  const read = readDocuments(text, path);
  const [first] = read.objects;
  return read.objects.length === 1 && first !== undefined ? first.object : {};
}

function isMergeConflict(text: string): boolean {
  return text.includes('app.kubernetes.io/managed-by: tenantplane') && /^<{7} /m.test(text) && /^>{7} /m.test(text);
}
