import type { JsonObject } from '../kube/json.ts';
import { projectName } from './applier-names.ts';
import { type ArgoSettings, SYNC_WAVE } from './argo-application.ts';
import type { TreeFolder } from './tree-folders.ts';

/** An AppProject that lets its Application write to the folder's own namespaces, and the cluster-scoped kinds that it holds. */
export function argoProject(folder: TreeFolder, settings: ArgoSettings): JsonObject {
  // the Applications of platform and configuration have no namespace of their own, and that has to match a destination as well
  const namespaces = folder.role === 'tenant' ? folder.namespaces : ['', ...folder.namespaces];
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: {
      name: projectName(settings.name, folder),
      namespace: settings.namespace,
      annotations: { 'argocd.argoproj.io/sync-wave': String(SYNC_WAVE.project) },
    },
    spec: {
      description: DESCRIPTION[folder.role](folder.path),
      sourceRepos: [settings.repo],
      destinations: namespaces.map((namespace) => ({ ...settings.destination, namespace })),
      clusterResourceWhitelist: folder.clusterKinds.map(({ group, kind }) => ({ group, kind })),
    },
  };
}

const DESCRIPTION: Readonly<Record<TreeFolder['role'], (path: string) => string>> = {
  platform: () => 'What tenants share: admission policies, flow control.',
  tenant: (path) => `The tenant of namespace ${path}.`,
  config: () => 'TenantClusters, profiles and policies, for the reconciler.',
};
