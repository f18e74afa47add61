import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { KEY } from '../identity/metadata.ts';
import { profileCause, tenantCause } from '../isolation/compiled-object.ts';
import { equal, type JsonObject, objectAt } from '../kube/json.ts';
import { annotationsOf, type KubeObject, kindOf } from '../kube/object.ts';
import { stampMetadata } from '../translate/common-steps.ts';
import { narrowPolicy } from '../translate/kinds/narrow-peers.ts';
import { hostRef, tenantRef } from './finish-tenant.ts';
import { isOurs } from './old-tree.ts';
import type { HostFile, PreviousObject } from './plan-types.ts';
import type { TenantContext } from './tenant-context.ts';

/**
 * A NetworkPolicy of a frozen tenant's own that admits more than the tenant may open now. Policies add up, so one that stays as it
 * was would keep open what the boundary around it closes.
 *
 * @param planned what the tenant's input says of it, where that still does
 * @returns the policy where it stands, without what it may admit no more; undefined where all of it may stay
 */
export function narrowedPolicy(
  { object, source: { path }, broken }: PreviousObject,
  ctx: TenantContext,
  planned: readonly Decision[],
): HostFile | undefined {
  if (broken === true || kindOf(object) !== 'NetworkPolicy' || !isOurs(object)) return undefined;
  const narrowed = narrowPolicy(object, ctx);
  if (narrowed === undefined) return undefined;
  stampMetadata(narrowed, {}, rewritten(object));
  const host = hostRef(narrowed, path);
  const from = planned.find((decision) => isOf(decision, host))?.source;
  const { control, cause } = controlOf(object, narrowed, ctx);
  const { name: profile, level } = ctx.profile;
  const decision = decide({
    tenant: tenantRef(ctx),
    ...(from !== undefined && { source: from }),
    host,
    flow: 'ToHost',
    action: 'Create',
    reason: 'IsolationObjectCompiled',
    params: { kind: host.kind, host: host.name, control, profile, level, tenant: ctx.tenant.name },
    causes: [cause],
  });
  return { path, object: narrowed, decision };
}

/** Its rewrites with that of the peers; an object that carries its identity only says none. */
function rewritten(object: KubeObject): JsonObject {
  const annotations = annotationsOf(object);
  if (!annotations.has(KEY.decision)) return {};
  const rewrites = (annotations.get(KEY.rewrites) ?? '').split(',').filter((id) => id !== '');
  return { [KEY.rewrites]: [...new Set([...rewrites, 'rw.network-policy'])].sort().join(',') };
}

/** Whether a decision is about that host object, whichever file it lies in. */
export function isOf({ host }: Decision, { kind, name }: NonNullable<Decision['host']>): boolean {
  return host?.kind === kind && host.name === name;
}

function controlOf(before: KubeObject, after: JsonObject, ctx: TenantContext): { readonly control: string; readonly cause: string } {
  const stays = equal(objectAt(before, 'spec')?.['ingress'] ?? [], objectAt(after, 'spec')?.['ingress'] ?? []);
  if (stays) return { control: 'egressPolicy', cause: tenantCause(ctx, 'networking.egressPolicy') };
  return { control: 'defaultDenyNetworkPolicy', cause: profileCause(ctx, 'defaultDenyNetworkPolicy') };
}
