import { type JsonObject, objectAt, stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import { microTime } from '../micro-time.ts';
import type { Resource } from '../transport/resource-path.ts';

export const LEASE: Resource = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true };

/** Milliseconds. client-go's and controller-runtime's own figures are the defaults. */
export interface LeaseTimes {
  /** how long nobody else takes a lease that was not renewed */
  readonly duration: number;
  /** how long its holder tries to renew it before it stops */
  readonly renewDeadline: number;
  /** between two tries */
  readonly retryPeriod: number;
}

export const LEASE_TIMES: LeaseTimes = { duration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

export function holderOf(lease: KubeObject): string {
  return stringAt(lease, 'spec', 'holderIdentity') ?? '';
}

/** What a lease says of how long it holds, in milliseconds: its holder may have other times than we have. */
export function durationOf(lease: KubeObject, otherwise: number): number {
  const seconds = objectAt(lease, 'spec')?.['leaseDurationSeconds'];
  return typeof seconds === 'number' ? seconds * 1000 : otherwise;
}

/** The lease as its holder writes it: taken from somebody else, or held on to. */
export function heldLease(before: KubeObject, identity: string, duration: number, wall: number): KubeObject {
  const spec: JsonObject = objectAt(before, 'spec') ?? {};
  const now = microTime(wall);
  const taken = holderOf(before) !== identity;
  const transitions = typeof spec['leaseTransitions'] === 'number' ? spec['leaseTransitions'] : 0;
  return {
    ...before,
    spec: {
      ...spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(duration / 1000),
      acquireTime: taken ? now : (spec['acquireTime'] ?? now),
      renewTime: now,
      leaseTransitions: taken ? transitions + 1 : transitions,
    },
  };
}

export function annotated(lease: KubeObject, annotations: Readonly<Record<string, string>> = {}): KubeObject {
  const metadata = objectAt(lease, 'metadata');
  return { ...lease, metadata: { ...metadata, annotations: { ...objectAt(metadata, 'annotations'), ...annotations } } };
}

/** Nobody's: the next one need not wait. The duration may not be 0. */
export function releasedLease(before: KubeObject, wall: number): KubeObject {
  const now = microTime(wall);
  return {
    ...before,
    spec: { ...objectAt(before, 'spec'), holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now },
  };
}

export function newLease(namespace: string, name: string): KubeObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name } };
}
