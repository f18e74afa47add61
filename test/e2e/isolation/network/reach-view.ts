import { parseAddress } from '../../../../src/core/kube/cidr.ts';
import { addresses } from '../../../../src/core/reach/address-set.ts';
import type { Endpoint, PodEnd } from '../../../../src/core/reach/endpoint.ts';
import { type Judgement, judge } from '../../../../src/core/reach/judge.ts';
import { readPolicy } from '../../../../src/core/reach/read-policy.ts';
import { allKnown } from '../../../../src/core/reach/selects.ts';
import type { Cluster, Pod, Verdicts } from './engine.ts';

const SAYS: Readonly<Record<Judgement['verdict'], string>> = {
  Admits: 'open',
  NotSelected: 'open',
  DoesNotAdmit: 'shut',
  Undecidable: 'undecidable',
};

export interface Compared {
  readonly wrong: readonly string[];
  readonly open: number;
  readonly shut: number;
  /** verdicts where a policy selects the pod */
  readonly selected: number;
}

/** What our evaluator says of each pod, peer, port and direction of a cluster, beside what the engine said. */
export function compareReach(cluster: Cluster, verdicts: Verdicts, endOf: (pod: Pod) => PodEnd = (pod) => podEnd(pod, cluster)): Compared {
  const policies = cluster.policies.map(readPolicy);
  const pods = cluster.pods.map(endOf);
  const ends: Endpoint[] = [
    ...pods,
    ...cluster.addresses.map((address): Endpoint => ({ is: 'addresses', addresses: only(address), meant: 'one' })),
  ];
  const wrong: string[] = [];
  const seen = { open: 0, shut: 0, selected: 0 };
  for (const [number, subject] of pods.entries()) {
    const own = policies.filter(({ namespace }) => namespace === subject.namespace);
    for (const [peer, other] of ends.entries()) {
      for (const [index, port] of cluster.ports.entries()) {
        for (const direction of ['Egress', 'Ingress'] as const) {
          const said = judge(own, direction, { subject, other, port });
          const engine = direction === 'Egress' ? verdicts.out(number, peer, index) : verdicts.in(peer, number, index);
          seen[engine ? 'open' : 'shut'] += 1;
          if (said.verdict !== 'NotSelected') seen.selected += 1;
          if (SAYS[said.verdict] === (engine ? 'open' : 'shut')) continue;
          wrong.push(`${direction} of pod ${number} with ${peer} ${port.protocol} ${port.port}: ${said.verdict}, engine ${engine}`);
        }
      }
    }
  }
  return { wrong, ...seen };
}

/** A pod of which everything is known, its address too. */
export function podEnd(pod: Pod, { namespaces }: Pick<Cluster, 'namespaces'>): PodEnd {
  return {
    is: 'pod',
    namespace: pod.namespace,
    namespaceLabels: allKnown(new Map(Object.entries(namespaces.get(pod.namespace) ?? {}))),
    labels: allKnown(new Map(Object.entries(pod.labels))),
    ports: pod.ports ?? [],
    addresses: only(pod.address),
    hostNetwork: false,
    rendered: true,
  };
}

function only(text: string): PodEnd['addresses'] {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} is no address`);
  return addresses([{ ...address, prefix: address.bits }]);
}
