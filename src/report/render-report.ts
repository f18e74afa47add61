import type { Decision } from '../core/decision/decision.ts';
import type { ControlRow } from '../core/isolation/controls.ts';
import type { JsonObject } from '../core/kube/json.ts';
import type { Finding, Plan } from '../core/plan/plan-types.ts';
import { decisionRecord, sourceFile } from './decision-record.ts';
import { jsonText } from './json-text.ts';
import { concerns, type TreeChanges } from './render-text.ts';
import type { ReportKind } from './schemas/report-kinds.ts';
import { byCode, decisionsOf, tally } from './tally.ts';

/**
 * The whole plan as one JSON document, `RenderReport`, in pieces: a decision a line, so that a report of ten thousand
 * objects is never one string. Holds no host object, so no Secret of a `secrets.render: plain` tenant either.
 */
export function* renderReport(plan: Plan, changes: TreeChanges | undefined): Generator<string> {
  const decisions = decisionsOf(plan);
  const head: JsonObject = {
    apiVersion: 'report.tenantplane.io/v1alpha1',
    kind: 'RenderReport' satisfies ReportKind,
    stopped: plan.stopped,
    summary: { ...counted(decisions, plan.findings), byCode: Object.fromEntries(byCode(decisions)) },
    tenants: plan.tenants.map((tenant) => ({
      namespace: tenant.namespace,
      name: tenant.name,
      policy: tenant.policy,
      profile: tenant.profile,
      level: tenant.level,
      frozen: tenant.frozen ?? null,
      files: tenant.files.length,
      counts: counted(
        tenant.decisions,
        plan.findings.filter((finding) => concerns(finding, tenant)),
      ),
      controls: tenant.controls.map(controlRecord),
    })),
    changes:
      changes === undefined
        ? null
        : { added: [...changes.added], changed: [...changes.changed], removed: [...changes.removed], unchanged: changes.unchanged },
    findings: plan.findings.map(findingRecord),
  };
  yield jsonText(head, 2).replace(/\n\}$/, ',\n  "decisions": [');
  let separator = '\n    ';
  for (const decision of decisions) {
    yield separator + jsonText(decisionRecord(decision));
    separator = ',\n    ';
  }
  yield decisions.length === 0 ? ']\n}\n' : '\n  ]\n}\n';
}

/** As the text counts: what findings warn of is a warning too. */
function counted(decisions: readonly Decision[], findings: readonly Finding[]): JsonObject {
  const counts = tally(decisions);
  return { ...counts, warnings: counts.warnings + findings.filter(({ severity }) => severity === 'warning').length };
}

function controlRecord({ field, value, enforcedBy, notEnforced }: ControlRow): JsonObject {
  return { field, value, enforcedBy: [...enforcedBy], notEnforced: notEnforced === undefined ? null : { ...notEnforced } };
}

export function findingRecord(finding: Finding): JsonObject {
  return {
    code: finding.code,
    reason: finding.reason,
    severity: finding.severity,
    message: finding.message,
    remedy: finding.remedy === '' ? null : finding.remedy,
    file: sourceFile(finding.source),
    ...(finding.pointer !== undefined && { pointer: finding.pointer }),
    ...(finding.tenant !== undefined && { tenant: finding.tenant }),
  };
}
