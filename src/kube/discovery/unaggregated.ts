import { type JsonObject, objectAt, objectsOf, stringAt } from '../../core/kube/json.ts';
import type { Result } from '../failure.ts';
import { sendJson } from '../transport/send-json.ts';
import type { Transport } from '../transport/transport.ts';
import { strings } from './aggregated.ts';
import type { Discovered, DiscoveredResource } from './discovered.ts';

/** What a server tells that has no aggregated discovery: each version of each group is asked for by itself. */
export async function discoverEach(transport: Transport, signal: AbortSignal): Promise<Result<Discovered>> {
  const [core, groups] = await Promise.all([sendJson(transport, { path: '/api', signal }), sendJson(transport, { path: '/apis', signal })]);
  if ('failure' in core) return core;
  if ('failure' in groups) return groups;
  const apiVersions = [...strings(core.value['versions']), ...objectsOf(groups.value['groups']).flatMap(versionsOf)];
  const answers = await Promise.all(
    apiVersions.map((apiVersion) =>
      sendJson(transport, { path: apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`, signal }),
    ),
  );
  const resources: DiscoveredResource[] = [];
  const unknown: string[] = [];
  apiVersions.forEach((apiVersion, index) => {
    const answer = answers[index];
    if (answer === undefined || 'failure' in answer) unknown.push(apiVersion);
    else resources.push(...resourcesOf(apiVersion, answer.value));
  });
  return { value: { resources, apiVersions, unknown } };
}

/** The preferred version first. */
function versionsOf(group: JsonObject): string[] {
  const preferred = stringAt(objectAt(group, 'preferredVersion'), 'groupVersion');
  const all = objectsOf(group['versions']).flatMap((version) => stringAt(version, 'groupVersion') ?? []);
  return preferred === undefined ? all : [preferred, ...all.filter((version) => version !== preferred)];
}

function resourcesOf(apiVersion: string, list: JsonObject): DiscoveredResource[] {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const entries = objectsOf(list['resources']);
  const names = entries.map((entry) => stringAt(entry, 'name') ?? '');
  return entries.flatMap((entry): DiscoveredResource[] => {
    const [plural, kind] = [stringAt(entry, 'name') ?? '', stringAt(entry, 'kind') ?? ''];
    // `pods/status` is part of another
    if (plural === '' || kind === '' || plural.includes('/')) return [];
    return [
      {
        group,
        version,
        kind,
        plural,
        namespaced: entry['namespaced'] === true,
        verbs: new Set(strings(entry['verbs'])),
        shortNames: strings(entry['shortNames']),
        singular: stringAt(entry, 'singularName') ?? '',
        subresources: new Set(names.flatMap((name) => (name.startsWith(`${plural}/`) ? [name.slice(plural.length + 1)] : []))),
      },
    ];
  });
}
