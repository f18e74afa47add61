import type { AddressSet } from '../../core/reach/address-set.ts';
import type { Party } from '../../core/reach/call.ts';
import { type AddressEnd, type CallPort, type PodEnd, portsNamed } from '../../core/reach/endpoint.ts';
import { numbered, type WantedPort } from './read-words.ts';

/** One end of a call, with the ports that can be meant where it is the one that is called. */
export interface Target extends Party {
  /** what it declares; a port that is not known where it declares none */
  readonly ports: readonly CallPort[];
  /** what a number or a name stands for there; none where it is not declared */
  meant(wanted: WantedPort): readonly CallPort[];
}

/** What people asked for with one word: a workload, the pods behind a Service, all pods of a tenant. */
export interface Place {
  readonly name: string;
  readonly targets: readonly Target[];
}

export function podTarget(
  name: string,
  end: PodEnd,
  ports: readonly CallPort[],
  more: { readonly tenant?: string; readonly single?: boolean; meant?(wanted: WantedPort): readonly CallPort[] } = {},
): Target {
  return { name, end, ports, meant: (wanted) => containerPorts(end, wanted), ...more };
}

function containerPorts(end: PodEnd, wanted: WantedPort): readonly CallPort[] {
  const number = numbered(wanted);
  if (number !== undefined) return [number];
  const protocols = wanted.protocol === undefined ? ['TCP', 'UDP', 'SCTP'] : [wanted.protocol];
  return protocols.flatMap((protocol) => portsNamed(end, wanted.port, protocol).map((port) => ({ protocol, port })));
}

export function addressTarget(name: string, addresses: AddressSet, meant: AddressEnd['meant'], ports: readonly CallPort[] = [{}]): Target {
  return {
    name,
    end: { is: 'addresses', addresses, meant },
    ports,
    meant: (wanted) => {
      const number = numbered(wanted);
      return number === undefined ? [] : [number];
    },
  };
}
