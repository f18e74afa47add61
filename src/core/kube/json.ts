import { clone, isObject, type Json, type JsonObject, own, put } from '../../schema/json.ts';

export { clone, isObject, type Json, type JsonObject, own, put };

/** A location inside an object: map keys and list indexes, outermost first. */
export type Path = readonly (string | number)[];

export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function asArray(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The objects of a list; anything else in it is passed over. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function asString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value at `path`, or undefined where a step is missing or of another shape. */
export function at(root: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let value = root;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isObject(value) ? own(value, step) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

export function objectAt(root: Json | undefined, ...path: (string | number)[]): JsonObject | undefined {
  return asObject(at(root, ...path));
}

export function stringAt(root: Json | undefined, ...path: (string | number)[]): string | undefined {
  return asString(at(root, ...path));
}

/** Deep equality of JSON values; key order is no difference, `1` and `1n` are none either. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' || typeof b === 'bigint') return isNumber(a) && isNumber(b) && BigInt(a) === BigInt(b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

/** What a value is, in words for messages: `the number 5`, `a list`. Strings are not quoted: they may be secret. */
export function describe(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'null' : 'a map';
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint'
    ? `the ${typeof value === 'boolean' ? 'boolean' : 'number'} ${value}`
    : 'a string';
}
