/**
 * Kubernetes data as plain JSON. Nothing here knows a kind, so nothing here can drop a field.
 * Integers beyond 2^53 are `bigint` (int64 is exact); `__proto__` is a key like any other.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}
/** A location inside an object: map keys and list indexes, outermost first. */
export type Path = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** An own property, so that a map key called `constructor` or `__proto__` is never an inherited one. */
export function own(object: JsonObject | undefined, key: string): Json | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property, whatever the key is called. */
export function put(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
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

/** A deep copy that shares nothing with its source. */
export function clone<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => clone(item)) as T;
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined) put(copy, key, clone(item));
  }
  return copy as T;
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
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'null' : 'a map';
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint'
    ? `the ${typeof value === 'boolean' ? 'boolean' : 'number'} ${value}`
    : 'a string';
}
