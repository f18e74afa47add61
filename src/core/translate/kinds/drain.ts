import type { Check } from '../../checks/check.ts';
import { metadataChecks } from '../../checks/metadata-checks.ts';
import { malformed } from '../../checks/shape.ts';
import { at, type Json, type JsonObject, objectAt, type Path, stringAt } from '../../kube/json.ts';
import { selectorMatcher } from '../../kube/labels.ts';
import { kindKey, stringMap } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import { shapeCheck } from './kind-checks.ts';

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
  if (minAvailable === undefined) return undefined;
  const path = ['minAvailable'];
  if (minAvailable.percent && minAvailable.value >= 100) return { why: `minAvailable is ${minAvailable.text}`, path };
  const { workloads, pods } = selectedBy(budget, ctx);
  if (pods === undefined || pods === 0) return undefined;
  // The disruption controller rounds percentages up (pkg/controller/disruption, GetScaledValueFromIntOrPercent).
  const needed = minAvailable.percent ? Math.ceil((pods * minAvailable.value) / 100) : minAvailable.value;
  if (needed < pods) return undefined;
  return { why: `minAvailable ${minAvailable.text} is all of the ${pods} pods of ${labels(workloads)}`, path };
}

interface Selected {
  readonly workloads: readonly Subject[];
  /** undefined where nobody knows how many there will be */
  readonly pods: number | undefined;
}

/** A workload with what is asked of it once for each budget. */
interface Target {
  readonly workload: Subject;
  readonly labels: ReadonlyMap<string, string>;
  readonly pods: number | undefined;
}

interface Index {
  readonly targets: ReadonlyMap<string, readonly Target[]>;
  /** by virtual namespace and selector: many budgets may have the same */
  readonly selected: Map<string, Selected>;
}

const INDEXES: WeakMap<TenantContext, Index> = new WeakMap();
const NOTHING: Selected = { workloads: [], pods: 0 };

/** An absent selector selects nothing, an empty one everything (policy/v1). */
function selectedBy(budget: Subject, ctx: TenantContext): Selected {
  const selector = objectAt(budget.object, 'spec', 'selector');
  if (selector === undefined) return NOTHING;
  const index = INDEXES.get(ctx) ?? indexOf(ctx);
  INDEXES.set(ctx, index);
  const key = `${budget.virtualNamespace}|${toText(selector)}`;
  const known = index.selected.get(key);
  if (known !== undefined) return known;
  const matches = selectorMatcher(selector);
  const targets = (index.targets.get(budget.virtualNamespace) ?? []).filter((target) => matches(target.labels));
  const selected: Selected = {
    workloads: targets.map(({ workload }) => workload),
    pods: targets.reduce<number | undefined>((sum, { pods }) => (sum === undefined || pods === undefined ? undefined : sum + pods), 0),
  };
  index.selected.set(key, selected);
  return selected;
}

function indexOf(ctx: TenantContext): Index {
  const maxima = autoscalerMaxima(ctx);
  const targets = new Map<string, Target[]>();
  for (const kind of [...COUNTED, ...UNCOUNTED])
    for (const workload of ctx.all(kind)) {
      const { podMeta } = workload.row;
      if (podMeta === undefined || !ctx.covered(workload)) continue;
      const target: Target = {
        workload,
        labels: stringMap(objectAt(workload.object, ...podMeta, 'labels')),
        pods: UNCOUNTED.some((uncounted) => uncounted === kind) ? undefined : replicasOf(workload, maxima),
      };
      const list = targets.get(workload.virtualNamespace);
      if (list === undefined) targets.set(workload.virtualNamespace, [target]);
      else list.push(target);
    }
  return { targets, selected: new Map() };
}

/** The most pods that there will be: an autoscaler's maximum, since at its minimum a drain only has to wait. */
function replicasOf(workload: Subject, maxima: ReadonlyMap<string, number>): number {
  if (workload.key === 'Pod') return 1;
  const most = maxima.get(`${workload.key}|${workload.virtualNamespace}|${workload.name}`);
  return most ?? count(at(workload.object, 'spec', 'replicas')) ?? 1;
}

/** By what they scale; of several for one workload the first counts. */
function autoscalerMaxima(ctx: TenantContext): ReadonlyMap<string, number> {
  const maxima = new Map<string, number>();
  for (const autoscaler of ctx.all('HorizontalPodAutoscaler.autoscaling')) {
    const target = objectAt(autoscaler.object, 'spec', 'scaleTargetRef');
    const kind = kindKey(stringAt(target, 'apiVersion') ?? '', stringAt(target, 'kind') ?? '');
    const key = `${kind}|${autoscaler.virtualNamespace}|${stringAt(target, 'name') ?? ''}`;
    if (!maxima.has(key)) maxima.set(key, count(at(autoscaler.object, 'spec', 'maxReplicas')) ?? 1);
  }
  return maxima;
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

const SHOWN = 5;

function labels(subjects: readonly Subject[]): string {
  const shown = subjects.slice(0, SHOWN).map(label).join(', ');
  return subjects.length <= SHOWN ? shown : `${shown} and ${subjects.length - SHOWN} more`;
}

/** Text of a selector for comparison; integers may be bigint, which JSON does not know. */
function toText(selector: JsonObject): string {
  return JSON.stringify(selector, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
