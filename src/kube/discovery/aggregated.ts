import { asString, at, type Json, type JsonObject, objectsOf, stringAt } from '../../core/kube/json.ts';
import type { Discovered, DiscoveredResource } from './discovered.ts';

/** Everything in one answer (KEP-3352), served from 1.27 on; the last is what older servers have. */
export const AGGREGATED: string = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',');

export function isAggregated(answer: JsonObject): boolean {
  return answer['kind'] === 'APIGroupDiscoveryList';
}

export function readAggregated(answer: JsonObject): Discovered {
  const resources: DiscoveredResource[] = [];
  const apiVersions: string[] = [];
  const unknown: string[] = [];
  for (const item of objectsOf(answer['items'])) {
    const group = stringAt(item, 'metadata', 'name') ?? '';
    for (const served of objectsOf(item['versions'])) {
      const version = stringAt(served, 'version') ?? '';
      const apiVersion = group === '' ? version : `${group}/${version}`;
      apiVersions.push(apiVersion);
      // Stale: the server behind it does not answer, and what is here is of its better days
      if (served['freshness'] === 'Stale') unknown.push(apiVersion);
      for (const resource of objectsOf(served['resources'])) {
        const plural = stringAt(resource, 'resource') ?? '';
        const kind = stringAt(resource, 'responseKind', 'kind') ?? '';
        if (plural === '' || kind === '') continue;
        resources.push({
          group,
          version,
          kind,
          plural,
          namespaced: resource['scope'] === 'Namespaced',
          verbs: new Set(strings(resource['verbs'])),
          shortNames: strings(resource['shortNames']),
          singular: stringAt(resource, 'singularResource') ?? '',
          subresources: new Set(objectsOf(resource['subresources']).flatMap((sub) => asString(at(sub, 'subresource')) ?? [])),
        });
      }
    }
  }
  return { resources, apiVersions, unknown };
}

export function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
