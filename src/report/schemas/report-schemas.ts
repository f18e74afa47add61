import { isObject, type JsonObject } from '../../core/kube/json.ts';
import { AUDIT_REPORT } from './audit-report.ts';
import { DECISION_RECORD } from './decision-record.ts';
import { DIFF_REPORT, WHAT_IF_REPORT } from './diff-report.ts';
import { DOCTOR_REPORT } from './doctor-report.ts';
import { DOWN_REPORT, KUBECONFIG_REPORT, UP_REPORT } from './host-reports.ts';
import { REACH_MATRIX, REACH_REPORT } from './reach-report.ts';
import { RENDER_REPORT } from './render-report.ts';
import type { ReportKind } from './report-kinds.ts';
import { named } from './schema-words.ts';
import { ERROR, REASON_LIST } from './small-reports.ts';
import { GRAPH_REPORT, ISOLATION_REPORT, TREE_REPORT } from './tenant-reports.ts';
import { VALIDATION_REPORT } from './validation-report.ts';
import { FIELD_REPORT, WHY_NOT_REPORT, WHY_REPORT } from './why-report.ts';

/** A kind of report publishes its schema by a row here and its name in report-kinds.ts. */
const REPORTS: Readonly<Record<ReportKind, JsonObject>> = {
  AuditReport: AUDIT_REPORT,
  DecisionRecord: DECISION_RECORD,
  DiffReport: DIFF_REPORT,
  DoctorReport: DOCTOR_REPORT,
  DownReport: DOWN_REPORT,
  Error: ERROR,
  FieldReport: FIELD_REPORT,
  GraphReport: GRAPH_REPORT,
  IsolationReport: ISOLATION_REPORT,
  KubeconfigReport: KUBECONFIG_REPORT,
  ReachMatrix: REACH_MATRIX,
  ReachReport: REACH_REPORT,
  ReasonList: REASON_LIST,
  RenderReport: RENDER_REPORT,
  TreeReport: TREE_REPORT,
  UpReport: UP_REPORT,
  ValidationReport: VALIDATION_REPORT,
  WhatIfReport: WHAT_IF_REPORT,
  WhyNotReport: WHY_NOT_REPORT,
  WhyReport: WHY_REPORT,
};

export function reportDescription(kind: ReportKind): string {
  const description = REPORTS[kind]['description'];
  return typeof description === 'string' ? description : '';
}

/** JSON Schema 2020-12 of the document that `-o json` prints. */
export function reportSchema(kind: ReportKind): JsonObject {
  const schema = REPORTS[kind];
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: kind, ...named(schema, kind) };
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
