/**
 * Validates a value against a schema and gives a copy with defaults applied, in the way of the API server for structural
 * schemas: `null` in a field or map is no value, defaults go top down into objects that are there or have a default of their
 * own, and types do not mix (the string "3" is no integer). Unlike the API server, an unknown field is a problem and is not
 * silently pruned.
 */
import { FORMATS, type FormatName } from './formats.ts';
import { clone, isObject, type Json, type JsonObject, own, put } from './json.ts';
import { nearest, nearestField } from './nearest.ts';
import { dottedPath, type FieldPath, type ProblemList, report, shown } from './problems.ts';
import type { BooleanSchema, FieldsSchema, IntegerSchema, ListSchema, MapSchema, Schema, StringSchema } from './schema-language.ts';

export interface CheckContext {
  readonly list: ProblemList;
  /** dotted paths of all fields of the kind, for a field that stands in the wrong place */
  readonly elsewhere: (field: string) => string | undefined;
}

/** The copy; undefined where there is no value to copy, or none that makes sense. */
export function checkValue(value: Json, schema: Schema, path: FieldPath, ctx: CheckContext): Json | undefined {
  if (!('type' in schema)) return clone(value);
  switch (schema.type) {
    case 'string':
      return checkString(value, schema, path, ctx);
    case 'integer':
      return checkInteger(value, schema, path, ctx);
    case 'boolean':
      return checkBoolean(value, schema, path, ctx);
    case 'array':
      return checkList(value, schema, path, ctx);
    case 'object':
      return 'properties' in schema ? checkFields(value, schema, path, ctx) : checkMap(value, schema, path, ctx);
  }
}

function checkString(value: Json, schema: StringSchema, path: FieldPath, ctx: CheckContext): Json | undefined {
  // A quantity is int-or-string, as everywhere in Kubernetes; after the check it is a string.
  if (schema.format === 'quantity' && isWhole(value)) return checkString(`${value}`, schema, path, ctx);
  if (typeof value !== 'string') {
    const scalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
    // 1.30 arrives as 1.3: quoting what was found would be wrong advice.
    const quote = schema.format === 'kubernetes-version' ? FORMATS[schema.format].remedy : `Quote it: "${value}".`;
    return wrongType(value, 'a string', scalar ? quote : 'Write a single value.', path, ctx);
  }
  if (value === '' && schema.emptyIsUnset === true) return undefined;
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const near = nearest(value, schema.enum);
    report(ctx.list, path, {
      rule: 'Enum',
      found: shown(value),
      message: `${dottedPath(path)} is ${shown(value)}, which is none of ${schema.enum.join(', ')}.`,
      remedy: near === undefined ? `Use one of ${schema.enum.join(', ')}.` : `Did you mean ${near}?`,
      ...(near === undefined ? {} : { near }),
    });
    return undefined;
  }
  if (schema.format !== undefined && !checkFormat(value, schema.format, path, ctx)) return undefined;
  const length = [...value].length;
  if (length < (schema.minLength ?? 0)) {
    report(ctx.list, path, {
      rule: 'Length',
      found: shown(value),
      message: `${dottedPath(path)} is ${value === '' ? 'empty' : `${shown(value)}, shorter than ${schema.minLength} characters`}.`,
      remedy: 'Give it a value, or leave the field out.',
    });
    return undefined;
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    report(ctx.list, path, {
      rule: 'Length',
      found: shown(value),
      message: `${dottedPath(path)} has ${length} characters; at most ${schema.maxLength} are allowed.`,
      remedy: 'Shorten it.',
    });
    return undefined;
  }
  return value;
}

function isWhole(value: Json): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
}

function checkFormat(value: string, name: FormatName, path: FieldPath, ctx: CheckContext): boolean {
  const format = FORMATS[name];
  if (format.test(value)) return true;
  report(ctx.list, path, {
    rule: format.pattern === undefined ? 'Format' : 'Pattern',
    found: shown(value),
    message: `${dottedPath(path)} is ${shown(value)}, but must be ${format.says}.`,
    remedy: format.remedy,
  });
  return false;
}

function checkInteger(value: Json, schema: IntegerSchema, path: FieldPath, ctx: CheckContext): Json | undefined {
  if (typeof value === 'bigint') {
    const narrowed = Number(value);
    if (Number.isSafeInteger(narrowed)) return checkInteger(narrowed, schema, path, ctx);
    const low = value < 0n;
    return outside(value, low ? 'Minimum' : 'Maximum', low ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, path, ctx);
  }
  if (typeof value !== 'number') {
    const quoted = typeof value === 'string' && /^-?\d+$/.test(value);
    return wrongType(value, 'a whole number', quoted ? `Write it without quotes: ${value}.` : 'Write a whole number.', path, ctx);
  }
  if (!Number.isSafeInteger(value)) return wrongType(value, 'a whole number', 'Write a whole number.', path, ctx);
  if (schema.minimum !== undefined && value < schema.minimum) return outside(value, 'Minimum', schema.minimum, path, ctx);
  if (schema.maximum !== undefined && value > schema.maximum) return outside(value, 'Maximum', schema.maximum, path, ctx);
  return value;
}

function outside(value: number | bigint, rule: 'Minimum' | 'Maximum', bound: number, path: FieldPath, ctx: CheckContext): undefined {
  const most = rule === 'Minimum' ? 'least' : 'most';
  report(ctx.list, path, {
    rule,
    found: `${value}`,
    message: `${dottedPath(path)} is ${value}, but must be at ${most} ${bound}.`,
    remedy: `Use ${bound} or ${rule === 'Minimum' ? 'more' : 'less'}.`,
  });
}

function checkBoolean(value: Json, _schema: BooleanSchema, path: FieldPath, ctx: CheckContext): Json | undefined {
  if (typeof value === 'boolean') return value;
  return wrongType(value, 'true or false', 'Write true or false, without quotes.', path, ctx);
}

function checkList(value: Json, schema: ListSchema, path: FieldPath, ctx: CheckContext): Json | undefined {
  if (!Array.isArray(value)) {
    return wrongType(value, 'a list', 'Write a list, each item behind "- ".', path, ctx);
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    report(ctx.list, path, {
      rule: 'Length',
      found: `${value.length} items`,
      message: `${dottedPath(path)} has ${value.length} items; at most ${schema.maxItems} are allowed.`,
      remedy: 'Take some out.',
    });
    return undefined;
  }
  const items: Json[] = [];
  for (const [index, item] of value.entries()) {
    const checked = checkValue(item, schema.items, [...path, index], ctx);
    if (checked !== undefined) items.push(checked);
  }
  return items;
}

function checkMap(value: Json, schema: MapSchema, path: FieldPath, ctx: CheckContext): Json | undefined {
  if (!isObject(value)) return wrongType(value, 'a map', 'Write "key: value" lines under it.', path, ctx);
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = own(value, key);
    if (item === undefined || item === null) continue;
    const at = [...path, key];
    if (schema.keyFormat !== undefined && !checkKey(key, schema.keyFormat, at, ctx)) continue;
    const checked = checkValue(item, schema.additionalProperties, at, ctx);
    if (checked !== undefined) put(result, key, checked);
  }
  return result;
}

function checkKey(key: string, name: FormatName, path: FieldPath, ctx: CheckContext): boolean {
  const format = FORMATS[name];
  if (format.test(key)) return true;
  report(ctx.list, path, {
    rule: 'Pattern',
    found: shown(key),
    message: `${dottedPath(path.slice(0, -1))} has the key ${shown(key)}, but a key must be ${format.says}.`,
    remedy: format.remedy,
  });
  return false;
}

function checkFields(value: Json, schema: FieldsSchema, path: FieldPath, ctx: CheckContext): Json | undefined {
  if (!isObject(value)) {
    const fields = Object.keys(schema.properties);
    const some = fields.length > 6 ? `${fields.slice(0, 5).join(', ')} or others` : fields.join(', ');
    return wrongType(value, 'a map', `Write a map; its fields are ${some}.`, path, ctx);
  }
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(schema.properties, key)) unknownField(key, schema, path, ctx);
  }
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(schema.properties)) {
    const item = own(value, key) ?? undefined;
    let checked = item === undefined ? undefined : checkValue(item, field, [...path, key], ctx);
    const unset = item === undefined || (item === '' && 'emptyIsUnset' in field);
    if (unset && 'default' in field && field.default !== undefined) {
      checked = typeof field.default === 'object' ? checkValue({}, field, [...path, key], ctx) : field.default;
    }
    if (checked !== undefined) put(result, key, checked);
    else if (unset && schema.required?.includes(key) === true) missing(key, field, path, ctx);
  }
  return result;
}

function unknownField(key: string, schema: FieldsSchema, path: FieldPath, ctx: CheckContext): void {
  const near = nearestField(key, Object.keys(schema.properties));
  const other = near === undefined ? ctx.elsewhere(key) : undefined;
  const known = Object.keys(schema.properties);
  const where = path.length === 0 ? 'the object' : dottedPath(path);
  const remedy =
    near !== undefined
      ? `Did you mean ${near}?`
      : other !== undefined
        ? `A field of that name is at ${other}.`
        : `Remove it. Known fields here: ${known.join(', ')}.`;
  report(ctx.list, [...path, key], {
    rule: 'UnknownField',
    message: `${where} has no field ${JSON.stringify(key.length > 80 ? `${key.slice(0, 77)}...` : key)}.`,
    remedy,
    ...(near !== undefined ? { near } : other !== undefined ? { near: other } : {}),
  });
}

function missing(key: string, field: Schema, path: FieldPath, ctx: CheckContext): void {
  const what = field.description.replace(/\.$/, '');
  report(ctx.list, [...path, key], {
    rule: 'Required',
    message: `${dottedPath([...path, key])} is missing.`,
    remedy: `Set it: ${what.charAt(0).toLowerCase()}${what.slice(1)}.`,
  });
}

function wrongType(value: Json, wanted: string, remedy: string, path: FieldPath, ctx: CheckContext): undefined {
  report(ctx.list, path, {
    rule: 'Type',
    found: shown(value),
    message: `${dottedPath(path)} is ${typeName(value)} (${shown(value)}), but must be ${wanted}.`,
    remedy,
  });
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'boolean':
      return 'a boolean';
    case 'number':
    case 'bigint':
      return 'a number';
    case 'string':
      return 'a string';
    default:
      return 'a map';
  }
}
