import { asArray, asString, at, equal, isObject, type Json, type JsonObject, objectAt, stringAt } from '../../kube/json.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { type Direction, everyonePeers, leftOpen, PEERS, translatePeer } from './network-peers.ts';

/**
 * A projected NetworkPolicy as it stands on the host, without what the tenant may open no more: each peer is what its translation
 * would be now, and never more than it was.
 *
 * @returns undefined where all of it may stay
 */
export function narrowPolicy(policy: KubeObject, ctx: TenantContext): JsonObject | undefined {
  const spec = objectAt(policy, 'spec') ?? {};
  const narrowed: JsonObject = { ...spec };
  for (const direction of ['ingress', 'egress'] as const) {
    const rules = asArray(at(spec, direction));
    if (rules !== undefined) narrowed[direction] = rules.flatMap((rule) => (isObject(rule) ? narrowRule(rule, direction, ctx) : []));
  }
  return equal(narrowed, spec) ? undefined : { ...policy, spec: narrowed };
}

/** No rule where its last peer is gone: an empty list would be for everyone. */
function narrowRule(rule: JsonObject, direction: Direction, ctx: TenantContext): readonly JsonObject[] {
  const field = PEERS[direction];
  const stated = asArray(rule[field]) ?? [];
  if (stated.length === 0) return leftOpen(ctx, direction) ? [rule] : [{ ...rule, [field]: everyonePeers(ctx, direction) }];
  const kept = stated.flatMap((peer): readonly Json[] => (isObject(peer) ? narrowPeer(peer, direction, ctx) : []));
  return kept.length === 0 ? [] : [{ ...rule, [field]: kept }];
}

/** Pods of the tenant's own namespace stay; one of another namespace, no translation makes. */
function narrowPeer(peer: JsonObject, direction: Direction, ctx: TenantContext): readonly JsonObject[] {
  if (objectAt(peer, 'ipBlock') === undefined)
    return objectAt(peer, 'podSelector') === undefined || 'namespaceSelector' in peer ? [] : [peer];
  const { peers } = translatePeer(peer, direction, '', ctx);
  return peers.some((now) => sameRange(now, peer)) ? [peer] : peers;
}

/** Exceptions are a set: in another order they are no other range. */
function sameRange(one: JsonObject, other: JsonObject): boolean {
  const text = (peer: JsonObject): string => {
    const block = objectAt(peer, 'ipBlock');
    const except = (asArray(block?.['except']) ?? []).map((range) => asString(range) ?? '');
    return [stringAt(block, 'cidr') ?? '', ...except.sort()].join(' ');
  };
  return text(one) === text(other);
}
