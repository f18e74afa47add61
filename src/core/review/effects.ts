import { at, type Json, stringAt } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, namespaceOf } from '../kube/object.ts';
import { immutableChanges } from '../plan/immutable.ts';
import { holdsData } from '../plan/old-tree.ts';
import type { Difference } from './compare-objects.ts';
import type { Effect } from './review.ts';

const ROLLED: ReadonlySet<string> = new Set(['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps']);
const QUOTAS: ReadonlySet<string> = new Set(['ResourceQuota', 'LimitRange']);
/** set on what the appliers leave on the host when its file goes (delivery) */
const KEPT = { key: 'client.lifecycle.config.k8s.io/deletion', value: 'detach' } as const;

/** What applying one change does on the host beside writing fields. */
export function effectsOf(before: KubeObject | undefined, after: KubeObject | undefined, differences: readonly Difference[]): Effect[] {
  const object = after ?? before;
  if (object === undefined) return [];
  const effects: Effect[] = [];
  if (after === undefined) {
    const kept = annotationsOf(object).get(KEPT.key) === KEPT.value;
    effects.push(...(!kept && losesData(object) ? (['deleted', 'data-deleted'] as const) : (['deleted'] as const)));
  }
  if (before !== undefined && after !== undefined) {
    if (immutableChanges(before, after).length > 0) effects.push('recreated');
    else if (restarts(after, differences)) effects.push('restarted');
  }
  if ((namespaceOf(object) ?? '') === '') effects.push('cluster-scoped');
  if (QUOTAS.has(kindOf(object))) effects.push('quota');
  return effects;
}

/** A set leaves its claims behind; a claim, and a Namespace with all that is in it, do not come back. */
function losesData(object: KubeObject): boolean {
  return kindOf(object) === 'Namespace' || (kindOf(object) === 'PersistentVolumeClaim' && holdsData(object));
}

/** Whether a change of the pod template makes the controller replace running pods now. */
function restarts(object: KubeObject, differences: readonly Difference[]): boolean {
  const key = kindKey(apiVersionOf(object), kindOf(object));
  if (!ROLLED.has(key) || at(object, 'spec', 'paused') === true || stringAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete')
    return false;
  const replicas: Json | undefined = at(object, 'spec', 'replicas');
  if (replicas === 0) return false;
  const template = kindRow(key)?.podSpec?.slice(0, -1) ?? [];
  return differences.some(({ path }) => template.every((step, index) => path[index] === step));
}
