import { at, type Json, type JsonObject, objectAt, objectsOf, type Path, stringAt } from '../../src/core/kube/json.ts';
import { kindRow } from '../../src/core/kube/kinds.ts';
import { annotationsOf, apiVersionOf, kindKey, kindOf, nameOf, namespaceOf, stringMap } from '../../src/core/kube/object.ts';

/** A pod as its controller would make it, with the object that holds its template. */
export interface HostPod {
  readonly owner: JsonObject;
  readonly ownerKey: string;
  readonly namespace: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly spec: JsonObject;
  /** where the pod spec stands in the owner */
  readonly path: Path;
  /** pods of this template that run at once */
  readonly count: number;
}

/** Host objects, looked up as the API server's clients would. */
export interface HostTree {
  readonly objects: readonly JsonObject[];
  readonly pods: readonly HostPod[];
  find(key: string, namespace: string, name: string): JsonObject | undefined;
  all(key: string): readonly JsonObject[];
}

export function keyOf(object: JsonObject): string {
  return kindKey(apiVersionOf(object), kindOf(object));
}

export function hostTree(objects: readonly JsonObject[]): HostTree {
  const byKey = new Map<string, JsonObject[]>();
  const byName = new Map<string, JsonObject>();
  for (const object of objects) {
    byKey.set(keyOf(object), [...(byKey.get(keyOf(object)) ?? []), object]);
    byName.set(`${keyOf(object)}|${namespaceOf(object) ?? ''}|${nameOf(object)}`, object);
  }
  return {
    objects,
    pods: objects.flatMap((object) => podsOf(object)),
    find: (key, namespace, name) => byName.get(`${key}|${namespace}|${name}`),
    all: (key) => byKey.get(key) ?? [],
  };
}

function podsOf(object: JsonObject): HostPod[] {
  const row = kindRow(keyOf(object));
  const spec = row?.podSpec === undefined ? undefined : objectAt(object, ...row.podSpec);
  if (row?.podSpec === undefined || row.podMeta === undefined || spec === undefined) return [];
  return [
    {
      owner: object,
      ownerKey: keyOf(object),
      namespace: namespaceOf(object) ?? '',
      labels: withControllerLabels(object, stringMap(objectAt(object, ...row.podMeta, 'labels'))),
      spec,
      path: row.podSpec,
      count: countOf(object),
    },
  ];
}

/** Labels that the Job and StatefulSet controllers add to each pod (the StatefulSet's as for pod 0). */
function withControllerLabels(object: JsonObject, labels: Map<string, string>): Map<string, string> {
  if (kindOf(object) === 'Job') labels.set('job-name', nameOf(object)).set('batch.kubernetes.io/job-name', nameOf(object));
  if (kindOf(object) === 'StatefulSet') labels.set('statefulset.kubernetes.io/pod-name', `${nameOf(object)}-0`);
  return labels;
}

function countOf(object: JsonObject): number {
  for (const field of ['replicas', 'parallelism'] as const) {
    const count = at(object, 'spec', field);
    if (typeof count === 'number') return count;
  }
  return 1;
}

export function containersOf(spec: JsonObject): { container: JsonObject; path: Path }[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsOf(spec[list]).map((container, index) => ({ container, path: [list, index] as Path })),
  );
}

/** The name that the tenant gave the object, and its virtual namespace; undefined for an object of the platform. */
export function virtualNameOf(object: JsonObject): { name: string; namespace: string } | undefined {
  const annotations = annotationsOf(object);
  const name = annotations.get('tenantplane.io/virtual-name');
  const namespace = annotations.get('tenantplane.io/virtual-namespace');
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

export function describe(object: JsonObject): string {
  return `${keyOf(object)} ${namespaceOf(object) ?? ''}/${nameOf(object)}`;
}

export function textAt(root: Json | undefined, ...path: (string | number)[]): string {
  return stringAt(root, ...path) ?? '';
}
