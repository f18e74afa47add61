import { isObject, type JsonObject } from '../../core/kube/json.ts';
import { AUDIT_REPORT } from './audit-report.ts';
import { DIFF_REPORT } from './diff-report.ts';
import { DOCTOR_REPORT } from './doctor-report.ts';
import { VALIDATION_REPORT } from './validation-report.ts';

/** A kind of report publishes its schema by a row. */
const REPORTS: Readonly<Record<string, JsonObject>> = {
  AuditReport: AUDIT_REPORT,
  DiffReport: DIFF_REPORT,
  DoctorReport: DOCTOR_REPORT,
  ValidationReport: VALIDATION_REPORT,
};

export const REPORT_KINDS: readonly string[] = Object.keys(REPORTS);

export function reportDescription(kind: string): string {
  const description = REPORTS[kind]?.['description'];
  return typeof description === 'string' ? description : '';
}

/** JSON Schema 2020-12 of the document that `-o json` prints. */
export function reportSchema(kind: string): JsonObject | undefined {
  const schema = REPORTS[kind];
  if (schema === undefined) return undefined;
  const { properties, required } = schema;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    ...schema,
    required: ['apiVersion', 'kind', ...(Array.isArray(required) ? required : [])],
    properties: {
      apiVersion: { const: 'report.tenantplane.io/v1alpha1' },
      kind: { const: kind },
      ...(isObject(properties) ? properties : {}),
    },
  };
}

/** Each field with its type and what it is, in the order in which it is printed. */
export function reportFields(
  schema: JsonObject,
  path = '',
): readonly { readonly path: string; readonly type: string; readonly description: string }[] {
  const { properties, items } = schema;
  if (isObject(items)) return reportFields(items, `${path}[]`);
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    if (!isObject(field)) return [];
    const at = path === '' ? name : `${path}.${name}`;
    return [
      { path: at, type: typeOf(field), description: typeof field['description'] === 'string' ? field['description'] : '' },
      ...reportFields(field, at),
    ];
  });
}

function typeOf({ type, enum: words, const: constant }: JsonObject): string {
  if (typeof constant === 'string') return constant;
  if (Array.isArray(words)) return words.join(' | ');
  return Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
}
