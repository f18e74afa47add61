import type { PolicyDirection } from '../isolation/covered-pods.ts';
import { call, type Party } from './call.ts';
import type { CallPort, PodEnd } from './endpoint.ts';
import { distinct, portText } from './ports.ts';
import type { World } from './world.ts';

/** What the policies say of two ends, over all ports of the one that is called. */
export interface Pair {
  readonly from: Party;
  readonly to: Party;
  readonly admitted: readonly string[];
  readonly undecided: readonly string[];
  readonly stopped: readonly string[];
}

export interface Server extends Party {
  readonly ports: readonly CallPort[];
}

export function pairOf(world: World, from: Party, to: Server): Pair {
  const pair = { from, to, admitted: [] as string[], undecided: [] as string[], stopped: [] as string[] };
  for (const port of distinct(to.ports)) {
    const { byPolicies } = call(world, from, to, port);
    const list = byPolicies === 'DoesNotAdmit' ? pair.stopped : byPolicies === 'Undecidable' ? pair.undecided : pair.admitted;
    list.push(portText(port));
  }
  return pair;
}

export function passes({ admitted, undecided }: Pair): boolean {
  return admitted.length > 0 || undecided.length > 0;
}

/**
 * The pairs between different tenants that pass, or may. Nearly none do, and in a big fleet there are millions, so each end first
 * asks whether any of its rules is for the other's namespace at all.
 */
export function pairsAcross(world: World, servers: readonly Server[]): { readonly count: number; readonly pairs: readonly Pair[] } {
  const groups = new Map<string, { readonly sample: PodEnd; readonly tenant: string | undefined; readonly members: Server[] }>();
  for (const server of servers) {
    if (server.end.is !== 'pod') continue;
    const group = groups.get(server.end.namespace);
    if (group === undefined) groups.set(server.end.namespace, { sample: server.end, tenant: server.tenant, members: [server] });
    else group.members.push(server);
  }
  let count = 0;
  const pairs: Pair[] = [];
  for (const { tenant, members, sample } of groups.values()) {
    for (const other of groups.values()) {
      if (other.tenant === tenant) continue;
      count += members.length * other.members.length;
      const leaving = members.filter(({ end }) => concerns(world, 'Egress', end, other.sample));
      const entering = leaving.length === 0 ? [] : other.members.filter(({ end }) => concerns(world, 'Ingress', end, sample));
      for (const from of leaving) {
        for (const to of entering) {
          const pair = pairOf(world, from, to);
          if (passes(pair)) pairs.push(pair);
        }
      }
    }
  }
  return { count, pairs };
}

/** Whether `subject` may admit anything of the namespace of `sample`. */
function concerns(world: World, direction: PolicyDirection, subject: Party['end'], sample: PodEnd): boolean {
  if (subject.is !== 'pod') return true;
  let selected = false;
  for (const policy of world.policiesIn(subject.namespace)) {
    const rules = policy.rules[direction];
    const selects = rules === undefined ? 'no' : policy.selects(subject);
    if (rules === undefined || selects === 'no') continue;
    if (selects === 'yes') selected = true;
    if (rules.some(({ peers }) => peers === undefined || peers.some((peer) => 'block' in peer || peer.namespaces(sample) !== 'no')))
      return true;
  }
  return !selected;
}
