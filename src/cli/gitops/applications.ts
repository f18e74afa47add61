import { type ArgoSettings, argoApplication } from '../../core/gitops/argo-application.ts';
import { argoApplicationSet } from '../../core/gitops/argo-application-set.ts';
import { argoProject } from '../../core/gitops/argo-project.ts';
import { type TreeFolder, type TreeObject, treeFolders } from '../../core/gitops/tree-folders.ts';
import type { JsonObject } from '../../core/kube/json.ts';

/** AppProjects, then what applies: in the order in which they can be created. */
export function applications(objects: readonly TreeObject[], settings: ArgoSettings): readonly JsonObject[] {
  const folders = treeFolders(objects, 'top');
  return [...projects(folders, settings), ...folders.map((folder) => argoApplication(folder, settings))];
}

/** The same with one ApplicationSet in place of the tenants' Applications, where there are any. */
export function applicationSet(objects: readonly TreeObject[], settings: ArgoSettings): readonly JsonObject[] {
  const folders = treeFolders(objects, 'top');
  const single = (role: TreeFolder['role']): JsonObject[] =>
    folders.filter((folder) => folder.role === role).map((folder) => argoApplication(folder, settings));
  // without a tenant it would make nothing, and of tenants to come there is no project yet
  const tenants = folders.some(({ role }) => role === 'tenant') ? [argoApplicationSet(settings)] : [];
  return [...projects(folders, settings), ...single('platform'), ...tenants, ...single('config')];
}

function projects(folders: readonly TreeFolder[], settings: ArgoSettings): readonly JsonObject[] {
  return settings.project === undefined ? folders.map((folder) => argoProject(folder, settings)) : [];
}
