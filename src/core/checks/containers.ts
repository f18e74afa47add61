import { asArray, asString, isObject, type Json, type JsonObject, own, type Path } from '../kube/json.ts';

/** The lists of a pod spec that hold containers. Every check looks at all of them: a debug container is as powerful as any (CVE-2023-2727). */
export const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;
export type ContainerList = (typeof CONTAINER_LISTS)[number];

export interface PlacedContainer {
  readonly spec: JsonObject;
  readonly list: ContainerList;
  readonly index: number;
  /** as messages call it: its name, else its place */
  readonly name: string;
}

export function containersOf(spec: JsonObject): PlacedContainer[] {
  const placed: PlacedContainer[] = [];
  for (const list of CONTAINER_LISTS) {
    const items = asArray(own(spec, list));
    if (items === undefined) continue;
    for (let index = 0; index < items.length; index += 1) {
      const container = items[index];
      if (!isObject(container)) continue;
      const name = asString(own(container, 'name'));
      placed.push({ spec: container, list, index, name: name === undefined || name === '' ? `${list}[${index}]` : name });
    }
  }
  return placed;
}

/** The path of something in a container. */
export function inContainer(base: Path, container: PlacedContainer, ...rest: (string | number)[]): Path {
  return [...base, container.list, container.index, ...rest];
}

/** Whether a field is set: null and absent are the same to the API server. */
export function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
