import type { DecisionNote } from '../../core/decision/decision.ts';
import { reasonOf } from '../../core/decision/reasons.ts';
import { KEY, labelValue, MANAGED_BY } from '../../core/identity/metadata.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { field } from '../../report/decision-record.ts';
import { visible } from '../../report/escape.ts';
import { MARKS } from '../../report/marks.ts';
import { columns } from '../../report/text.ts';
import type { Prediction } from './predict.ts';

export interface ExplanationFlags {
  readonly trace: boolean;
  readonly fields: boolean;
}

/** The public tool's shape first (tenantResource, hostResource, labels, annotations), then the decision, then the sentence. */
export function explanation(prediction: Prediction, flags: ExplanationFlags): JsonObject {
  const { tenant, subject, decision, undecided } = prediction;
  const there = prediction.hostName !== undefined;
  const open = there && !prediction.policyKnown;
  return {
    tenantResource: { tenantCluster: tenant.name, virtualNamespace: subject.virtualNamespace, kind: subject.kind, name: subject.name },
    hostResource: there ? { namespace: tenant.namespace, name: prediction.hostName } : null,
    ...(prediction.asLastRendered === true && { asLastRendered: true }),
    ...(there && { labels: identityLabels(prediction), annotations: identityAnnotations(prediction) }),
    decision: {
      action: decision.action,
      disposition: open ? 'Undecided' : decision.disposition,
      code: open ? UNKNOWN_CODE : `${decision.code} ${decision.reason}`,
      rules: prediction.policyKnown ? [...decision.causes] : [],
      ...(decision.rewrites.length > 0 && { rewrites: [...decision.rewrites] }),
      ...(decision.notes.length > 0 && { notes: decision.notes.map((note) => [said(note), note.remedy].join(' ').trimEnd()) }),
      ...(undecided.length > 0 && { undecided: [...undecided] }),
      ...(prediction.stopped !== undefined && { stopped: prediction.stopped }),
      ...(prediction.frozen !== undefined && { frozen: prediction.frozen }),
      ...(decision.remedy !== '' && { remedy: decision.remedy }),
    },
    ...(flags.trace && { trace: decision.trace.map((step) => ({ ...step })) }),
    ...(flags.fields && { fields: decision.fields.map((change) => field(change, decision)) }),
    reason: open ? UNKNOWN_POLICY : decision.message,
  };
}

function said({ code, reason, message }: DecisionNote): string {
  return `${code} ${reason}: ${message}`;
}

const UNKNOWN_CODE = `${reasonOf('FactMissing').code} FactMissing`;
const UNKNOWN_POLICY =
  'The names follow from the tenant alone; whether the object is projected depends on its SyncPolicy and IsolationProfile.';

function identityLabels({ tenant, subject }: Prediction): JsonObject {
  return {
    [KEY.managedBy]: MANAGED_BY,
    [KEY.tenant]: labelValue(tenant.name),
    [KEY.virtualNamespace]: labelValue(subject.virtualNamespace),
    [KEY.kind]: subject.kind.toLowerCase(),
  };
}

function identityAnnotations({ tenant, subject }: Prediction): JsonObject {
  return {
    [KEY.virtualNamespace]: subject.virtualNamespace,
    [KEY.virtualName]: subject.name,
    [KEY.tenantCluster]: `${tenant.namespace}/${tenant.name}`,
  };
}

function heldLines({ stopped, frozen }: Prediction): readonly string[] {
  return [
    ...(stopped === undefined ? [] : [`  stopped: nothing of the package is rendered. Why: ${stopped}`]),
    ...(frozen === undefined ? [] : [`  frozen: the tenant's tree stays as it last was. Why: ${frozen}`]),
  ];
}

/** The same for people. */
export function explanationText(prediction: Prediction, flags: ExplanationFlags): string {
  const { tenant, subject, decision } = prediction;
  const document = explanation(prediction, flags);
  const lines = [`${subject.kind} ${subject.virtualNamespace}/${subject.name} of tenant ${tenant.namespace}/${tenant.name}`];
  // what is refused by itself is told first: it waits for nothing
  const refused = decision.action === 'Skip' && prediction.hostName === undefined && decision.reason !== 'TenantFrozen';
  const held = heldLines(prediction);
  if (!refused) lines.push(...held);
  if (prediction.hostName === undefined) lines.push('  is not on the host');
  else {
    const what = `${subject.kind} ${tenant.namespace}/${prediction.hostName}`;
    lines.push(prediction.asLastRendered === true ? `  is ${what} on the host, and stays as last rendered` : `  becomes ${what}`);
  }
  const known = prediction.policyKnown || prediction.hostName === undefined;
  lines.push(`  ${known ? `${decision.code} ${decision.reason}` : UNKNOWN_CODE}: ${String(document['reason'])}`);
  if (decision.remedy !== '') lines.push(`  try: ${decision.remedy}`);
  for (const note of decision.notes) {
    const refuses = decision.action === 'Skip' && reasonOf(note.reason).disposition === decision.disposition;
    lines.push(`  ${refuses ? '' : `${MARKS[note.severity]} `}${said(note)}`);
    if (note.remedy !== '') lines.push(`  try: ${note.remedy}`);
  }
  if (refused) lines.push(...held);
  for (const fact of prediction.undecided) lines.push(`  not known: ${fact}`);
  if (flags.trace) {
    const rows = decision.trace.map((step): [string, string] => [
      `  ${step.outcome}`,
      `${step.rule}${step.because === undefined ? '' : ` (${step.because})`}`,
    ]);
    lines.push('checked in order', ...columns(rows));
  }
  if (flags.fields) {
    lines.push('changed on the way');
    for (const change of decision.fields.map((item) => field(item, decision))) {
      lines.push(`  ${String(change['op'])} ${String(change['pointer'])}  ${String(change['by'])}`);
    }
  }
  return `${lines.map(visible).join('\n')}\n`;
}
