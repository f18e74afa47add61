import type { Check } from '../../checks/check.ts';
import { metadataChecks } from '../../checks/metadata-checks.ts';
import { malformed } from '../../checks/shape.ts';
import { at, type Json, type Path } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import { type Selected, selectedBy } from './budget-targets.ts';
import { shapeCheck } from './kind-checks.ts';

const BUDGET = 'PodDisruptionBudget.policy';

export interface BudgetProblem {
  readonly why: string;
  /** below `spec` */
  readonly path: Path;
}

/** Why a node under the budget's pods could never be drained; undefined where it can be once its pods are ready. */
export function budgetProblem(budget: Subject, ctx: TenantContext): BudgetProblem | undefined {
  const problems = PROBLEMS.get(ctx) ?? tenantProblems(ctx);
  PROBLEMS.set(ctx, problems);
  return problems.has(budget) ? problems.get(budget) : valueProblem(budget, ctx);
}

/** Worked out for a tenant at once: whether a budget stands depends on which of those before it stand. */
const PROBLEMS: WeakMap<TenantContext, ReadonlyMap<Subject, BudgetProblem | undefined>> = new WeakMap();

/** What the API server refuses of a budget, whatever it selects. */
export const budgetShapeChecks: readonly Check[] = [
  shapeCheck('PodDisruptionBudget'),
  {
    id: 'poddisruptionbudget.one-amount',
    run(subject) {
      const spec = (key: string) => at(subject.object, 'spec', key) ?? undefined;
      return spec('minAvailable') !== undefined && spec('maxUnavailable') !== undefined
        ? [malformed(['spec', 'maxUnavailable'], spec('maxUnavailable'), 'left out beside minAvailable')]
        : [];
    },
  },
];

/** A budget that never reaches the host holds no pod there, so it stands in nobody's way. */
function isRival(budget: Subject, ctx: TenantContext): boolean {
  return ctx.covered(budget) && [...metadataChecks, ...budgetShapeChecks].every((check) => (check.run(budget, ctx) ?? []).length === 0);
}

/** The API evicts no pod that two budgets select, so of two only the first by name stands. */
function tenantProblems(ctx: TenantContext): ReadonlyMap<Subject, BudgetProblem | undefined> {
  const problems = new Map<Subject, BudgetProblem | undefined>();
  const guarded = new Map<Subject, Subject>();
  const budgets = ctx.all(BUDGET).filter((budget) => isRival(budget, ctx));
  for (const budget of budgets.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const problem = valueProblem(budget, ctx) ?? overlapProblem(budget, guarded, ctx);
    problems.set(budget, problem);
    if (problem === undefined) for (const workload of selectedBy(budget, ctx).workloads) guarded.set(workload, budget);
  }
  return problems;
}

function overlapProblem(budget: Subject, guarded: ReadonlyMap<Subject, Subject>, ctx: TenantContext): BudgetProblem | undefined {
  for (const workload of selectedBy(budget, ctx).workloads) {
    const other = guarded.get(workload);
    if (other !== undefined) {
      const why = `${label(other)} selects pods of ${label(workload)} too, and the API evicts no pod under two budgets`;
      return { why, path: ['selector'] };
    }
  }
  return undefined;
}

function valueProblem(budget: Subject, ctx: TenantContext): BudgetProblem | undefined {
  const maxUnavailable = amount(at(budget.object, 'spec', 'maxUnavailable'));
  if (maxUnavailable?.value === 0) return { why: `maxUnavailable is ${maxUnavailable.text}`, path: ['maxUnavailable'] };
  const minAvailable = amount(at(budget.object, 'spec', 'minAvailable'));
  if (minAvailable?.percent === true && minAvailable.value >= 100)
    return { why: `minAvailable is ${minAvailable.text}`, path: ['minAvailable'] };
  const selected = selectedBy(budget, ctx);
  return partProblem(selected) ?? shareProblem(selected, maxUnavailable, minAvailable) ?? countProblem(selected, minAvailable);
}

/** Of a workload's pods some would count, and all would be wanted. */
function partProblem({ partly }: Selected): BudgetProblem | undefined {
  if (partly === undefined) return undefined;
  const why = `its selector asks for ${partly.key}, which Kubernetes sets when pods of ${label(partly.workload)} run, so nobody can say which of them it holds`;
  return { why, path: ['selector'] };
}

/**
 * A share is of what controllers want by their scale. Where a pod's controller has none the disruption controller gives up, and
 * pods without a controller count as none; both let no pod go (pkg/controller/disruption, getExpectedScale and updatePdbStatus).
 */
function shareProblem(
  { workloads, unscaled }: Selected,
  maxUnavailable: Amount | undefined,
  minAvailable: Amount | undefined,
): BudgetProblem | undefined {
  const [field, share] =
    maxUnavailable === undefined ? (['minAvailable', minAvailable] as const) : (['maxUnavailable', maxUnavailable] as const);
  if (share === undefined || (field === 'minAvailable' && !share.percent)) return undefined;
  const said = `${field} ${share.text} is a share`;
  // A drain leaves pods of DaemonSets where they are.
  if (unscaled !== undefined && workloads.some(({ key }) => key !== 'DaemonSet.apps'))
    return { why: `${said}, and ${label(unscaled)} has no scale to take it of`, path: [field] };
  if (workloads.length > 0 && workloads.every(({ key }) => key === 'Pod'))
    return {
      why: `${said}, and ${labels(workloads)} ${workloads.length === 1 ? 'has' : 'have'} no controller to take it of`,
      path: [field],
    };
  return undefined;
}

function countProblem({ workloads, pods, exact, more }: Selected, minAvailable: Amount | undefined): BudgetProblem | undefined {
  // Whatever comes and goes is one pod at times.
  const fewest = pods === 0 && more ? 1 : pods;
  if (minAvailable === undefined || fewest === 0) return undefined;
  // The disruption controller rounds percentages up (pkg/controller/disruption, GetScaledValueFromIntOrPercent).
  const needed = minAvailable.percent ? Math.ceil((fewest * minAvailable.value) / 100) : minAvailable.value;
  if (needed < fewest) return undefined;
  const of = exact ? `of ${labels(workloads)}` : `that ${labels(workloads)} may be down to`;
  return { why: `minAvailable ${minAvailable.text} is all of the ${fewest} pods ${of}`, path: ['minAvailable'] };
}

interface Amount {
  readonly value: number;
  readonly percent: boolean;
  readonly text: string;
}

/** An integer, or a percentage as text. */
function amount(value: Json | undefined): Amount | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return { value: Number(value), percent: false, text: String(value) };
  const percent = typeof value === 'string' ? /^(\d{1,9})%$/.exec(value) : null;
  return percent === null ? undefined : { value: Number(percent[1]), percent: true, text: percent[0] };
}

function label(subject: Subject): string {
  return `${subject.row.kind} ${subject.name}`;
}

const SHOWN = 5;

function labels(subjects: readonly Subject[]): string {
  const shown = subjects.slice(0, SHOWN).map(label).join(', ');
  return subjects.length <= SHOWN ? shown : `${shown} and ${subjects.length - SHOWN} more`;
}
