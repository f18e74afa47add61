import { at, type JsonObject, objectsOf, stringAt } from '../../kube/json.ts';
import { type KubeObject, nameOf } from '../../kube/object.ts';
import { SERVER_CONTAINER } from '../names.ts';
import { type Found, found } from './condition-reasons.ts';
import { knownTime } from './known-time.ts';
import type { LifecycleObservation } from './observation.ts';

/** Milliseconds after which a StatefulSet without pods is one whose pods are refused: its controller makes them within a second. */
export const POD_GRACE = 30_000;

/** How the tenant's servers are, from what Kubernetes says of their pods, and from the tenant's API itself. */
export function serversFound(o: Pick<LifecycleObservation, 'live' | 'api' | 'now' | 'tenantCluster'>): Found {
  const { live, api, now } = o;
  const { statefulSet, pods } = live;
  if (statefulSet === undefined) return found('ControlPlaneReady', 'NotStarted', 'No server was started yet.');
  const replicas = replicasOf(statefulSet);
  const ready = pods.filter(isReady);
  // with etcd a majority is what answers; with one server it is that one
  if (ready.length > replicas / 2) {
    if (api.kind === 'answers')
      return found('ControlPlaneReady', 'Available', `${ready.length} of ${replicas} servers are ready; Kubernetes ${api.version}.`);
    if (api.kind === 'failed')
      return found('ControlPlaneReady', 'Unreachable', `${ready.length} of ${replicas} servers are ready, but ${api.why}`);
  }
  const problem = podsProblem(o);
  if (problem !== undefined) return problem;
  if (pods.length === 0 && now - unreadySince(o) > POD_GRACE) {
    const message = `The StatefulSet ${nameOf(statefulSet)} has made no pod: kubectl describe it, its events say why.`;
    return found('ControlPlaneReady', 'PodRefused', message);
  }
  return found('ControlPlaneReady', 'Starting', `${ready.length} of ${replicas} servers are ready.`);
}

export function replicasOf(statefulSet: KubeObject): number {
  return Number(at(statefulSet, 'spec', 'replicas') ?? 1);
}

export function isReady(pod: KubeObject): boolean {
  const going = at(pod, 'metadata', 'deletionTimestamp') !== undefined;
  return !going && objectsOf(at(pod, 'status', 'conditions')).some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** When the server of a pod last began, in milliseconds since 1970; NaN where it does not run. */
export function runningSince(pod: KubeObject): number {
  const server = objectsOf(at(pod, 'status', 'containerStatuses')).find(({ name }) => name === SERVER_CONTAINER);
  return Date.parse(stringAt(server, 'state', 'running', 'startedAt') ?? '');
}

/** Whether all servers are of the template as it is now, and ready. */
export function hasRolledOut(statefulSet: KubeObject | undefined): boolean {
  if (statefulSet === undefined) return false;
  const replicas = replicasOf(statefulSet);
  const status = (field: string): unknown => at(statefulSet, 'status', field);
  return (
    at(statefulSet, 'metadata', 'generation') === status('observedGeneration') &&
    status('currentRevision') === status('updateRevision') &&
    status('updatedReplicas') === replicas &&
    status('readyReplicas') === replicas &&
    status('availableReplicas') === replicas
  );
}

/**
 * Whether a server is ready, and not yet for as long as it takes to count as available (`minReadySeconds`). Pods that do not count are replaced
 * at once when their set changes, however many they are: members of an etcd would all go together.
 */
export function isSettling(statefulSet: KubeObject | undefined): boolean {
  const count = (field: string): number => Number(at(statefulSet, 'status', field) ?? 0);
  return count('readyReplicas') > count('availableReplicas');
}

/**
 * Since when no server is ready, in milliseconds since 1970: a StatefulSet is without pods for a moment whenever its only one is replaced. As its
 * condition says, which nothing but this pass may have to change yet; before there is one, since the StatefulSet was made.
 */
export function unreadySince({ live, now, tenantCluster }: Pick<LifecycleObservation, 'live' | 'now' | 'tenantCluster'>): number {
  const told = objectsOf(at(tenantCluster, 'status', 'conditions')).find(({ type }) => type === 'ControlPlaneReady');
  if (told?.['status'] === 'True') return now;
  const times = [stringAt(live.statefulSet, 'metadata', 'creationTimestamp'), stringAt(told, 'lastTransitionTime')];
  return Math.max(...times.map((time) => knownTime(time, now)).filter((time) => time !== undefined));
}

/** What a container that waits says, by the condition's reason. */
const WAITING = {
  ImagePullFailing: [
    'ErrImagePull',
    'ImagePullBackOff',
    'InvalidImageName',
    'ErrImageNeverPull',
    'ImageInspectError',
    'RegistryUnavailable',
  ],
  Crashing: ['CrashLoopBackOff', 'CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'StartError'],
} as const;

/** Milliseconds since 1970; NaN of what says none. */
export function createdAt(object: KubeObject): number {
  return Date.parse(stringAt(object, 'metadata', 'creationTimestamp') ?? '');
}

/** What is wrong with the first pod that something is wrong with, whether or not enough others are ready. */
export function podsProblem({ live, now }: Pick<LifecycleObservation, 'live' | 'now'>): Found | undefined {
  return live.pods.flatMap((pod) => podProblem(pod, now) ?? [])[0];
}

function podProblem(pod: KubeObject, now: number): Found | undefined {
  const scheduled = objectsOf(at(pod, 'status', 'conditions')).find(({ type }) => type === 'PodScheduled');
  // a volume is bound and a node found within seconds: before that it is no news that there is none yet
  if (scheduled?.['status'] === 'False' && !(now - createdAt(pod) < POD_GRACE)) {
    const why = stringAt(scheduled, 'message') ?? stringAt(scheduled, 'reason') ?? '';
    return found('ControlPlaneReady', 'PodUnschedulable', `No node takes ${nameOf(pod)}: ${why}`);
  }
  const containers = [...objectsOf(at(pod, 'status', 'initContainerStatuses')), ...objectsOf(at(pod, 'status', 'containerStatuses'))];
  for (const container of containers) {
    const waiting = stringAt(container, 'state', 'waiting', 'reason');
    if (waiting === undefined) continue;
    for (const reason of ['ImagePullFailing', 'Crashing'] as const) {
      if (!(WAITING[reason] as readonly string[]).includes(waiting)) continue;
      const said = [stringAt(container, 'state', 'waiting', 'message') ?? '', ...lastWords(container)].join(' ');
      return found(
        'ControlPlaneReady',
        reason,
        `${nameOf(pod)}, container ${stringAt(container, 'name') ?? ''}: ${waiting}. ${said}`.trim(),
      );
    }
  }
  return undefined;
}

/** The last line that a container wrote before it ended, as far as its pod lets that be told (`terminationMessagePolicy`). */
function lastWords(container: JsonObject): readonly string[] {
  const lines = (stringAt(container, 'lastState', 'terminated', 'message') ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-1).map((line) => `It said last: ${line.slice(-LONGEST_WORDS)}`);
}

/** A condition is read in a terminal. */
const LONGEST_WORDS = 400;
