import type { ConfigKind } from './config-kinds.ts';
import { isObject, type Json, type JsonObject, own } from './json.ts';
import { dottedPath, type FieldPath, type ProblemList, pointerOf, report } from './problems.ts';
import { FIELD_RULES } from './rules.ts';

/**
 * Tests the rules of a kind on the copy that has its defaults. Where a field under the rule's own object is wrong already,
 * the rule says nothing: it would be about a value that is not there.
 */
export function checkRules(kind: ConfigKind, value: JsonObject, list: ProblemList, previous?: JsonObject): void {
  const before = list.problems.map((problem) => problem.pointer);
  for (const rule of FIELD_RULES) {
    if (rule.kind !== kind) continue;
    for (const { path, self } of objectsAt(value, rule.at)) {
      const here = pointerOf(path);
      if (before.some((pointer) => pointer.startsWith(`${here}/`))) continue;
      // oldSelf is known only where no list lies between: items have no identity
      const old = previous === undefined || rule.at.includes('[]') ? undefined : objectsAt(previous, rule.at)[0]?.self;
      if (rule.holds(self, old)) continue;
      report(list, path, { rule: 'Rule', message: `${dottedPath(path)}: ${rule.message}.`, remedy: rule.remedy });
    }
  }
}

interface Place {
  readonly path: FieldPath;
  readonly self: JsonObject;
}

function objectsAt(root: JsonObject, at: string): Place[] {
  let places: { path: FieldPath; value: Json | undefined }[] = [{ path: [], value: root }];
  for (const step of at.split('.')) {
    const list = step.endsWith('[]');
    const key = list ? step.slice(0, -2) : step;
    places = places.flatMap(({ path, value }) => {
      const next = isObject(value) ? own(value, key) : undefined;
      if (!list) return [{ path: [...path, key], value: next }];
      return Array.isArray(next) ? next.map((item, index) => ({ path: [...path, key, index], value: item })) : [];
    });
  }
  return places.flatMap(({ path, value }) => (isObject(value) ? [{ path, self: value }] : []));
}
