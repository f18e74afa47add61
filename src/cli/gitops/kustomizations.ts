import { type FluxSettings, fluxKustomizations } from '../../core/gitops/flux-kustomization.ts';
import { type TreeObject, treeFolders } from '../../core/gitops/tree-folders.ts';
import type { JsonObject } from '../../core/kube/json.ts';

export function kustomizations(objects: readonly TreeObject[], settings: FluxSettings): readonly JsonObject[] {
  return fluxKustomizations(treeFolders(objects, 'leaf'), settings);
}
