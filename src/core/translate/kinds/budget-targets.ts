import { at, type Json, type JsonObject, objectAt, stringAt } from '../../kube/json.ts';
import { kindKey, stringMap } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import { type GivenLabels, givenLabels, type Match, templateMatcher } from './controller-labels.ts';

/** Kinds of which a budget's pods may be; those that `scale` are asked by the disruption controller how many they want. */
const KINDS: Readonly<Record<string, { readonly scale: boolean }>> = {
  'Deployment.apps': { scale: true },
  'StatefulSet.apps': { scale: true },
  'ReplicaSet.apps': { scale: true },
  ReplicationController: { scale: true },
  Pod: { scale: true },
  'DaemonSet.apps': { scale: false },
  'Job.batch': { scale: false },
  'CronJob.batch': { scale: false },
};

/** What a budget holds on the host, as far as manifests tell. */
export interface Selected {
  readonly workloads: readonly Subject[];
  /** how many pods there are at least: an autoscaler's minimum, and none of what comes and goes */
  readonly pods: number;
  /** whether there are just so many */
  readonly exact: boolean;
  /** whether pods that a drain evicts may come on top of them */
  readonly more: boolean;
  /** the first that has no scale */
  readonly unscaled?: Subject;
  /** the first of whose pods nobody can say which are selected */
  readonly partly?: { readonly workload: Subject; readonly key: string };
}

type Count = Pick<Selected, 'pods' | 'exact' | 'more'>;

/** A workload with what is asked of it once for each budget. */
interface Target extends Count {
  readonly workload: Subject;
  readonly labels: ReadonlyMap<string, string>;
  readonly given: GivenLabels;
  readonly scale: boolean;
}

interface Index {
  readonly targets: ReadonlyMap<string, readonly Target[]>;
  /** by virtual namespace and selector: many budgets may have the same */
  readonly selected: Map<string, Selected>;
}

const INDEXES: WeakMap<TenantContext, Index> = new WeakMap();
const NOTHING: Selected = { workloads: [], pods: 0, exact: true, more: false };

/** An absent selector selects nothing, an empty one everything (policy/v1). */
export function selectedBy(budget: Subject, ctx: TenantContext): Selected {
  const selector = objectAt(budget.object, 'spec', 'selector');
  if (selector === undefined) return NOTHING;
  const index = INDEXES.get(ctx) ?? indexOf(ctx);
  INDEXES.set(ctx, index);
  const key = `${budget.virtualNamespace}|${toText(selector)}`;
  const known = index.selected.get(key);
  if (known !== undefined) return known;
  const selected = select(selector, index.targets.get(budget.virtualNamespace) ?? []);
  index.selected.set(key, selected);
  return selected;
}

function select(selector: JsonObject, targets: readonly Target[]): Selected {
  const match = templateMatcher(selector);
  const matches = targets.map((target): [Target, Match] => [target, match(target.labels, target.given)]);
  const chosen = matches.filter(([, how]) => how !== 'none').map(([target]) => target);
  const unscaled = chosen.find(({ scale }) => !scale)?.workload;
  const partly = matches.find(([, how]) => typeof how === 'object');
  return {
    workloads: chosen.map(({ workload }) => workload),
    pods: chosen.reduce((sum, { pods }) => sum + pods, 0),
    exact: chosen.every(({ exact }) => exact),
    more: chosen.some(({ more }) => more),
    ...(unscaled !== undefined && { unscaled }),
    ...(partly !== undefined && typeof partly[1] === 'object' && { partly: { workload: partly[0].workload, key: partly[1].key } }),
  };
}

function indexOf(ctx: TenantContext): Index {
  const minima = autoscalerMinima(ctx);
  const targets = new Map<string, Target[]>();
  for (const [kind, { scale }] of Object.entries(KINDS))
    for (const workload of ctx.all(kind)) {
      const { podMeta } = workload.row;
      if (podMeta === undefined || !ctx.covered(workload)) continue;
      const labels = stringMap(objectAt(workload.object, ...podMeta, 'labels'));
      const target: Target = { workload, labels, given: givenLabels(workload), scale, ...countOf(workload, minima) };
      const list = targets.get(workload.virtualNamespace);
      if (list === undefined) targets.set(workload.virtualNamespace, [target]);
      else list.push(target);
    }
  return { targets, selected: new Map() };
}

function countOf(workload: Subject, minima: ReadonlyMap<string, number>): Count {
  switch (workload.key) {
    case 'Pod':
      return { pods: 1, exact: true, more: false };
    // One on each node that it chooses, where a drain leaves it.
    case 'DaemonSet.apps':
      return { pods: 0, exact: false, more: false };
    case 'Job.batch':
    case 'CronJob.batch':
      return { pods: 0, exact: false, more: at(workload.object, 'spec', 'suspend') !== true };
    default: {
      const least = minima.get(`${workload.key}|${workload.virtualNamespace}|${workload.name}`);
      if (least !== undefined) return { pods: least, exact: false, more: true };
      return { pods: count(at(workload.object, 'spec', 'replicas')) ?? 1, exact: true, more: false };
    }
  }
}

/** By what they scale, of those that reach the host; of several for one workload the least counts. */
function autoscalerMinima(ctx: TenantContext): ReadonlyMap<string, number> {
  const minima = new Map<string, number>();
  for (const autoscaler of ctx.all('HorizontalPodAutoscaler.autoscaling')) {
    if (!ctx.covered(autoscaler)) continue;
    const target = objectAt(autoscaler.object, 'spec', 'scaleTargetRef');
    const kind = kindKey(stringAt(target, 'apiVersion') ?? '', stringAt(target, 'kind') ?? '');
    const key = `${kind}|${autoscaler.virtualNamespace}|${stringAt(target, 'name') ?? ''}`;
    const least = count(at(autoscaler.object, 'spec', 'minReplicas')) ?? 1;
    minima.set(key, Math.min(least, minima.get(key) ?? least));
  }
  return minima;
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/** Text of a selector for comparison; integers may be bigint, which JSON does not know. */
function toText(selector: JsonObject): string {
  return JSON.stringify(selector, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
