import type { Check } from '../../checks/check.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { scopeSelector } from '../selectors.ts';
import type { KindTranslation } from '../translation.ts';
import { budgetProblem, budgetShapeChecks } from './drain.ts';

const checks: readonly Check[] = [
  ...budgetShapeChecks,
  {
    id: 'poddisruptionbudget.drain',
    run(subject, ctx) {
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
