import { type FluxSettings, fluxKustomization } from '../../core/gitops/flux-kustomization.ts';
import { treeFolders } from '../../core/gitops/tree-folders.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { readTreeObjects } from './read-tree-objects.ts';

export function kustomizations(root: string, settings: FluxSettings): readonly JsonObject[] {
  const folders = treeFolders(readTreeObjects(root), 'leaf');
  return folders.map((folder) => fluxKustomization(folder, folders, settings));
}
