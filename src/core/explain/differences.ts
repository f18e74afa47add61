import { equal, isObject, type Json, own, type Path } from '../kube/json.ts';

/** Paths at which two values differ, outermost that say it: a map is looked into, a list of another length is one difference. */
export function differences(a: Json | undefined, b: Json | undefined, path: Path = []): readonly Path[] {
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    return keys.flatMap((key) => differences(own(a, key), own(b, key), [...path, key]));
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    return a.flatMap((item, index) => differences(item, b[index], [...path, index]));
  }
  return equal(a, b) ? [] : [path];
}
