import { expect } from 'vitest';
import type { Cluster } from '../../bed/cluster.ts';

/** As much of a live object as these tests look at. */
export interface Live {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly resourceVersion: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly manager: string; readonly operation: string; readonly time: string }[];
  };
  readonly data?: Readonly<Record<string, string>>;
}

/** What kubectl prints; it must succeed. */
export async function kubectl(cluster: Cluster, args: readonly string[], input = ''): Promise<string> {
  const ran = await cluster.kubectl(args, { input });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

export async function get<T = Live>(cluster: Cluster, args: readonly string[]): Promise<T> {
  const named = oneNamedBy(args);
  if (named === undefined) return JSON.parse(await kubectl(cluster, ['get', ...args, '-o', 'json'])) as T;
  const object = await cluster.read.get(...named);
  if (object === undefined) expect.fail(`there is no ${args.join(' ')}`);
  return object as T;
}

/** The one object that kubectl's words name as `kind/name -n namespace`, in the reader's order; undefined for other words. */
function oneNamedBy([first = '', ...rest]: readonly string[]): readonly [string, string, string?] | undefined {
  const [kind = '', name] = first.split('/');
  if (name === undefined) return undefined;
  if (rest.length === 0) return [kind, name];
  const [flag, namespace, ...more] = rest;
  return flag === '-n' && namespace !== undefined && more.length === 0 ? [kind, name, namespace] : undefined;
}

export async function list<T = Live>(cluster: Cluster, args: readonly string[]): Promise<readonly T[]> {
  return (await get<{ readonly items: readonly T[] }>(cluster, args)).items;
}

export async function isThere(cluster: Cluster, args: readonly string[]): Promise<boolean> {
  const named = oneNamedBy(args);
  if (named === undefined) return (await cluster.kubectl(['get', ...args])).status === 0;
  return (await cluster.read.get(...named)) !== undefined;
}

/** Kinds of a rendered tree, as kubectl takes them. */
const KINDS =
  'namespace,serviceaccount,configmap,persistentvolumeclaim,resourcequota,limitrange,networkpolicy,service,deployment,cronjob,ingress,horizontalpodautoscaler,poddisruptionbudget';

/** Everything on the host that we rendered. */
export async function rendered(cluster: Cluster): Promise<readonly Live[]> {
  const items = await list(cluster, [KINDS, '-A', '-l', 'app.kubernetes.io/managed-by=tenantplane', '--show-managed-fields']);
  return items.filter((item) => item.metadata.annotations?.['tenantplane.io/origin'] !== undefined);
}

/** When an applier last wrote to each object, by kind and name: it moves only where the write changed something. */
export async function writtenBy(cluster: Cluster, manager: string): Promise<ReadonlyMap<string, string>> {
  const entries = (await rendered(cluster)).map(({ kind, metadata }): [string, string] => {
    const entry = metadata.managedFields?.find((row) => row.manager === manager && row.operation === 'Apply');
    return [`${kind} ${metadata.namespace ?? ''}/${metadata.name}`, `${metadata.uid} ${entry?.time ?? 'never'}`];
  });
  return new Map(entries);
}
