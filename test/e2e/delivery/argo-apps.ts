import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../bed/cluster.ts';
import { eventually } from './eventually.ts';
import { kubectl } from './host.ts';

/** As much of an Application as these tests look at. */
export interface Application {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly sync?: { readonly status: string; readonly revision?: string };
    readonly health?: { readonly status: string };
    readonly operationState?: { readonly phase: string; readonly message?: string; readonly startedAt: string };
    readonly resources?: readonly { readonly kind: string; readonly name: string; readonly status?: string }[];
    readonly conditions?: readonly { readonly type: string; readonly message: string }[];
  };
}

export async function applications(cluster: Cluster): Promise<readonly Application[]> {
  return (await cluster.read.list('applications.argoproj.io', 'argocd')) as unknown as readonly Application[];
}

/** Applies what `tenantplane render application…` printed. */
export async function applyManifests(cluster: Cluster, text: string): Promise<void> {
  const file = join(cluster.folder, 'gitops.yaml');
  writeFileSync(file, text);
  // Argo CD's controller writes into a set what it fills in, and is then its manager beside us
  await kubectl(cluster, ['apply', '--server-side', '--force-conflicts', '-f', file]);
}

/** What a webhook of the Git server does. */
export async function refresh(cluster: Cluster): Promise<void> {
  await kubectl(cluster, ['annotate', 'applications', '--all', '-n', 'argocd', '--overwrite', 'argocd.argoproj.io/refresh=normal']);
}

/** Refreshes, and waits until all Applications stand at `revision` and `holds` of each. @returns seconds */
export async function untilAll(
  cluster: Cluster,
  { count, revision, holds, limit }: { count: number; revision: string; holds: (app: Application) => boolean; limit: number },
): Promise<number> {
  const settled = (app: Application): boolean => app.status?.sync?.revision === revision && holds(app);
  // only what stands in the way is looked at, and shown where it stays
  const look = async (): Promise<unknown[]> => {
    const apps = await applications(cluster);
    const waiting = apps.filter((app) => !settled(app)).map(summary);
    return apps.length === count ? waiting : [`${apps.length} Applications`, ...waiting];
  };
  const { seconds } = await eventually(look, (waiting) => waiting.length === 0, limit);
  return seconds;
}

export const synced = ({ status }: Application): boolean =>
  status?.sync?.status === 'Synced' && status.operationState?.phase === 'Succeeded';
export const healthy = (app: Application): boolean => synced(app) && app.status?.health?.status === 'Healthy';

function summary({ metadata, status }: Application): unknown {
  const { sync, health, operationState, conditions } = status ?? {};
  const open = status?.resources?.filter((row) => row.status !== 'Synced').map(({ kind, name }) => `${kind}/${name}`);
  return { name: metadata.name, sync: sync?.status, health: health?.status, operation: operationState?.message, open, conditions };
}

/** Starts a sync of one Application that sends every object, whether it differs or not. */
export async function syncEverything(cluster: Cluster, name: string): Promise<void> {
  const sync = { syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true'], prune: true };
  const operation = JSON.stringify({ operation: { initiatedBy: { username: 'test' }, sync } });
  const begin = Math.floor(Date.now() / 1000) * 1000;
  await kubectl(cluster, ['patch', 'application', name, '-n', 'argocd', '--type=merge', '-p', operation]);
  const look = async (): Promise<Application | undefined> => (await applications(cluster)).find(({ metadata }) => metadata.name === name);
  const ended = (app: Application | undefined): boolean => {
    const state = app?.status?.operationState;
    return state !== undefined && Date.parse(state.startedAt) >= begin && state.phase === 'Succeeded';
  };
  await eventually(look, ended);
}
