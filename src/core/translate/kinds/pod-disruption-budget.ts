import type { Check } from '../../checks/check.ts';
import { malformed } from '../../checks/shape.ts';
import { at } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { scopeSelector } from '../selectors.ts';
import type { KindTranslation } from '../translation.ts';
import { budgetProblem } from './drain.ts';
import { shapeCheck } from './kind-checks.ts';

const checks: readonly Check[] = [
  shapeCheck('PodDisruptionBudget'),
  {
    id: 'poddisruptionbudget.drain',
    run(subject, ctx) {
      const spec = (key: string) => at(subject.object, 'spec', key) ?? undefined;
      if (spec('minAvailable') !== undefined && spec('maxUnavailable') !== undefined)
        return [malformed(['spec', 'maxUnavailable'], spec('maxUnavailable'), 'left out beside minAvailable')];
      const problem = budgetProblem(subject, ctx);
      return problem === undefined ? [] : [{ reason: 'DrainBlocked', params: { why: problem.why }, path: ['spec', ...problem.path] }];
    },
  },
];

/**
 * A pod that is not ready would otherwise hold a node for ever, since it counts against its own budget (KEP-3017). A budget is
 * for disruptions of healthy pods.
 */
function allowUnhealthyEviction(edit: Edit): void {
  edit.set(['spec', 'unhealthyPodEvictionPolicy'], 'AlwaysAllow', 'rw.disruption');
}

function scope(edit: Edit, subject: Subject, ctx: TenantContext): void {
  scopeSelector(edit, ['spec', 'selector'], ctx, subject.virtualNamespace);
}

export const podDisruptionBudget: KindTranslation = {
  key: 'PodDisruptionBudget.policy',
  checks,
  steps: [scope, allowUnhealthyEviction],
};
