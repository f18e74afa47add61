import { at, type Json, objectAt, type Path, stringAt } from '../../kube/json.ts';
import { matchesSelector } from '../../kube/labels.ts';
import { kindKey, stringMap } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';

const BUDGET = 'PodDisruptionBudget.policy';
/** Kinds whose number of pods a manifest states. */
const COUNTED = ['Deployment.apps', 'StatefulSet.apps', 'ReplicaSet.apps', 'ReplicationController', 'Pod'] as const;
/** Kinds whose pods a budget may select without anyone knowing how many there will be. */
const UNCOUNTED = ['DaemonSet.apps', 'Job.batch', 'CronJob.batch'] as const;

export interface BudgetProblem {
  readonly why: string;
  /** below `spec` */
  readonly path: Path;
}

/** Why a node under the budget's pods could never be drained; undefined where it can be, or where nobody can tell offline. */
export function budgetProblem(budget: Subject, ctx: TenantContext): BudgetProblem | undefined {
  const problems = PROBLEMS.get(ctx) ?? tenantProblems(ctx);
  PROBLEMS.set(ctx, problems);
  return problems.has(budget) ? problems.get(budget) : valueProblem(budget, ctx);
}

/** Worked out for a tenant at once: whether a budget stands depends on which of those before it stand. */
const PROBLEMS: WeakMap<TenantContext, ReadonlyMap<Subject, BudgetProblem | undefined>> = new WeakMap();

/** The API evicts no pod that two budgets select, so of two only the first by name stands. */
function tenantProblems(ctx: TenantContext): ReadonlyMap<Subject, BudgetProblem | undefined> {
  const problems = new Map<Subject, BudgetProblem | undefined>();
  const guarded = new Map<Subject, Subject>();
  const budgets = ctx.all(BUDGET).filter((budget) => ctx.covered(budget));
  for (const budget of budgets.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const workloads = selectedWorkloads(budget, ctx);
    const problem = valueProblem(budget, ctx) ?? overlapProblem(workloads, guarded);
    problems.set(budget, problem);
    if (problem === undefined) for (const workload of workloads) guarded.set(workload, budget);
  }
  return problems;
}

function overlapProblem(workloads: readonly Subject[], guarded: ReadonlyMap<Subject, Subject>): BudgetProblem | undefined {
  for (const workload of workloads) {
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
  if (minAvailable === undefined) return undefined;
  const path = ['minAvailable'];
  if (minAvailable.percent && minAvailable.value >= 100) return { why: `minAvailable is ${minAvailable.text}`, path };
  const workloads = selectedWorkloads(budget, ctx);
  if (workloads.length === 0 || workloads.some(({ key }) => UNCOUNTED.some((uncounted) => uncounted === key))) return undefined;
  const pods = workloads.reduce((sum, workload) => sum + replicasOf(workload, ctx), 0);
  // The disruption controller rounds percentages up (pkg/controller/disruption, GetScaledValueFromIntOrPercent).
  const needed = minAvailable.percent ? Math.ceil((pods * minAvailable.value) / 100) : minAvailable.value;
  if (pods === 0 || needed < pods) return undefined;
  return { why: `minAvailable ${minAvailable.text} is all of the ${pods} pods of ${workloads.map(label).join(', ')}`, path };
}

function selectedWorkloads(budget: Subject, ctx: TenantContext): Subject[] {
  return [...COUNTED, ...UNCOUNTED].flatMap((kind) =>
    ctx
      .all(kind)
      .filter((workload) => workload.virtualNamespace === budget.virtualNamespace && ctx.covered(workload) && selects(budget, workload)),
  );
}

/** An absent selector selects nothing, an empty one everything (policy/v1). */
function selects(budget: Subject, workload: Subject): boolean {
  const selector = objectAt(budget.object, 'spec', 'selector');
  const { podMeta } = workload.row;
  if (selector === undefined || podMeta === undefined) return false;
  return matchesSelector(selector, stringMap(objectAt(workload.object, ...podMeta, 'labels')));
}

/** The most pods that there will be: an autoscaler's maximum, since at its minimum a drain only has to wait. */
function replicasOf(workload: Subject, ctx: TenantContext): number {
  if (workload.key === 'Pod') return 1;
  for (const autoscaler of ctx.all('HorizontalPodAutoscaler.autoscaling')) {
    if (autoscaler.virtualNamespace !== workload.virtualNamespace) continue;
    const target = objectAt(autoscaler.object, 'spec', 'scaleTargetRef');
    if (stringAt(target, 'name') !== workload.name) continue;
    if (kindKey(stringAt(target, 'apiVersion') ?? '', stringAt(target, 'kind') ?? '') !== workload.key) continue;
    return count(at(autoscaler.object, 'spec', 'maxReplicas')) ?? 1;
  }
  return count(at(workload.object, 'spec', 'replicas')) ?? 1;
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/** An integer, or a percentage as text. */
function amount(value: Json | undefined): { value: number; percent: boolean; text: string } | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return { value: Number(value), percent: false, text: String(value) };
  const percent = typeof value === 'string' ? /^(\d{1,9})%$/.exec(value) : null;
  return percent === null ? undefined : { value: Number(percent[1]), percent: true, text: percent[0] };
}

function label(subject: Subject): string {
  return `${subject.row.kind} ${subject.name}`;
}
