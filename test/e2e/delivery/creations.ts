import type { Cluster } from '../../bed/cluster.ts';
import { kubectl, type Live } from './host.ts';

/** One object's creation: its place among all that the API server wrote. */
export interface Creation {
  readonly name: string;
  readonly at: number;
}

/** Where the API server's writes stand now. */
export async function now(cluster: Cluster): Promise<string> {
  return (JSON.parse(await kubectl(cluster, ['get', '--raw', '/api/v1/namespaces'])) as { metadata: { resourceVersion: string } }).metadata
    .resourceVersion;
}

/** What was created since, by a watch of the API server's own history: etcd counts the writes of all kinds together. */
export async function createdSince(cluster: Cluster, begin: string, resources: readonly string[]): Promise<readonly Creation[]> {
  const watched = resources.map(async (resource) => {
    const path = `/${resource.startsWith('v1/') ? 'api' : 'apis'}/${resource}?watch=true&resourceVersion=${begin}&timeoutSeconds=2`;
    const lines = (await kubectl(cluster, ['get', '--raw', path])).split('\n').filter((line) => line !== '');
    const events = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly object: Live });
    return events
      .filter(({ type }) => type === 'ADDED')
      .map(({ object: { kind, metadata } }) => ({
        name: `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
        at: Number(metadata.resourceVersion),
      }));
  });
  return (await Promise.all(watched)).flat().sort((a, b) => a.at - b.at);
}
