/** What of a kind its URL and its objects need; from discovery, or written down where the kind is known. */
export interface Resource {
  /** empty for the core group */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export interface Place {
  readonly namespace?: string;
  readonly name?: string;
  /** `status`, `scale` … */
  readonly subresource?: string;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a resource, each part encoded and in the case that it has: names of RBAC objects hold capitals. */
export function resourcePath(resource: Resource, place: Place = {}, query: Query = {}): string {
  const { namespace, name, subresource } = place;
  const parts = [
    ...(resource.group === '' ? ['api', resource.version] : ['apis', resource.group, resource.version]),
    ...(resource.namespaced && namespace !== undefined ? ['namespaces', namespace] : []),
    resource.plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.map(segment).join('/')}${queryText(query)}`;
}

/** @throws TypeError for what would lead to another path: no name of Kubernetes is such */
function segment(part: string): string {
  if (part === '' || part === '.' || part === '..') throw new TypeError(`${JSON.stringify(part)} is no part of a path`);
  return encodeURIComponent(part);
}

export function queryText(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${given.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`;
}
