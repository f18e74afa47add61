import { TENANT_ACCESS } from '../../core/controlplane/tenant-access.ts';
import { type KubeObject, kindOf } from '../../core/kube/object.ts';
import type { Result } from '../../kube/failure.ts';
import { applyObject } from '../../kube/objects/apply.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import type { Resource } from '../../kube/transport/resource-path.ts';

/** Says in the tenant's API who may do what in it. @param call as `bootstrap`: nobody else may give rights that they do not have */
export async function grantAccess(call: Call): Promise<Result<true>> {
  for (const object of TENANT_ACCESS) {
    const applied = await applyObject(resourceOf(object), object, { ...call, fieldManager: 'tenantplane-provision', force: true });
    if ('failure' in applied) return applied;
  }
  return { value: true };
}

function resourceOf(object: KubeObject): Resource {
  const kind = kindOf(object);
  return { group: 'rbac.authorization.k8s.io', version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespaced: false };
}
