import { compileDnsServer } from '../../dns/server.ts';
import { type JsonObject, objectAt, objectsOf, stringAt } from '../../kube/json.ts';
import { type KubeObject, kindOf, nameOf, stringMap } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { compileIsolation } from '../compile.ts';
import { type CompiledObject, OWN_PREFIX } from '../compiled-object.ts';
import { podsWithoutPolicy } from '../covered-pods.ts';
import { type GatewayAllowance, gatewayAccess } from '../gateway-allowances.ts';
import { type Backend, ingressBackends } from '../gateway-backends.ts';
import { FROM_GATEWAY } from '../network-policies.ts';
import { compileProfile, compileShared } from '../platform.ts';
import type { TargetPort } from '../target-ports.ts';
import type { LiveBoundary } from './live-boundary.ts';
import { isProjectedPolicy } from './projected-policy.ts';

export const NETWORK_POLICY = 'NetworkPolicy.networking.k8s.io';

/** What of the tenant's own objects bears on its boundary. */
const TENANTS_OWN = [NETWORK_POLICY, 'Service', 'Ingress.networking.k8s.io'] as const;

/** The namespaced part of the boundary, by the render's own functions, around the tenant's objects as they are on the host. */
export function plannedInNamespaces(ctx: TenantContext, live: LiveBoundary): readonly CompiledObject[] {
  const around = TENANTS_OWN.flatMap((key) => live.all(key, ctx.tenant.namespace)).filter(
    (object) => kindOf(object) !== 'NetworkPolicy' || isProjectedPolicy(object, ctx),
  );
  const dns = compileDnsServer(ctx, []).filter(({ object }) => kindOf(object) === 'NetworkPolicy');
  return [...compileIsolation(ctx, around, gatewayAllowances(ctx, around, live)), ...dns];
}

/** What the profile, and all profiles alike, need once on the host. */
export function plannedOnHost({ profile, host }: TenantContext): readonly CompiledObject[] {
  return [...compileProfile(profile, host).objects, ...compileShared(host)];
}

/**
 * What gateways may call. Where policies of the tenant's speak of calls to its pods, which of their rules are for everyone only its own
 * input says: then it is what stands there, as far as an Ingress leads to it.
 */
function gatewayAllowances(ctx: TenantContext, around: readonly KubeObject[], live: LiveBoundary): readonly GatewayAllowance[] {
  const pods = podsWithoutPolicy(around, 'Ingress');
  if (pods.all) return gatewayAccess(ctx, around, pods).allowances;
  const backends = ingressBackends(around);
  return live
    .all(NETWORK_POLICY, ctx.tenant.namespace)
    .filter((policy) => nameOf(policy).startsWith(OWN_PREFIX + FROM_GATEWAY))
    .map(allowanceOf)
    .filter((allowance) => backends.some((backend) => leadsTo(backend, allowance)));
}

function allowanceOf(policy: KubeObject): GatewayAllowance {
  const ports = objectsOf(objectsOf(objectAt(policy, 'spec')?.['ingress'])[0]?.['ports']);
  return { selector: objectAt(policy, 'spec', 'podSelector') ?? {}, ports: ports.flatMap(targetPort) };
}

function targetPort(entry: JsonObject): TargetPort[] {
  const port = entry['port'];
  return typeof port === 'string' || typeof port === 'number' ? [{ protocol: stringAt(entry, 'protocol') ?? 'TCP', port }] : [];
}

/** Pods behind that Service, on its ports; a name that a policy of the tenant's gave a port, pods resolve. */
function leadsTo({ labels, ports }: Backend, allowance: GatewayAllowance): boolean {
  const selected = stringMap(objectAt(allowance.selector, 'matchLabels'));
  return (
    [...labels].every(([key, value]) => selected.get(key) === value) &&
    allowance.ports.length > 0 &&
    allowance.ports.every(({ protocol, port }) =>
      ports.some((known) => known.protocol === protocol && (known.port === port || typeof port === 'string')),
    )
  );
}
