/**
 * Kubernetes data as plain JSON. Nothing here knows a kind, so nothing here can drop a field. Integers beyond 2^53 are `bigint`
 * (int64 is exact); `__proto__` is a key like any other. It stands in this folder because nothing is below `schema` in the
 * direction of imports; the core has it from `core/kube/json.ts`, with more.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, so that a key called `constructor` or `__proto__` is never an inherited one. */
export function own(object: JsonObject | undefined, key: string): Json | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property, whatever the key is called. */
export function put(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** A deep copy that shares nothing with its source. */
export function clone<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => clone(item)) as T;
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined) put(result, key, clone(item));
  }
  return result as T;
}
