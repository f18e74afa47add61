import { asString, at, type Json, type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import { apiVersionOf, type KubeObject, kindKey, kindOf } from '../kube/object.ts';
import { type Amount, amountOf, parseQuantity } from '../kube/quantity.ts';
import type { ContainerLimits } from '../plan/settings.ts';
import { effectiveLimits } from './limit-problems.ts';

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;
/** A Deployment keeps so many old ReplicaSets unless it says otherwise, and has two more while it rolls. */
const REVISIONS = 10;
const ROLLING = 2;

/**
 * What the objects of a tenant's namespace come to, by quota resource name. Pods are counted as declared: an autoscaler's
 * maximum, no surge of a roll-out, one for a DaemonSet, whose nodes a render does not know.
 */
export function quotaUse(hostObjects: readonly KubeObject[], limits: ContainerLimits, ownPolicies: number): ReadonlyMap<string, Amount> {
  const use = new Map<string, Amount>();
  const add = (resource: string, amount: Amount) => use.set(resource, (use.get(resource) ?? 0n) + amount);
  const defaults = effectiveLimits(limits);
  const maxima = autoscaledReplicas(hostObjects);
  for (const object of hostObjects) {
    const key = kindKey(apiVersionOf(object), kindOf(object));
    for (const [resource, units] of countsOf(key, object)) add(resource, amountOf(units));
    const pods = amountOf(maxima.get(`${kindOf(object)}/${asString(at(object, 'metadata', 'name'))}`) ?? podsOf(key, object));
    if (pods > 0n) {
      add('pods', pods);
      add('count/pods', pods);
      const podSpec = objectAt(object, ...(kindRow(key)?.podSpec ?? []));
      for (const [resource, amount] of podUse(podSpec ?? {}, defaults)) add(resource, times(amount, pods));
    }
    for (const [claim, amount] of claimsOf(key, object)) {
      add('persistentvolumeclaims', claim);
      add('requests.storage', amount);
    }
  }
  if (ownPolicies > 0) add('count/networkpolicies.networking.k8s.io', amountOf(ownPolicies));
  return use;
}

function times(amount: Amount, units: Amount): Amount {
  return (amount * units) / amountOf(1);
}

function whole(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

/** Object counts, those that controllers make included. */
function countsOf(key: string, object: KubeObject): (readonly [string, number])[] {
  const row = kindRow(key);
  const counts: (readonly [string, number])[] = [];
  if (row !== undefined) counts.push([row.group === '' ? `count/${row.plural}` : `count/${row.plural}.${row.group}`, 1]);
  if (key === 'Deployment.apps')
    counts.push(['count/replicasets.apps', whole(at(object, 'spec', 'revisionHistoryLimit'), REVISIONS) + ROLLING]);
  if (key === 'CronJob.batch') {
    const kept = whole(at(object, 'spec', 'successfulJobsHistoryLimit'), 3) + whole(at(object, 'spec', 'failedJobsHistoryLimit'), 1);
    counts.push(['count/jobs.batch', kept + 1]);
  }
  if (key === 'Service') {
    const type = at(object, 'spec', 'type');
    const ports = objectsOf(at(object, 'spec', 'ports')).length;
    if (type !== 'ExternalName') counts.push(['count/endpointslices.discovery.k8s.io', 1]);
    if (type === 'LoadBalancer') counts.push(['services.loadbalancers', 1]);
    const takesNodePorts =
      type === 'NodePort' || (type === 'LoadBalancer' && at(object, 'spec', 'allocateLoadBalancerNodePorts') !== false);
    if (takesNodePorts) counts.push(['services.nodeports', ports]);
  }
  return counts;
}

/** How many pods an object declares at a time. */
const PODS: Readonly<Record<string, (object: KubeObject) => number>> = {
  Pod: () => 1,
  'DaemonSet.apps': () => 1,
  'Deployment.apps': (object) => whole(at(object, 'spec', 'replicas'), 1),
  'StatefulSet.apps': (object) => whole(at(object, 'spec', 'replicas'), 1),
  'ReplicaSet.apps': (object) => whole(at(object, 'spec', 'replicas'), 1),
  ReplicationController: (object) => whole(at(object, 'spec', 'replicas'), 1),
  'Job.batch': (object) => whole(at(object, 'spec', 'parallelism'), 1),
  'CronJob.batch': (object) => whole(at(object, 'spec', 'jobTemplate', 'spec', 'parallelism'), 1),
};

function podsOf(key: string, object: KubeObject): number {
  return PODS[key]?.(object) ?? 0;
}

/** `Deployment/name` to the most replicas that an autoscaler may ask for. */
function autoscaledReplicas(hostObjects: readonly KubeObject[]): Map<string, number> {
  const maxima = new Map<string, number>();
  for (const object of hostObjects) {
    if (kindOf(object) !== 'HorizontalPodAutoscaler') continue;
    const target = objectAt(object, 'spec', 'scaleTargetRef');
    maxima.set(`${asString(target?.['kind'])}/${asString(target?.['name'])}`, whole(at(object, 'spec', 'maxReplicas'), 1));
  }
  return maxima;
}

/** Claims with their storage; a StatefulSet makes one of each template for each replica. */
function claimsOf(key: string, object: KubeObject): (readonly [Amount, Amount])[] {
  const storage = (claim: JsonObject): Amount => parseQuantity(at(claim, 'spec', 'resources', 'requests', 'storage')) ?? 0n;
  if (key === 'PersistentVolumeClaim') return [[amountOf(1), storage(object)]];
  if (key !== 'StatefulSet.apps') return [];
  const replicas = amountOf(podsOf(key, object));
  return objectsOf(at(object, 'spec', 'volumeClaimTemplates')).map((claim) => [replicas, times(storage(claim), replicas)]);
}

/**
 * What quota charges a pod: the sum of its containers and sidecars, or the largest init container where that is more (with the
 * sidecars that already run), as the scheduler counts (KEP-753).
 */
export function podUse(podSpec: JsonObject, defaults: ContainerLimits): (readonly [string, Amount])[] {
  return (['requests', 'limits'] as const).flatMap((part) =>
    RESOURCES.map((resource) => {
      const charge = (container: JsonObject) => containerUse(container, part, resource, defaults);
      let running = 0n;
      let peak = 0n;
      for (const container of objectsOf(podSpec['initContainers'])) {
        const amount = charge(container);
        if (container['restartPolicy'] === 'Always') running += amount;
        const now = container['restartPolicy'] === 'Always' ? running : running + amount;
        if (now > peak) peak = now;
      }
      for (const container of objectsOf(podSpec['containers'])) running += charge(container);
      return [`${part}.${resource}`, running > peak ? running : peak] as const;
    }),
  );
}

/** Unset: the API server takes the limit for the request, and the LimitRange supplies what is left. */
function containerUse(container: JsonObject, part: 'requests' | 'limits', resource: string, defaults: ContainerLimits): Amount {
  const written = (of: string): Amount | undefined => parseQuantity(at(container, 'resources', of, resource));
  if (part === 'limits') return written('limits') ?? parseQuantity(defaults.default[resource]) ?? 0n;
  return written('requests') ?? written('limits') ?? parseQuantity(defaults.defaultRequest[resource]) ?? 0n;
}
