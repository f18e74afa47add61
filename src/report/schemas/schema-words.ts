import { isObject, type JsonObject } from '../../core/kube/json.ts';

/** Words to write the schema of a report with. Objects are open: a field may be added in any version, and readers pass over it. */
export function object(description: string, required: Fields, optional: Fields = {}): JsonObject {
  return { type: 'object', description, required: Object.keys(required), properties: { ...required, ...optional } };
}

type Fields = Readonly<Record<string, JsonObject>>;

export function list(description: string, items: JsonObject): JsonObject {
  return { type: 'array', description, items };
}

export function text(description: string): JsonObject {
  return { type: 'string', description };
}

export function textOrNull(description: string): JsonObject {
  return { type: ['string', 'null'], description };
}

export function count(description: string): JsonObject {
  return { type: 'integer', minimum: 0, description };
}

export function countOrNull(description: string): JsonObject {
  return { type: ['integer', 'null'], minimum: 0, description };
}

export function flag(description: string): JsonObject {
  return { type: 'boolean', description };
}

/** One of a closed set of words. */
export function word(description: string, words: readonly string[]): JsonObject {
  return { type: 'string', enum: [...words], description };
}

/** An object whose keys are not known before. */
export function map(description: string, values: JsonObject): JsonObject {
  return { type: 'object', description, additionalProperties: values };
}

export function any(description: string): JsonObject {
  return { description };
}

export function counts(description: string, names: readonly string[]): JsonObject {
  return object(description, Object.fromEntries(names.map((name) => [name, count('')])));
}

/** A document with the two words that it begins with, where another document holds it. */
export function named(document: JsonObject, kind: string): JsonObject {
  const { properties, required } = document;
  return {
    ...document,
    required: ['apiVersion', 'kind', ...(Array.isArray(required) ? required : [])],
    properties: {
      apiVersion: { const: 'report.tenantplane.io/v1alpha1' },
      kind: { const: kind },
      ...(isObject(properties) ? properties : {}),
    },
  };
}
