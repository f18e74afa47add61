import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { type CompiledObject, OWN_PREFIX, ownMetadata, profileCause } from './compiled-object.ts';
import { compileControlPlane } from './control-plane.ts';
import { compileFlowSchema } from './flow-control.ts';
import type { GatewayAllowance } from './gateway-allowances.ts';
import { compileNamespaces } from './namespaces.ts';
import { compileNetworkPolicies } from './network-policies.ts';
import { compilePullAccess } from './pull-access.ts';
import { compileQuotas, resourcesRequired } from './quotas.ts';
import { compileReconcilerAccess } from './reconciler-access.ts';

/**
 * The boundary around one tenant, as host objects: a pure function of profile, TenantCluster and what is projected.
 *
 * @param hostObjects what else will stand in the tenant's namespace: projected objects, aliases, the tenant's DNS. The policies
 *   among them decide which pods our allowances cover; all of them are counted against the quotas.
 * @param standing what gateways may call, where that is not to be worked out again
 */
export function compileIsolation(
  ctx: TenantContext,
  hostObjects: readonly KubeObject[],
  standing?: readonly GatewayAllowance[],
): readonly CompiledObject[] {
  const policies = compileNetworkPolicies(ctx, hostObjects, standing);
  return [
    ...compileNamespaces(ctx),
    ...policies,
    ...compileControlPlane(ctx),
    ...compileReconcilerAccess(ctx),
    ...compileQuotas(ctx, hostObjects, policies.length),
    ...(resourcesRequired(ctx) ? [limitRange(ctx)] : []),
    ...compileFlowSchema(ctx),
    ...compilePullAccess(ctx, hostObjects),
  ];
}

/**
 * Defaults and bounds of containers. Bounds of pods and of claims are left to the quota: what a LimitRange refuses, only a
 * ReplicaSet's event would tell, so it holds nothing that the render does not check.
 */
function limitRange(ctx: TenantContext): CompiledObject {
  const item: JsonObject = { type: 'Container' };
  for (const [field, values] of Object.entries(ctx.profile.limits)) if (Object.keys(values).length > 0) item[field] = { ...values };
  return {
    object: {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: ownMetadata(ctx, `${OWN_PREFIX}defaults`, ctx.tenant.namespace, 'isolation'),
      spec: { limits: [item] },
    },
    control: 'requireResourceRequests',
    cause: profileCause(ctx, 'requireResourceRequests'),
    tree: 'tenant',
    notes: [],
  };
}
