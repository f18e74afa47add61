import { stringAt } from '../core/kube/json.ts';
import { groupOf, type KubeObject } from '../core/kube/object.ts';
import { isHostFacts } from '../core/plan/assign.ts';

/**
 * Files of the tools that packages pass through. They have apiVersion and kind but are no objects of any cluster
 * (kpt issue 2388: a kustomization in a package must not stop it).
 */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['kpt.dev', 'it is kpt’s own'],
  ['kustomize.config.k8s.io', 'it is kustomize’s own'],
  ['config.kubernetes.io', 'it is configuration of a KRM function'],
  ['fn.tenantplane.io', 'it is configuration of a function of tenantplane'],
  ['fn.kpt.dev', 'it is configuration of a KRM function'],
]);

/** Why an object is a tool's file and no object of a cluster; undefined where it is one, or where the planner reads it. */
export function toolObject(object: KubeObject): string | undefined {
  if (isHostFacts(object)) return undefined;
  return GROUPS.get(groupOf(stringAt(object, 'apiVersion') ?? ''));
}
