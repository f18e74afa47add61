import type { JsonObject } from '../kube/json.ts';
import { CREATE_ONLY_MARK } from '../plan/delivery.ts';
import { applicationName, projectName } from './applier-names.ts';
import type { FolderRole, TreeFolder } from './tree-folders.ts';

/** Where the tree lies and where it goes, as Argo CD calls it. */
export interface ArgoSettings {
  readonly repo: string;
  readonly revision: string;
  /** of `host/` in the repository */
  readonly path: string;
  /** a prefix of all names */
  readonly name: string;
  /** of the Applications themselves */
  readonly namespace: string;
  /** one AppProject for all, that is there; without it each Application has its own */
  readonly project?: string;
  readonly destination: { readonly server: string } | { readonly name: string };
}

/** In an app of apps: projects, platform, tenants, configuration. */
export const SYNC_WAVE: Readonly<Record<FolderRole | 'project', number>> = { project: -20, platform: -10, tenant: 0, config: 10 };

export function argoApplication(folder: TreeFolder, settings: ArgoSettings): JsonObject {
  const name = applicationName(settings.name, folder.path);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: applicationMetadata(name, folder.role, settings.namespace),
    spec: applicationSpec(
      { ...settings, project: settings.project ?? projectName(settings.name, folder) },
      `${settings.path}/${folder.path}`,
      folder.role === 'tenant' ? folder.path : undefined,
    ),
  };
}

/** @param namespace none in a template, which takes that of its ApplicationSet */
export function applicationMetadata(name: string, role: FolderRole, namespace?: string): JsonObject {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    annotations: {
      // a commit that does not touch the folder renders nothing anew
      'argocd.argoproj.io/manifest-generate-paths': '.',
      'argocd.argoproj.io/sync-wave': String(SYNC_WAVE[role]),
    },
    // A tenant that leaves takes what runs with it. Policies and configuration outlive their Application: a cluster whose
    // admission policies went with a file would stand open.
    ...(role === 'tenant' && { finalizers: ['resources-finalizer.argocd.argoproj.io/foreground'] }),
  };
}

export function applicationSpec(settings: ArgoSettings & { readonly project: string }, path: string, namespace?: string): JsonObject {
  return {
    project: settings.project,
    source: {
      repoURL: settings.repo,
      targetRevision: settings.revision,
      path,
      // shards are subfolders
      directory: { recurse: true },
    },
    destination: { ...settings.destination, ...(namespace !== undefined && { namespace }) },
    ignoreDifferences: [{ group: '*', kind: '*', jqPathExpressions: [CREATE_ONLY_CONTENT] }],
    syncPolicy: {
      automated: { prune: true, selfHeal: true },
      syncOptions: [
        'ServerSideApply=true',
        // without it, what is ignored in the diff is still written by a sync
        'RespectIgnoreDifferences=true',
        // a sync of one object must not write an older state of a create-only one
        'ApplyOutOfSyncOnly=true',
        'FailOnSharedResource=true',
      ],
      // the reconciler's configuration needs the namespaces that another Application makes
      retry: { limit: 10, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
    },
  };
}

/**
 * Everything but the metadata of objects that are written once. By annotation and not by name, so that an object that becomes
 * create-only is left alone at once, without a new Application.
 */
const CREATE_ONLY_CONTENT: string = [
  `select(.metadata.annotations["${CREATE_ONLY_MARK.key}"] == "${CREATE_ONLY_MARK.value}")`,
  '.[keys[] | select(. != "apiVersion" and . != "kind" and . != "metadata")]',
].join(' | ');
