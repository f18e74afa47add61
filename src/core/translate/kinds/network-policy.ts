import type { Check } from '../../checks/check.ts';
import { malformed } from '../../checks/shape.ts';
import { contains, parseCidr } from '../../kube/cidr.ts';
import { asArray, at, isObject, type Json, type JsonObject, objectAt, type Path, stringAt } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit, Refusal } from '../edit.ts';
import { scopedSelector } from '../selectors.ts';
import type { KindTranslation } from '../translation.ts';
import { itemsAt, itemsIn } from './items.ts';
import { shapeCheck } from './kind-checks.ts';
import { type Direction, everyoneIs, everyonePeers, leftOpen, meansEveryone, PEERS, translatePeer } from './network-peers.ts';

const DIRECTIONS = ['ingress', 'egress'] as const;

const checks: readonly Check[] = [
  shapeCheck('NetworkPolicy'),
  {
    id: 'networkpolicy.ranges',
    run: (subject) =>
      DIRECTIONS.flatMap((direction) =>
        itemsAt(subject.object, 'spec', direction).flatMap((rule) => itemsIn(rule, PEERS[direction])),
      ).flatMap(({ item, path }): Refusal[] => {
        const block = objectAt(item, 'ipBlock');
        if (block === undefined) return [];
        const cidr = parseCidr(stringAt(block, 'cidr') ?? '');
        if (cidr === undefined) return [malformed([...path, 'ipBlock', 'cidr'], block['cidr'], 'a range such as 192.0.2.0/24')];
        return (asArray(block['except']) ?? []).flatMap((except, index) => {
          const range = parseCidr(typeof except === 'string' ? except : '');
          const inside = range !== undefined && range.prefix > cidr.prefix && contains(cidr, range);
          return inside ? [] : [malformed([...path, 'ipBlock', 'except', index], except, 'a range inside the cidr')];
        });
      }),
  },
];

/** A policy without a pod selector is for all pods of its namespace; null means the same to the API server. */
function translatePodSelector(edit: Edit, subject: Subject, ctx: TenantContext): void {
  const path = ['spec', 'podSelector'];
  const selector = objectAt(edit.object, ...path) ?? {};
  edit.set(path, scopedSelector(selector, ctx, subject.virtualNamespace, [subject.virtualNamespace]), 'rw.selector');
}

/** Unsaid, the types depend on whether there are egress rules; a rule that is left out must not change them. */
function statePolicyTypes(edit: Edit): void {
  if ((asArray(at(edit.object, 'spec', 'policyTypes')) ?? []).length > 0) return;
  const egress = (asArray(at(edit.object, 'spec', 'egress')) ?? []).length > 0;
  edit.set(['spec', 'policyTypes'], egress ? ['Ingress', 'Egress'] : ['Ingress'], 'rw.network-policy');
}

function translateRules(edit: Edit, subject: Subject, ctx: TenantContext): void {
  for (const direction of DIRECTIONS) {
    const rules = at(edit.object, 'spec', direction);
    if (!Array.isArray(rules)) continue;
    const kept: Json[] = [];
    for (const [index, rule] of rules.entries()) {
      const translated = isObject(rule) ? translateRule(edit, rule, index, direction, subject, ctx) : undefined;
      if (translated !== undefined) kept.push(translated);
    }
    edit.set(['spec', direction], kept, 'rw.network-policy');
  }
}

/** @returns undefined for a rule whose last peer is gone: the API would store the empty list as "everyone" (tried). */
function translateRule(
  edit: Edit,
  rule: JsonObject,
  index: number,
  direction: Direction,
  subject: Subject,
  ctx: TenantContext,
): JsonObject | undefined {
  const field = PEERS[direction];
  const path = ['spec', direction, index, field];
  if (meansEveryone(rule, direction) && leftOpen(ctx, direction)) {
    const { [field]: _everyone, ...open } = rule;
    return open;
  }
  const stated = asArray(rule[field]) ?? [];
  const widens = (what: string, peers: readonly JsonObject[], where: Path): void => {
    const now = peers.length === 0 ? 'it is left out' : `it becomes ${everyoneIs(ctx, direction)}`;
    edit.note('NetworkPolicyWidens', { what, now }, where);
  };
  if (stated.length === 0) {
    const peers = everyonePeers(ctx, direction);
    widens('everyone', peers, path);
    return { ...rule, [field]: peers };
  }
  const kept = new Map<string, Json>();
  for (const [index, peer] of stated.entries()) {
    if (!isObject(peer)) continue;
    const translated = translatePeer(peer, direction, subject.virtualNamespace, ctx);
    if (translated.widens !== undefined) widens(translated.widens, translated.peers, [...path, index]);
    for (const each of translated.peers) kept.set(JSON.stringify(each), each);
  }
  return kept.size === 0 ? undefined : { ...rule, [field]: [...kept.values()] };
}

export const networkPolicy: KindTranslation = {
  key: 'NetworkPolicy.networking.k8s.io',
  checks,
  steps: [translatePodSelector, statePolicyTypes, translateRules],
};
