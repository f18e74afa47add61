import type { JsonObject } from '../kube/json.ts';
import type { AddressSet } from './address-set.ts';
import type { Labels } from './selects.ts';

/** One end of a call as policies see it: pods of one template, or addresses. */
export type Endpoint = PodEnd | AddressEnd;

export interface PodEnd {
  readonly is: 'pod';
  readonly namespace: string;
  readonly namespaceLabels: Labels;
  readonly labels: Labels;
  /** ports that its containers declare */
  readonly ports: readonly JsonObject[];
  /** where its address may lie; one address where it is known */
  readonly addresses: AddressSet;
  readonly hostNetwork: boolean;
  /** whether its namespace is rendered from here, so that all policies in it are known */
  readonly rendered: boolean;
}

export interface AddressEnd {
  readonly is: 'addresses';
  readonly addresses: AddressSet;
  /** whether all of them are meant, or one of them that is not known */
  readonly meant: 'all' | 'one';
}

/** Undefined parts are not known: a call to a port that nobody declared. */
export interface CallPort {
  readonly protocol?: string;
  readonly port?: number;
}

/** The numbers that a pod's containers give a port's name; policies of both ends resolve names there. */
export function portsNamed(server: Endpoint, name: string, protocol: string): number[] {
  if (server.is !== 'pod') return [];
  return server.ports.flatMap((port) =>
    port['name'] === name && (port['protocol'] ?? 'TCP') === protocol && typeof port['containerPort'] === 'number'
      ? [port['containerPort']]
      : [],
  );
}
