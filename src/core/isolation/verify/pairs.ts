import { type KubeObject, nameOf, namespaceOf } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { CompiledObject } from '../compiled-object.ts';
import { type BoundaryInput, boundaryContext } from './boundary-input.ts';
import type { Trusted } from './boundary-report.ts';
import { compareObject } from './compare-object.ts';
import { hostOf, knownHost } from './known-host.ts';
import { keyOf, type LiveBoundary, liveBoundary } from './live-boundary.ts';
import { NETWORK_POLICY, plannedInNamespaces, plannedOnHost } from './planned-boundary.ts';

/** A planned object with the live one that stands for it, where one does. */
export interface Pair {
  readonly planned: CompiledObject;
  readonly live?: KubeObject;
}

export interface BoundaryPairs {
  readonly ctx: TenantContext;
  readonly live: LiveBoundary;
  readonly pairs: readonly Pair[];
  readonly trusted: Trusted;
}

/** @throws where TenantCluster, profile or policy are not legal */
export function boundaryPairs(input: BoundaryInput): BoundaryPairs {
  const live = liveBoundary(input.live);
  const { host, trusted } = hostOf(input.facts ?? knownHost(), live);
  const ctx = boundaryContext(input, host);
  return { ctx, live, trusted, pairs: pairUp([...plannedInNamespaces(ctx, live), ...plannedOnHost(ctx)], live) };
}

/** The name of one of several policies that say the same of other pods (`termName`): its last part is only a digest of the selector. */
const TERM = /^(.+-(?:ingress|egress))-[a-z2-7]+$/;

/**
 * By name; a term of an allowance by what it says as well. Its name is a digest of a selector as the render wrote it, and the API server
 * writes the same selector in another order.
 */
function pairUp(planned: readonly CompiledObject[], live: LiveBoundary): readonly Pair[] {
  const named = planned.map((each): Pair => {
    const found = live.find(keyOf(each.object), namespaceOf(each.object), nameOf(each.object));
    return { planned: each, ...(found !== undefined && { live: found }) };
  });
  const taken = new Set(named.map((pair) => pair.live));
  return named.map((pair) => {
    if (pair.live !== undefined || keyOf(pair.planned.object) !== NETWORK_POLICY) return pair;
    const { object } = pair.planned;
    const stem = TERM.exec(nameOf(object))?.[1];
    if (stem === undefined) return pair;
    const same = live
      .all(NETWORK_POLICY, namespaceOf(object))
      .find((other) => !taken.has(other) && TERM.exec(nameOf(other))?.[1] === stem && compareObject(object, other).length === 0);
    if (same === undefined) return pair;
    taken.add(same);
    return { ...pair, live: same };
  });
}
