import type { Decision } from '../../core/decision/decision.ts';
import { kindOf, nameOf } from '../../core/kube/object.ts';
import type { PlanPart } from './plan-part.ts';
import { stays } from './standing-copy.ts';

/** Of what stays in the tree, that its source cannot be read, or has it no more; undefined where the source is there. */
export function sourcelessWords(decision: Decision, { inputs, plan }: PlanPart): string | undefined {
  const { source } = decision;
  if (source === undefined || !stays(decision)) return undefined;
  const { path } = source.file;
  if (inputs.some(({ source: own, object }) => own.path === path && kindOf(object) === source.kind && nameOf(object) === source.name))
    return undefined;
  const unread = plan.findings.some(({ severity, source: at }) => severity === 'error' && at.path === path);
  return unread ? `its source ${path} cannot be read` : `its source ${path} has it no more`;
}
