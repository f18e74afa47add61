import type { BoundaryInput } from '../../src/core/isolation/verify/boundary-input.ts';
import { BOUNDARY_KINDS } from '../../src/core/isolation/verify/boundary-kinds.ts';
import { knownHost } from '../../src/core/isolation/verify/known-host.ts';
import { keyOf } from '../../src/core/isolation/verify/live-boundary.ts';
import type { JsonObject } from '../../src/core/kube/json.ts';
import { annotationsOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import type { Rendered } from './example.ts';

/** What the reconciler would be given of each tenant, were the tree applied. */
export function boundaryInputs({ inputs, objects }: Pick<Rendered, 'inputs' | 'objects'>): BoundaryInput[] {
  const config = (kind: string, name?: string): KubeObject[] =>
    inputs.map(({ object }) => object).filter((object) => kindOf(object) === kind && (name === undefined || nameOf(object) === name));
  const facts = config('HostFacts')[0]?.['spec'] as JsonObject | undefined;
  return config('TenantCluster').flatMap((tenantCluster): BoundaryInput[] => {
    const spec = tenantCluster['spec'] as { isolationProfileRef: { name: string }; syncPolicyRef: { name: string } };
    const [profile] = config('IsolationProfile', spec.isolationProfileRef.name);
    const [policy] = config('SyncPolicy', spec.syncPolicyRef.name);
    if (profile === undefined || policy === undefined) return [];
    return [{ tenantCluster, profile, policy, facts: knownHost(facts ?? {}), live: liveOf(objects, tenantCluster) }];
  });
}

/** Of a tree what bears on that tenant's boundary. */
export function liveOf(objects: readonly KubeObject[], tenantCluster: KubeObject): readonly KubeObject[] {
  const key = `${namespaceOf(tenantCluster)}/${nameOf(tenantCluster)}`;
  return objects.filter((object) => {
    const owner = annotationsOf(object).get('tenantplane.io/tenant-cluster');
    return BOUNDARY_KINDS.some((kind) => kind.key === keyOf(object)) && (owner === undefined || owner === key);
  });
}
