import { jsonText } from '../report/json-text.ts';
import { columns } from '../report/text.ts';
import { CONFIG_SCHEMAS, type ConfigKind, isConfigKind, RESOURCE_SCHEMAS } from '../schema/config-kinds.ts';
import { type FieldRow, fieldsOf } from '../schema/fields.ts';
import { nearest } from '../schema/nearest.ts';
import { jsonSchema } from '../schema/openapi.ts';
import { TenantplaneError } from './errors.ts';

const KINDS = Object.keys(CONFIG_SCHEMAS).filter(isConfigKind);

export function schemaKinds(): readonly string[] {
  return KINDS;
}

/** The fields of one kind for people, its JSON Schema for editors, or the list of kinds. */
export function schemaText(query: string | undefined, format: 'text' | 'json'): string {
  if (query === undefined) {
    if (format === 'json') return `${jsonText(Object.fromEntries(KINDS.map((kind) => [kind, jsonSchema(kind)])), 2)}\n`;
    return `${columns(KINDS.map((kind): [string, string] => [kind, CONFIG_SCHEMAS[kind].description])).join('\n')}\n`;
  }
  const kind = KINDS.find((known) => wordsFor(known).includes(query.toLowerCase()));
  if (kind === undefined) {
    const near = nearest(query, KINDS);
    throw new TenantplaneError('usage', `There is no kind ${query} of tenantplane.`, {
      hint: near === undefined ? `Its kinds are ${KINDS.join(', ')}.` : `Did you mean ${near}? Its kinds are ${KINDS.join(', ')}.`,
    });
  }
  return format === 'json' ? `${jsonText(jsonSchema(kind), 2)}\n` : table(kind);
}

/** The words for a kind as kubectl knows them: kind, plural, short names. */
function wordsFor(kind: ConfigKind): readonly string[] {
  const resource = Object.values(RESOURCE_SCHEMAS).find((schema) => schema.kind === kind);
  return [kind.toLowerCase(), ...(resource === undefined ? [] : [resource.plural, resource.singular, ...resource.shortNames])];
}

function table(kind: ConfigKind): string {
  const schema = CONFIG_SCHEMAS[kind];
  const rows = fieldsOf(kind).map((row): [string, string] => [`${row.path}${row.required ? ' *' : ''}`, typeOf(row)]);
  const left = columns(rows);
  const lines = [`${kind}   ${schema.group}/v1alpha1`, schema.description, '', '* has to be set', ''];
  for (const [index, row] of fieldsOf(kind).entries()) lines.push(left[index] ?? '', `    ${row.description}`);
  return `${lines.join('\n')}\n`;
}

function typeOf(row: FieldRow): string {
  const parts = [row.type];
  if (row.allowed !== undefined) parts.push(row.allowed.join(' | '));
  if (row.format !== undefined) parts.push(row.format);
  if (row.default !== undefined) parts.push(`default ${jsonText(row.default)}`);
  return parts.join(', ');
}
