/**
 * The schemas as others read them: OpenAPI v3 for the API server (structural, KEP-1152) and JSON Schema for editors.
 * A format becomes a pattern, or the format that both know.
 */
import { CONFIG_SCHEMAS, type ConfigKind, type ConfigSchema, GROUP, VERSION } from './config-kinds.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { isObject, type Json, type JsonObject, put } from './json.ts';
import { FIELD_RULES } from './rules.ts';
import type { ListSchema, Schema, StringSchema } from './schema-language.ts';

/** The schema of a CRD version or of a KRMFunctionDefinition. */
export function crdOpenApi(kind: ConfigKind): JsonObject {
  const schema = CONFIG_SCHEMAS[kind];
  const properties: JsonObject = {
    apiVersion: { type: 'string', description: `${schema.group}/${VERSION}` },
    kind: { type: 'string', description: kind },
    metadata: { type: 'object' },
  };
  if (schema.spec !== undefined) properties['spec'] = structural(schema.spec);
  if (schema.status !== undefined) properties['status'] = structural(schema.status);
  const root: JsonObject = { type: 'object', description: schema.description };
  if (needsSpec(schema)) root['required'] = ['spec'];
  root['properties'] = properties;
  for (const rule of FIELD_RULES) if (rule.kind === kind) addRule(root, rule.at, { rule: rule.cel, message: rule.message });
  return root;
}

/** JSON Schema 2020-12 of a manifest as it stands in a file. Unknown fields are errors, as they are to the validator. */
export function jsonSchema(kind: ConfigKind): JsonObject {
  const schema = CONFIG_SCHEMAS[kind];
  const root = crdOpenApi(kind);
  const properties = isObject(root['properties']) ? root['properties'] : {};
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    ...(closed(root) as JsonObject),
    required: ['apiVersion', 'kind', ...(schema.group === GROUP ? ['metadata'] : []), ...(needsSpec(schema) ? ['spec'] : [])],
    properties: {
      ...(closed(properties) as JsonObject),
      apiVersion: { const: `${schema.group}/${VERSION}` },
      kind: { const: kind },
      metadata: { type: 'object', ...(schema.group === GROUP ? { required: ['name'] } : {}) },
    },
  };
}

function needsSpec(schema: ConfigSchema): boolean {
  return schema.spec !== undefined && schema.spec.default === undefined;
}

function structural(schema: Schema): JsonObject {
  if (!('type' in schema)) return { description: schema.description, 'x-kubernetes-preserve-unknown-fields': true };
  switch (schema.type) {
    case 'string':
      return stringSchema(schema);
    case 'array':
      return listSchema(schema);
    case 'object': {
      if ('additionalProperties' in schema) {
        return { type: 'object', description: schema.description, additionalProperties: structural(schema.additionalProperties) };
      }
      const properties: JsonObject = {};
      for (const [key, child] of Object.entries(schema.properties)) put(properties, key, structural(child));
      return {
        type: 'object',
        description: schema.description,
        ...(schema.default === undefined ? {} : { default: {} }),
        ...(schema.required === undefined ? {} : { required: [...schema.required] }),
        properties,
      };
    }
    default:
      return { ...schema };
  }
}

function listSchema(schema: ListSchema): JsonObject {
  const keys = schema['x-kubernetes-list-map-keys'];
  const type = schema['x-kubernetes-list-type'];
  return {
    type: 'array',
    description: schema.description,
    ...(schema.maxItems === undefined ? {} : { maxItems: schema.maxItems }),
    ...(type === undefined ? {} : { 'x-kubernetes-list-type': type }),
    ...(keys === undefined ? {} : { 'x-kubernetes-list-map-keys': [...keys] }),
    items: structural(schema.items),
  };
}

function stringSchema(schema: StringSchema): JsonObject {
  const quantity = schema.format === 'quantity';
  return {
    ...(quantity ? {} : { type: 'string' }),
    description: schema.description,
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum] }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(schema.minLength === undefined ? {} : { minLength: schema.minLength }),
    ...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }),
    ...(schema.format === undefined ? {} : formatSchema(schema.format, schema.emptyIsUnset === true)),
    // minimum is about the integer; a pattern is about the string
    ...(quantity ? { minimum: 0, anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true } : {}),
  };
}

function formatSchema(name: FormatName, emptyToo: boolean): JsonObject {
  const { pattern, openapi, maxLength } = FORMATS[name];
  if (pattern !== undefined) {
    return { pattern: emptyToo ? `^$|${pattern}` : pattern, ...(maxLength === undefined ? {} : { maxLength }) };
  }
  const formats: Json[] = (openapi ?? []).map((format) => ({ format }));
  // Only value validations may stand inside anyOf of a structural schema; format and maxLength are such.
  if (emptyToo) formats.push({ maxLength: 0 });
  return formats.length === 1 ? { format: openapi?.[0] } : { anyOf: formats };
}

function addRule(root: JsonObject, at: string, rule: JsonObject): void {
  let node: Json | undefined = root;
  for (const step of at.split('.')) {
    const list = step.endsWith('[]');
    const properties: Json | undefined = isObject(node) ? node['properties'] : undefined;
    node = isObject(properties) ? properties[list ? step.slice(0, -2) : step] : undefined;
    if (list) node = isObject(node) ? node['items'] : undefined;
  }
  if (!isObject(node)) throw new Error(`no schema at ${at}`);
  const rules = node['x-kubernetes-validations'];
  node['x-kubernetes-validations'] = [...(Array.isArray(rules) ? rules : []), rule];
}

/** Closes every object with fields; drops what only the API server reads. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined && !key.startsWith('x-kubernetes-')) put(result, key, closed(item));
  }
  const fields = value['type'] === 'object' && isObject(value['properties']);
  return fields ? { ...result, additionalProperties: false } : result;
}
