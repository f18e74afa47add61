/** Every kind of document of `report.tenantplane.io` that a command prints; each has its schema in report-schemas.ts. */
export const REPORT_KINDS = [
  'AuditReport',
  'DecisionRecord',
  'DiffReport',
  'DoctorReport',
  'DownReport',
  'Error',
  'FieldReport',
  'GraphReport',
  'IsolationReport',
  'KubeconfigReport',
  'ReachMatrix',
  'ReachReport',
  'ReasonList',
  'RenderReport',
  'TreeReport',
  'UpReport',
  'ValidationReport',
  'WhatIfReport',
  'WhyNotReport',
  'WhyReport',
] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];
