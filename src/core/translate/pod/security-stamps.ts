import { asString, isObject, type JsonObject, objectAt, own } from '../../kube/json.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';

/**
 * Which unset fields are stamped on a pod. One answer for the check, which must judge what the host will see, and for the step
 * that stamps. Set fields are never overridden.
 */
export interface SecurityStamps {
  /** seccompProfile RuntimeDefault on the pod */
  readonly seccomp: boolean;
  /** runAsNonRoot on the pod */
  readonly runAsNonRoot: boolean;
  /** allowPrivilegeEscalation false and drop ALL on containers */
  readonly containers: boolean;
}

const NONE: SecurityStamps = { seccomp: false, runAsNonRoot: false, containers: false };

/** The three fields mean nothing on Windows, and the API server refuses them there. */
export function securityStamps(spec: JsonObject, ctx: TenantContext): SecurityStamps {
  if (ctx.profile.podSecurity !== 'restricted') return NONE;
  const all = ctx.profile.completePodSecurity === 'all';
  const linux = !isWindows(spec);
  return { seccomp: linux, runAsNonRoot: all && !userNamespaceRelaxed(spec, ctx), containers: all && linux };
}

export function isWindows(spec: JsonObject): boolean {
  return asString(objectAt(spec, 'os')?.['name']) === 'windows';
}

/** Pod Security asks less of a pod in a user namespace of its own from 1.35 on (KEP-127). An unknown host is a strict one. */
export function userNamespaceRelaxed(spec: JsonObject, ctx: TenantContext): boolean {
  return own(spec, 'hostUsers') === false && ctx.host.minor !== undefined && ctx.host.minor >= 35;
}

/** Whether `capabilities.drop` says nothing: absent and empty are the same to the API server. */
export function dropsNothing(securityContext: JsonObject | undefined): boolean {
  const capabilities = objectAt(securityContext, 'capabilities');
  const drop = capabilities?.['drop'];
  return !isObject(capabilities) || drop === undefined || drop === null || (Array.isArray(drop) && drop.length === 0);
}
