import { apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../kube/object.ts';
import type { ObjectRef } from './boundary-report.ts';

/** Objects of the host, looked up as the API server's clients would. */
export interface LiveBoundary {
  find(key: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** of a kind in a namespace; without one, of a kind that has none */
  all(key: string, namespace?: string): readonly KubeObject[];
}

export function liveBoundary(objects: readonly KubeObject[]): LiveBoundary {
  const places = new Map<string, Map<string, KubeObject>>();
  for (const object of objects) {
    const place = placeOf(keyOf(object), namespaceOf(object));
    const names = places.get(place);
    if (names === undefined) places.set(place, new Map([[nameOf(object), object]]));
    else names.set(nameOf(object), object);
  }
  return {
    find: (key, namespace, name) => places.get(placeOf(key, namespace))?.get(name),
    all: (key, namespace) => [...(places.get(placeOf(key, namespace))?.values() ?? [])],
  };
}

function placeOf(key: string, namespace: string | undefined): string {
  return `${key}|${namespace ?? ''}`;
}

export function keyOf(object: KubeObject): string {
  return kindKey(apiVersionOf(object), kindOf(object));
}

export function refOf(object: KubeObject): ObjectRef {
  const namespace = namespaceOf(object);
  return { apiVersion: apiVersionOf(object), kind: kindOf(object), ...(namespace !== undefined && { namespace }), name: nameOf(object) };
}
