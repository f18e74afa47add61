import { controlPlaneNamespace } from '../../core/isolation/control-plane-namespace.ts';
import { BOUNDARY_KINDS } from '../../core/isolation/verify/boundary-kinds.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';

/** Copies of the host's objects, by the plural of their kind. */
export interface BoundaryView {
  store(plural: string): {
    get(key: string): KubeObject | undefined;
    values(): Iterable<KubeObject>;
    inNamespace(namespace: string): Iterable<KubeObject>;
  };
}

/** Everything on the host that bears on a tenant's boundary, from copies alone: no request. */
export function gatherBoundary(view: BoundaryView, tenantCluster: KubeObject): KubeObject[] {
  const workload = namespaceOf(tenantCluster) ?? '';
  const places = [workload, controlPlaneNamespace(nameOf(tenantCluster), workload)];
  return BOUNDARY_KINDS.flatMap(({ kind, plural, place }): KubeObject[] => {
    const store = view.store(plural);
    if (kind === 'Namespace') return places.map((name) => store.get(name)).filter((object) => object !== undefined);
    if (place === 'host') return [...store.values()];
    return (place === 'workload' ? [workload] : places).flatMap((name) => [...store.inNamespace(name)]);
  });
}
