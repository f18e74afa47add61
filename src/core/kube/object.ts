import { type JsonObject, objectAt, own, stringAt } from './json.ts';

/** A Kubernetes object as it was read: `apiVersion`, `kind` and `metadata` present, everything else untouched. */
export type KubeObject = JsonObject;

export function apiVersionOf(object: KubeObject): string {
  return stringAt(object, 'apiVersion') ?? '';
}

export function kindOf(object: KubeObject): string {
  return stringAt(object, 'kind') ?? '';
}

/** Whether nothing says that a document was meant as an object. */
export function isNoObject(document: JsonObject): boolean {
  return apiVersionOf(document) === '' && kindOf(document) === '' && own(document, 'metadata') === undefined;
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** `Deployment.apps`, `Service`: the kind without its version, as kubectl writes it. */
export function kindKey(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

export function nameOf(object: KubeObject): string {
  return stringAt(object, 'metadata', 'name') ?? '';
}

/** The namespace as written, or undefined. */
export function namespaceOf(object: KubeObject): string | undefined {
  return stringAt(object, 'metadata', 'namespace');
}

/** String-valued entries of a map such as labels; other values are no labels and are passed over. */
export function stringMap(object: JsonObject | undefined): Map<string, string> {
  const map = new Map<string, string>();
  if (object !== undefined) for (const [key, value] of Object.entries(object)) if (typeof value === 'string') map.set(key, value);
  return map;
}

export function labelsOf(object: KubeObject): Map<string, string> {
  return stringMap(objectAt(object, 'metadata', 'labels'));
}

export function annotationsOf(object: KubeObject): Map<string, string> {
  return stringMap(objectAt(object, 'metadata', 'annotations'));
}
