/** The one place where configuration of tenantplane enters: what comes out is typed and complete, or a list of problems. */

import { checkRules } from './check-rules.ts';
import { type CheckContext, checkValue } from './check-value.ts';
import {
  type AnyConfig,
  CONFIG_SCHEMAS,
  type ConfigKind,
  type ConfigSchema,
  type ConfigTypes,
  FUNCTION_GROUP,
  GROUP,
  isConfigKind,
  VERSION,
} from './config-kinds.ts';
import { isObject, type JsonObject, own, put } from './json.ts';
import { nearest } from './nearest.ts';
import { OBJECT_METADATA } from './object-metadata.ts';
import { type ProblemList, report, type SchemaProblem, shown } from './problems.ts';
import type { FieldsSchema } from './schema-language.ts';

export interface ConfigCheck<T extends AnyConfig = AnyConfig> {
  /** a copy with defaults applied, there where nothing is wrong */
  readonly value?: T;
  readonly problems: readonly SchemaProblem[];
}

/** Whether the object is in one of our API groups, whatever its kind and version. */
export function isConfigObject(object: JsonObject): boolean {
  const apiVersion = own(object, 'apiVersion');
  return typeof apiVersion === 'string' && (apiVersion.startsWith(`${GROUP}/`) || apiVersion.startsWith(`${FUNCTION_GROUP}/`));
}

/**
 * Checks any object of tenantplane's own API groups. `status` of a kind with a spec is left out unseen: it is the
 * reconciler's, and an API server drops it from such a write too. With `previous`, the object as it was, rules about changes
 * are tested as well.
 */
export function checkConfig(object: JsonObject, previous?: JsonObject): ConfigCheck {
  const list: ProblemList = { problems: [], dropped: 0 };
  const schema = schemaOf(object, list);
  if (schema === undefined) return { problems: list.problems };
  const value = checkAgainst(object, schema, list);
  checkRules(schema.kind, value, list, previous);
  if (list.problems.length > 0) return { problems: finished(list) };
  return { value: value as unknown as AnyConfig, problems: [] };
}

/** As `checkConfig`, for an object that must be of one kind. */
export function checkConfigOf<K extends ConfigKind>(object: JsonObject, kind: K): ConfigCheck<ConfigTypes[K]> {
  const found = own(object, 'kind');
  if (found !== kind) {
    const list: ProblemList = { problems: [], dropped: 0 };
    report(list, ['kind'], {
      rule: 'Enum',
      found: shown(found ?? null),
      message: `kind is ${shown(found ?? null)}, but must be ${kind}.`,
      remedy: `Use kind ${kind} of ${CONFIG_SCHEMAS[kind].group}/${VERSION}.`,
      near: kind,
    });
    return { problems: list.problems };
  }
  const checked = checkConfig(object);
  return checked.value === undefined ? { problems: checked.problems } : { value: checked.value as ConfigTypes[K], problems: [] };
}

function schemaOf(object: JsonObject, list: ProblemList): ConfigSchema | undefined {
  const kind = own(object, 'kind');
  const apiVersion = own(object, 'apiVersion');
  if (typeof kind !== 'string' || !isConfigKind(kind)) {
    const near = typeof kind === 'string' ? nearest(kind, Object.keys(CONFIG_SCHEMAS)) : undefined;
    report(list, ['kind'], {
      rule: 'Enum',
      found: shown(kind ?? null),
      message: `kind is ${shown(kind ?? null)}, which is no kind of tenantplane.`,
      remedy: near === undefined ? `Use one of ${Object.keys(CONFIG_SCHEMAS).join(', ')}.` : `Did you mean ${near}?`,
      ...(near === undefined ? {} : { near }),
    });
    return undefined;
  }
  const schema = CONFIG_SCHEMAS[kind];
  const wanted = `${schema.group}/${VERSION}`;
  if (apiVersion !== wanted) {
    report(list, ['apiVersion'], {
      rule: 'Enum',
      found: shown(apiVersion ?? null),
      message: `apiVersion of ${kind} is ${shown(apiVersion ?? null)}, but must be ${wanted}.`,
      remedy: `Write apiVersion: ${wanted}.`,
      near: wanted,
    });
    return undefined;
  }
  return schema;
}

function checkAgainst(object: JsonObject, schema: ConfigSchema, list: ProblemList): JsonObject {
  const root = rootSchema(schema);
  const ctx: CheckContext = { list, elsewhere: (field) => findElsewhere(field, root) };
  // The reconciler's status is no input; a stale one must not block a package.
  const input: JsonObject = {};
  for (const key of Object.keys(object)) {
    const item = object[key];
    if (item !== undefined && !(key === 'status' && schema.spec !== undefined)) put(input, key, item);
  }
  const result = checkValue(input, root, [], ctx);
  return isObject(result) ? result : {};
}

function rootSchema(schema: ConfigSchema): FieldsSchema {
  const named = schema.group === GROUP;
  const metadata: FieldsSchema = named ? { ...OBJECT_METADATA, required: ['name'] } : OBJECT_METADATA;
  return {
    type: 'object',
    description: schema.description,
    required: named ? ['metadata', ...(schema.spec === undefined ? [] : ['spec'])] : [],
    properties: {
      apiVersion: { type: 'string', description: 'Version of the API.' },
      kind: { type: 'string', description: 'Kind of the object.' },
      metadata,
      ...(schema.spec === undefined ? {} : { spec: schema.spec }),
      ...(schema.status === undefined || schema.spec !== undefined ? {} : { status: schema.status }),
    },
  };
}

/** The only other place where a field of that name stands, dotted. */
function findElsewhere(field: string, schema: FieldsSchema): string | undefined {
  const found: string[] = [];
  const visit = (fields: FieldsSchema, prefix: string): void => {
    for (const [key, child] of Object.entries(fields.properties)) {
      if (prefix === '' && key === 'metadata') continue;
      const path = prefix === '' ? key : `${prefix}.${key}`;
      if (key === field) found.push(path);
      if ('properties' in child) visit(child, path);
      if ('items' in child && 'properties' in child.items) visit(child.items, `${path}[]`);
    }
  };
  visit(schema, '');
  return found.length === 1 ? found[0] : undefined;
}

function finished(list: ProblemList): readonly SchemaProblem[] {
  if (list.dropped === 0) return list.problems;
  const message = `The object has ${list.dropped} further problems that are not listed.`;
  return [...list.problems, { pointer: '', rule: 'Rule', message, remedy: 'Fix those above first.' }];
}
