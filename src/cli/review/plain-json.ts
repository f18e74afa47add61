import type { Json, JsonObject } from '../../core/kube/json.ts';

/** Plain data as JSON: what is undefined is left out, whatever is no data is none. */
export function plainJson(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (Array.isArray(value)) return value.map(plainJson);
  return typeof value === 'object' && value !== null ? plainObject(value) : null;
}

export function plainObject(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, plainJson(item)]])));
}
