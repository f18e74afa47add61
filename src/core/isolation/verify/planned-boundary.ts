import { compileDnsServer } from '../../dns/server.ts';
import { kindOf } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { compileIsolation } from '../compile.ts';
import type { CompiledObject } from '../compiled-object.ts';
import { compileProfile, compileShared } from '../platform.ts';
import type { LiveBoundary } from './live-boundary.ts';
import { isProjectedPolicy } from './projected-policy.ts';
import { standingAllowances } from './standing-allowances.ts';

export const NETWORK_POLICY = 'NetworkPolicy.networking.k8s.io';

/** What of the tenant's own objects bears on its boundary. */
const TENANTS_OWN = [NETWORK_POLICY, 'Service', 'Ingress.networking.k8s.io'] as const;

/** The namespaced part of the boundary, by the render's own functions, around the tenant's objects as they are on the host. */
export function plannedInNamespaces(ctx: TenantContext, live: LiveBoundary): readonly CompiledObject[] {
  const around = TENANTS_OWN.flatMap((key) => live.all(key, ctx.tenant.namespace)).filter(
    (object) => kindOf(object) !== 'NetworkPolicy' || isProjectedPolicy(object, ctx),
  );
  const dns = compileDnsServer(ctx, []).filter(({ object }) => kindOf(object) === 'NetworkPolicy');
  return [...compileIsolation(ctx, around, standingAllowances(ctx, around, live.all(NETWORK_POLICY, ctx.tenant.namespace))), ...dns];
}

/** What the profile, and all profiles alike, need once on the host. */
export function plannedOnHost({ profile, host }: TenantContext): readonly CompiledObject[] {
  return [...compileProfile(profile, host).objects, ...compileShared(host)];
}
