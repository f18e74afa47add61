import { jsonText } from '../report/json-text.ts';
import { REPORT_KINDS, type ReportKind } from '../report/schemas/report-kinds.ts';
import { reportDescription, reportFields, reportSchema } from '../report/schemas/report-schemas.ts';
import { columns } from '../report/text.ts';
import { CONFIG_SCHEMAS, type ConfigKind, isConfigKind, RESOURCE_SCHEMAS } from '../schema/config-kinds.ts';
import { type FieldRow, fieldsOf } from '../schema/fields.ts';
import { nearest } from '../schema/nearest.ts';
import { jsonSchema } from '../schema/openapi.ts';
import { TenantplaneError } from './errors.ts';

const KINDS = Object.keys(CONFIG_SCHEMAS).filter(isConfigKind);

export function schemaKinds(): readonly string[] {
  return [...KINDS, ...REPORT_KINDS];
}

/** The fields of one kind for people, its JSON Schema for editors, or the list of kinds. */
export function schemaText(query: string | undefined, format: 'text' | 'json'): string {
  if (query === undefined) {
    const reports = REPORT_KINDS.map((kind) => [kind, reportSchema(kind)] as const);
    if (format === 'json') return `${jsonText(Object.fromEntries([...KINDS.map((kind) => [kind, jsonSchema(kind)]), ...reports]), 2)}\n`;
    const rows = [
      ...KINDS.map((kind) => [kind, CONFIG_SCHEMAS[kind].description] as const),
      ...REPORT_KINDS.map((kind) => [kind, reportDescription(kind)] as const),
    ];
    return `${columns(rows).join('\n')}\n`;
  }
  const report = REPORT_KINDS.find((known) => known.toLowerCase() === query.toLowerCase());
  if (report !== undefined) return reportText(report, format);
  const kind = KINDS.find((known) => wordsFor(known).includes(query.toLowerCase()));
  if (kind === undefined) {
    const near = nearest(query, schemaKinds());
    throw new TenantplaneError('usage', `There is no kind ${query} of tenantplane.`, {
      hint:
        near === undefined
          ? `Its kinds are ${schemaKinds().join(', ')}.`
          : `Did you mean ${near}? Its kinds are ${schemaKinds().join(', ')}.`,
    });
  }
  return format === 'json' ? `${jsonText(jsonSchema(kind), 2)}\n` : table(kind);
}

function reportText(kind: ReportKind, format: 'text' | 'json'): string {
  const schema = reportSchema(kind);
  if (format === 'json') return `${jsonText(schema, 2)}\n`;
  const rows = columns(reportFields(schema).map(({ path, type }): [string, string] => [path, type]));
  const lines = reportFields(schema).flatMap(({ description }, index) => [
    rows[index] ?? '',
    ...(description === '' ? [] : [`    ${description}`]),
  ]);
  return `${[`${kind}   report.tenantplane.io/v1alpha1`, reportDescription(kind), '', ...lines].join('\n')}\n`;
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
