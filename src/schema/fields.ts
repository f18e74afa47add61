/** Reference tables of the kinds, for the documentation and `tenantplane schema`. */
import { CONFIG_SCHEMAS, type ConfigKind } from './config-kinds.ts';
import { FORMATS } from './formats.ts';
import type { Json } from './json.ts';
import type { Schema } from './schema-language.ts';

export interface FieldRow {
  /** `spec.resources[].kind`, `spec.quota{}` */
  readonly path: string;
  /** `string`, `integer`, `list of string`, `map of quantity`, `object` */
  readonly type: string;
  readonly required: boolean;
  readonly default?: Json;
  readonly allowed?: readonly string[];
  /** completes "must be ..." */
  readonly format?: string;
  readonly description: string;
}

/** Every field of a kind under `spec` (of a SyncDecision: `status`), parents before children. */
export function fieldsOf(kind: ConfigKind): readonly FieldRow[] {
  const schema = CONFIG_SCHEMAS[kind];
  const rows: FieldRow[] = [];
  if (schema.spec !== undefined) collect(schema.spec, 'spec', rows);
  else if (schema.status !== undefined) collect(schema.status, 'status', rows);
  return rows;
}

function collect(schema: Schema, path: string, rows: FieldRow[]): void {
  if ('properties' in schema) {
    for (const [key, child] of Object.entries(schema.properties)) {
      rows.push(rowOf(child, `${path}.${key}`, schema.required?.includes(key) === true));
      collect(child, `${path}.${key}`, rows);
    }
  } else if ('items' in schema) collect(schema.items, `${path}[]`, rows);
  else if ('additionalProperties' in schema) collect(schema.additionalProperties, `${path}{}`, rows);
}

function rowOf(schema: Schema, path: string, required: boolean): FieldRow {
  const leaf = 'items' in schema ? schema.items : 'additionalProperties' in schema ? schema.additionalProperties : schema;
  const value = 'default' in schema && typeof schema.default !== 'object' ? schema.default : undefined;
  return {
    path,
    type: typeOf(schema),
    required,
    ...(value === undefined ? {} : { default: value }),
    ...('enum' in leaf && leaf.enum !== undefined ? { allowed: leaf.enum } : {}),
    ...('format' in leaf && leaf.format !== undefined ? { format: FORMATS[leaf.format].says } : {}),
    description: schema.description,
  };
}

function typeOf(schema: Schema): string {
  if (!('type' in schema)) return 'any';
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  if (schema.type !== 'object') return 'format' in schema && schema.format === 'quantity' ? 'quantity' : schema.type;
  return 'additionalProperties' in schema ? `map of ${typeOf(schema.additionalProperties)}` : 'object';
}
