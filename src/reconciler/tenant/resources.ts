import type { Resource } from '../../kube/transport/resource-path.ts';

export const SECRET: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

/** What can be applied or deleted, by kind; a kind that is not here is a bug. */
const WRITTEN: readonly Resource[] = [
  SECRET,
  { group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', namespaced: true },
  { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true },
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
  { group: '', version: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', namespaced: true },
  // spec.delivery: controller
  { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
  { group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
  { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true },
  { group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges', namespaced: true },
  { group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true },
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true },
  { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role', plural: 'roles', namespaced: true },
  { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'RoleBinding', plural: 'rolebindings', namespaced: true },
];

export function resourceOf(kind: string): Resource {
  const resource = WRITTEN.find((each) => each.kind === kind);
  if (resource === undefined) throw new TypeError(`the reconciler writes no ${kind}`);
  return resource;
}
