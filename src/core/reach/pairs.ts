import type { PolicyDirection } from '../isolation/covered-pods.ts';
import { type Call, call, type Party } from './call.ts';
import type { CallPort, PodEnd } from './endpoint.ts';
import { distinct, portText } from './ports.ts';
import type { World } from './world.ts';

/** What is said of one port: with a `?` where the policies say yes or no, and a fact that is missing may say otherwise. */
export type Says = 'yes' | 'yes?' | '?' | 'no?' | 'no';

/** What is said of two ends, over all ports of the one that is called. */
export interface Pair {
  readonly from: Party;
  readonly to: Party;
  readonly ports: readonly { readonly port: string; readonly says: Says }[];
}

export interface Server extends Party {
  readonly ports: readonly CallPort[];
}

export function pairOf(world: World, from: Party, to: Server): Pair {
  return { from, to, ports: distinct(to.ports).map((port) => ({ port: portText(port), says: saysOf(call(world, from, to, port)) })) };
}

function saysOf({ verdict, byPolicies }: Call): Says {
  if (verdict === 'DoesNotAdmit') return 'no';
  if (verdict !== 'Undecidable') return 'yes';
  if (byPolicies === 'Undecidable') return '?';
  return byPolicies === 'DoesNotAdmit' ? 'no?' : 'yes?';
}

/** The ports of which this is said. */
export function portsOf({ ports }: Pair, ...said: readonly Says[]): readonly string[] {
  return ports.filter(({ says }) => said.includes(says)).map(({ port }) => port);
}

/** Whether anything passes, or may, by the policies that are rendered. */
export function passes({ ports }: Pair): boolean {
  return ports.some(({ says }) => says !== 'no' && says !== 'no?');
}

/**
 * The pairs between different tenants that pass, or may. Nearly none do, and in a big fleet there are millions, so each end first
 * asks whether any of its rules is for the other's namespace at all. Where the host ignores policies all of them pass, and none is listed.
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
      if (world.enforcement === 'ignored') continue;
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
