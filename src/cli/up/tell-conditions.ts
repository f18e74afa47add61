import { CONDITIONS, type ConditionRow } from '../../core/controlplane/lifecycle/condition-reasons.ts';
import { at, objectsOf, stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import { visible } from '../../report/escape.ts';

const ROWS: Readonly<Record<string, ConditionRow>> = CONDITIONS;

/** Every condition of a tenant that is not as it is wanted, each with what its reason says to do. */
export function tellConditions(tenant: KubeObject): readonly string[] {
  const lines = objectsOf(at(tenant, 'status', 'conditions')).flatMap((condition) => {
    const [type = '', status = '', reason = '', message = ''] = ['type', 'status', 'reason', 'message'].map((field) =>
      stringAt(condition, field),
    );
    const row = Object.hasOwn(ROWS, type) ? ROWS[type] : undefined;
    if (row === undefined || (row.polarity === 'normal' ? status === 'True' : status !== 'True')) return [];
    const remedy = Object.hasOwn(row.reasons, reason) ? row.reasons[reason]?.remedy : undefined;
    const words = `  ${type} is ${status} (${reason})${message === '' ? '' : `: ${message}`}`;
    return [visible(words), ...(remedy === undefined ? [] : [`    try: ${remedy}`])];
  });
  return lines.length > 0 ? lines : ['  the reconciler has said nothing of it yet: kubectl get lease -n tenantplane-system says who leads'];
}
