import { TENANT_ACCESS } from '../../core/controlplane/tenant-access.ts';
import { equal, own } from '../../core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../core/kube/object.ts';
import { isReason, type Result } from '../../kube/failure.ts';
import { applyObject } from '../../kube/objects/apply.ts';
import { getObject } from '../../kube/objects/get.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import type { Resource } from '../../kube/transport/resource-path.ts';

/** Whether the tenant's API has what says who may do what in it. @param call as the reconciler */
export async function isAccessGranted(call: Call): Promise<Result<boolean>> {
  for (const wanted of TENANT_ACCESS) {
    const found = await getObject({ resource: resourceOf(wanted), name: nameOf(wanted) }, call);
    if ('failure' in found) {
      const absent = isReason(found.failure, 'NotFound') || isReason(found.failure, 'Forbidden');
      return absent ? { value: false } : found;
    }
    if (!GRANTS.every((field) => equal(own(found.value, field), own(wanted, field)))) return { value: false };
  }
  return { value: true };
}

/** What of such an object gives rights. */
const GRANTS: readonly string[] = ['rules', 'roleRef', 'subjects'];

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
