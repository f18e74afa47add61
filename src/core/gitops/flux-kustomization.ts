import type { JsonObject } from '../kube/json.ts';
import { ISOLATION_FOLDER } from '../plan/host-path.ts';
import { folderName, type TreeFolder, TURN } from './tree-folders.ts';

/** Where the tree lies, as Flux calls it. */
export interface FluxSettings {
  readonly source: { readonly kind: string; readonly name: string };
  /** of `host/` in the source */
  readonly path: string;
  /** a prefix of all names */
  readonly name: string;
  /** of the Kustomizations themselves and their source */
  readonly namespace: string;
  readonly interval: string;
  /** whether a tenant counts as ready only when what it runs is */
  readonly wait: boolean;
}

/** A Kustomization for one of `folders`, which depends on those of them that have to be there first. */
export function fluxKustomization(folder: TreeFolder, folders: readonly TreeFolder[], settings: FluxSettings): JsonObject {
  const before = folders.filter((other) => goesBefore(other, folder)).map((other) => ({ name: folderName(settings.name, other) }));
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: folderName(settings.name, folder), namespace: settings.namespace },
    spec: {
      ...(before.length > 0 && { dependsOn: before }),
      interval: settings.interval,
      retryInterval: '1m',
      timeout: '5m',
      sourceRef: { kind: settings.source.kind, name: settings.source.name },
      path: `./${settings.path}/${folder.path}`,
      prune: true,
      // One tenant's broken pods hold back nobody else, unless that is asked for; policies have to be in force before a pod starts.
      wait: folder.role === 'platform' || settings.wait,
      // policies and configuration outlive their Kustomization, as in Argo CD
      ...(folder.role !== 'tenant' && { deletionPolicy: 'Orphan' }),
    },
  };
}

/** Platform, then tenants, then configuration; of a spread tenant its isolation before its shards. */
function goesBefore(other: TreeFolder, folder: TreeFolder): boolean {
  if (other.role !== folder.role) return TURN[other.role] < TURN[folder.role];
  const [tenant, part] = folder.path.split('/');
  return part !== undefined && part !== ISOLATION_FOLDER && other.path === `${tenant}/${ISOLATION_FOLDER}`;
}
