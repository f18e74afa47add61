import type { PolicyDirection } from '../isolation/covered-pods.ts';
import { asArray, type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { selectorMatcher } from '../kube/labels.ts';
import { stringMap } from '../kube/object.ts';
import type { CallPort, Endpoint, PodEnd } from './endpoint.ts';
import { portFits, type RuleRef } from './judge.ts';
import type { Peer, Policy, Rule } from './read-policy.ts';

/** What keeps a rule from admitting a call. */
export type Miss =
  | { readonly what: 'port' }
  /** the requirement that the other end does not meet, as people write it, and what it has instead */
  | { readonly what: 'label'; readonly key: string; readonly wanted: string; readonly has: string | undefined };

/** A rule that nearly admits a call, by as little as it takes. */
export interface Near extends RuleRef {
  readonly misses: readonly Miss[];
}

/** Past so many things to change, a rule is not near but another one. */
const FEW = 2;

/** Of the policies that select `subject` the rule that needs the least to admit the call; undefined where none is near. */
export function nearest(
  policies: readonly Policy[],
  direction: PolicyDirection,
  { subject, other, port }: { readonly subject: PodEnd; readonly other: Endpoint; readonly port: CallPort },
): Near | undefined {
  const server = direction === 'Egress' ? other : subject;
  const near = policies.flatMap((policy) =>
    (policy.selects(subject) === 'no' ? [] : (policy.rules[direction] ?? [])).flatMap((rule): Near[] => {
      const misses = missesOf(rule, other);
      if (misses === undefined) return [];
      const all: Miss[] = portFits(rule.ports, port, server) === 'no' ? [{ what: 'port' }, ...misses] : [...misses];
      return all.length > 0 && all.length <= FEW ? [{ policy, rule, misses: all }] : [];
    }),
  );
  return near.sort((a, b) => a.misses.length - b.misses.length)[0];
}

/** Undefined where no label that pods may carry would do. */
function missesOf(rule: Rule, other: Endpoint): readonly Miss[] | undefined {
  if (rule.peers === undefined) return [];
  const each = rule.peers.flatMap((peer) => {
    const misses = peerMisses(peer, other);
    return misses === undefined ? [] : [misses];
  });
  return each.sort((a, b) => a.length - b.length)[0];
}

function peerMisses(peer: Peer, other: Endpoint): readonly Miss[] | undefined {
  if (other.is !== 'pod' || 'block' in peer || peer.namespaces(other) === 'no') return undefined;
  const selector = objectAt(peer.written, 'podSelector') ?? {};
  return requirements(selector).flatMap(({ key, wanted, selector: one }): Miss[] =>
    selectorMatcher(one)(other.labels.known) ? [] : [{ what: 'label', key, wanted, has: other.labels.known.get(key) }],
  );
}

/** Each requirement of a selector as a selector of its own, and as kubectl takes it behind `-l`. */
function requirements(selector: JsonObject): { readonly key: string; readonly wanted: string; readonly selector: JsonObject }[] {
  return [
    ...[...stringMap(objectAt(selector, 'matchLabels'))].map(([key, value]) => ({
      key,
      wanted: `${key}=${value}`,
      selector: { matchLabels: { [key]: value } },
    })),
    ...objectsOf(selector['matchExpressions']).map((expression) => ({
      key: stringAt(expression, 'key') ?? '',
      wanted: expressionText(expression),
      selector: { matchExpressions: [expression] },
    })),
  ];
}

function expressionText(expression: JsonObject): string {
  const key = stringAt(expression, 'key') ?? '';
  const values = (asArray(expression['values']) ?? []).map(String).join(', ');
  switch (stringAt(expression, 'operator')) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'Exists':
      return key;
    default:
      return `!${key}`;
  }
}
