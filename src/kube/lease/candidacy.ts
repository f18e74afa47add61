import type { KubeObject } from '../../core/kube/object.ts';
import type { Clock } from '../clock.ts';
import { type Failure, isReason, type Result } from '../failure.ts';
import { createObject } from '../objects/create.ts';
import { getObject } from '../objects/get.ts';
import type { ObjectRef } from '../objects/object-path.ts';
import { replaceObject } from '../objects/patch.ts';
import type { Transport } from '../transport/transport.ts';
import { inTime } from './in-time.ts';
import { annotated, heldLease, holderOf, LEASE, type LeaseTimes, newLease, releasedLease } from './lease-record.ts';
import { leaseWatch } from './lease-watch.ts';

/** A lease that we hold. */
export interface Held {
  readonly lease: KubeObject;
  /** by our clock, when the request was sent that renewed it last: nobody can have seen it earlier */
  readonly renewed: number;
}

/** The requests of one candidate for one Lease. */
export interface Candidacy {
  /** undefined where it is somebody else's, or could not be asked for */
  take(signal: AbortSignal): Promise<Held | undefined>;
  /** @param left milliseconds until it is no longer ours. @returns the same where it could not be renewed this time */
  renew(held: Held, left: number, signal: AbortSignal): Promise<Held | 'taken'>;
  release(lease: KubeObject): Promise<void>;
}

interface Options {
  readonly transport: Transport;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly clock: Clock;
  readonly onFailure?: (failure: Failure) => void;
  /** what whoever holds it says on it, for people */
  readonly annotations?: Readonly<Record<string, string>>;
  /** told at each try who holds it */
  readonly onHeld?: (holder: string) => void;
}

/** Milliseconds for a request that gives a lease back, and twice as many in all; who waits for it takes it in time even so. */
const RELEASE = 3_000;

export function candidacy(
  { transport, namespace, name, identity, clock, annotations, onFailure, onHeld }: Options,
  { duration, renewDeadline }: LeaseTimes,
): Candidacy {
  const ref: ObjectRef = { resource: LEASE, namespace, name };
  const watched = leaseWatch(duration);
  const fieldManager = 'tenantplane-lease';
  // so that one lost answer leaves time for another try
  const within = renewDeadline / 2;

  function heldOf(answer: Result<KubeObject>, renewed: number): Held | undefined {
    if ('failure' in answer) {
      onFailure?.(answer.failure);
      return undefined;
    }
    watched.see(answer.value, renewed);
    return { lease: answer.value, renewed };
  }

  return {
    take: async (signal) => {
      const call = { transport, signal, within };
      const found = await getObject(ref, call);
      if ('failure' in found && !isReason(found.failure, 'NotFound')) return heldOf(found, 0);
      const begun = clock.now();
      if ('value' in found) {
        watched.see(found.value, begun);
        if (!watched.isFree(identity, begun)) {
          onHeld?.(holderOf(found.value));
          return undefined;
        }
      }
      const before = 'value' in found ? found.value : newLease(namespace, name);
      const mine = heldLease(annotated(before, annotations), identity, duration, clock.wall());
      // not ended by the signal: whoever is told to stop meanwhile has to know whether it is to be given back
      const write = (ending: AbortSignal): Promise<Result<KubeObject>> => {
        const whole = { ...call, signal: ending, fieldManager };
        // its resourceVersion goes along, so of two who take it one fails
        return 'value' in found ? replaceObject(ref, mine, whole) : createObject(LEASE, mine, whole);
      };
      const written = await inTime(renewDeadline, write, { clock });
      return written === 'late' ? undefined : heldOf(written, begun);
    },
    renew: async (held, left, signal) => {
      const call = { transport, signal, within: Math.max(1, Math.min(left, within)) };
      const put = (lease: KubeObject) => replaceObject(ref, heldLease(lease, identity, duration, clock.wall()), { ...call, fieldManager });
      const begun = clock.now();
      const renewed = await put(held.lease);
      if ('value' in renewed) return { lease: renewed.value, renewed: begun };
      onFailure?.(renewed.failure);
      // who deletes a lease lets another one make it
      if (isReason(renewed.failure, 'NotFound')) return 'taken';
      if (!isReason(renewed.failure, 'Conflict')) return held;
      const found = await getObject(ref, call);
      if ('failure' in found) return isReason(found.failure, 'NotFound') ? 'taken' : held;
      if (holderOf(found.value) !== identity) return 'taken';
      // ours still: the answer to an earlier renewal was lost, or somebody has put a label on it. At once, for there may be no time for another try
      const again = clock.now();
      return heldOf(await put(found.value), again) ?? { ...held, lease: found.value };
    },
    release: async (lease) => {
      const giveBack = async (signal: AbortSignal): Promise<Result<KubeObject>> => {
        const call = { transport, within: RELEASE, signal };
        const give = (own: KubeObject) => replaceObject(ref, releasedLease(own, clock.wall()), { ...call, fieldManager });
        const given = await give(lease);
        if (!('failure' in given && isReason(given.failure, 'Conflict'))) return given;
        // a renewal that was ended on its way may have been done
        const found = await getObject(ref, call);
        return 'value' in found && holderOf(found.value) === identity ? give(found.value) : found;
      };
      const given = await inTime(2 * RELEASE, giveBack, { clock });
      if (given === 'late') onFailure?.({ kind: 'timeout', message: `Lease ${namespace}/${name} was not given back in time.` });
      else if ('failure' in given) onFailure?.(given.failure);
    },
  };
}
