import { type FluxSettings, fluxKustomizations } from '../../core/gitops/flux-kustomization.ts';
import { treeFolders } from '../../core/gitops/tree-folders.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { readTreeObjects } from './read-tree-objects.ts';

export function kustomizations(root: string, settings: FluxSettings): readonly JsonObject[] {
  return fluxKustomizations(treeFolders(readTreeObjects(root), 'leaf'), settings);
}
