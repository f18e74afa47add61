import { asString, at, type JsonObject, objectAt, objectsOf } from '../../kube/json.ts';
import { selectorMatcher } from '../../kube/labels.ts';
import { stringMap } from '../../kube/object.ts';
import type { Subject } from '../../plan/tenant-context.ts';

/** Labels that pods have beside those of their template. */
export interface GivenLabels {
  /** keys that every pod has, with values that no manifest says */
  readonly always: ReadonlySet<string>;
  /** keys that a pod may have */
  readonly perhaps: ReadonlySet<string>;
}

/** What controllers give to each pod that they make (kubernetes.io/docs/reference/labels-annotations-taints). */
const JOB = ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'] as const;
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  'Deployment.apps': ['pod-template-hash'],
  'StatefulSet.apps': ['controller-revision-hash', 'statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index'],
  'DaemonSet.apps': ['controller-revision-hash', 'pod-template-generation'],
  'Job.batch': JOB,
  'CronJob.batch': JOB,
};
/** Of Jobs that are Indexed (KEP-4017). */
const INDEX = 'batch.kubernetes.io/job-completion-index';
/** Copied from the node when a pod is bound to it, from Kubernetes 1.35 (KEP-4742). */
const OF_NODES: ReadonlySet<string> = new Set(['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']);

export function givenLabels(workload: Subject): GivenLabels {
  const { podSpec = [] } = workload.row;
  const indexed = at(workload.object, ...podSpec.slice(0, -2), 'completionMode') === 'Indexed';
  const own = GIVEN[workload.key] ?? [];
  return { always: new Set(indexed && own === JOB ? [...own, INDEX] : own), perhaps: OF_NODES };
}

/** All pods of a template, none, or nobody can say which, for what the selector asks of `key`. */
export type Match = 'all' | 'none' | { readonly key: string };

interface Requirement {
  readonly key: string;
  readonly operator: string;
  holds(labels: ReadonlyMap<string, string>): boolean;
}

/** Which pods of a template a LabelSelector selects. The selector is read once for many. */
export function templateMatcher(selector: JsonObject): (labels: ReadonlyMap<string, string>, given: GivenLabels) => Match {
  const requirements: readonly Requirement[] = [
    ...[...stringMap(objectAt(selector, 'matchLabels'))].map(([key, value]) => ({
      key,
      operator: 'In',
      holds: selectorMatcher({ matchLabels: { [key]: value } }),
    })),
    ...objectsOf(selector['matchExpressions']).map((expression) => ({
      key: asString(expression['key']) ?? '',
      operator: asString(expression['operator']) ?? '',
      holds: selectorMatcher({ matchExpressions: [expression] }),
    })),
  ];
  return (labels, given) => {
    let open: string | undefined;
    for (const { key, operator, holds } of requirements) {
      const always = given.always.has(key);
      if (always && operator === 'Exists') continue;
      if (always && operator === 'DoesNotExist') return 'none';
      if (always || given.perhaps.has(key)) open ??= key;
      else if (!holds(labels)) return 'none';
    }
    return open === undefined ? 'all' : { key: open };
  };
}
