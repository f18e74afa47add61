import { checkConfigOf } from '../../../schema/check-config.ts';
import type { ConfigKind } from '../../../schema/config-kinds.ts';
import type { JsonObject } from '../../kube/json.ts';
import type { KubeObject } from '../../kube/object.ts';
import { createContext } from '../../plan/context.ts';
import { resolvePolicy, resolveProfile, resolveTenant } from '../../plan/resolve-settings.ts';
import type { HostFacts } from '../../plan/settings.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { KnownHost } from './known-host.ts';

/** What of a tenant's boundary the host itself says, and what is known of the host. */
export interface BoundaryInput {
  readonly tenantCluster: KubeObject;
  readonly profile: KubeObject;
  readonly policy: KubeObject;
  /** nothing but defaults, if not said */
  readonly facts?: KnownHost;
  /**
   * The objects of both namespaces and of the host that the boundary is made of, in any order; of the tenant's own its NetworkPolicies,
   * Services and Ingresses (`BOUNDARY_KINDS`).
   */
  readonly live: readonly KubeObject[];
}

/**
 * The context that the render has, without the tenant's objects, which are not on the host.
 * @throws where the configuration is not legal: whoever asks has checked it
 */
export function boundaryContext({ tenantCluster, profile, policy }: Omit<BoundaryInput, 'live' | 'facts'>, host: HostFacts): TenantContext {
  const settings = resolveProfile(legal(profile, 'IsolationProfile'));
  return createContext({
    tenant: resolveTenant(legal(tenantCluster, 'TenantCluster'), settings.ingressHostSuffixes),
    profile: settings,
    policy: resolvePolicy(legal(policy, 'SyncPolicy')),
    host,
    subjects: [],
    covered: () => false,
    sound: () => false,
  });
}

/** With the defaults of its schema filled in. */
function legal(object: KubeObject, kind: ConfigKind): JsonObject {
  const { value, problems } = checkConfigOf(object, kind);
  if (value === undefined) throw new TypeError(`${kind} is not legal: ${problems.map(({ message }) => message).join(' ')}`);
  return value as unknown as JsonObject;
}
