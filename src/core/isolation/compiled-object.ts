import { KEY, MANAGED_BY } from '../identity/metadata.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Note } from '../translate/edit.ts';

/** One host object that isolation is made of. Decision annotations and keep-on-prune marks are the planner's. */
export interface CompiledObject {
  readonly object: KubeObject;
  /** the control that it enforces, as the profile or TenantCluster spells it: `defaultDenyNetworkPolicy`, `resources` */
  readonly control: string;
  /** further ones, where it enforces several */
  readonly alsoEnforces?: readonly string[];
  /** natural key of the decisive field: `IsolationProfile/restricted#defaultDenyNetworkPolicy` */
  readonly cause: string;
  /** one tenant's, or shared by the fleet */
  readonly tree: 'tenant' | 'platform';
  readonly notes: readonly Note[];
}

/** A field of the profile as the cause of an object. */
export function profileCause(ctx: TenantContext, field: string): string {
  return `IsolationProfile/${ctx.profile.name}#${field}`;
}

/** A field of the TenantCluster as the cause of an object. */
export function tenantCause(ctx: TenantContext, field: string): string {
  return `TenantCluster/${ctx.tenant.name}#${field}`;
}

/** What our objects are for, as the value of the role label. Only namespaces and pods are ever selected by it. */
export type Role = 'workload' | 'control-plane' | 'isolation' | 'dns';

/** Metadata of an object of ours that projects nothing: whose it is and what for. */
export function ownMetadata(ctx: TenantContext, name: string, namespace: string | undefined, role: Role): JsonObject {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { [KEY.managedBy]: MANAGED_BY, [KEY.tenant]: ctx.tenantLabel, [KEY.role]: role },
    annotations: { [KEY.tenantCluster]: `${ctx.tenant.namespace}/${ctx.tenant.name}` },
  };
}

/** Names of our objects in a tenant's namespaces. No projected object has one: its name holds `-x-` or ends in a digest. */
export const OWN_PREFIX = 'tenantplane-' as const;
