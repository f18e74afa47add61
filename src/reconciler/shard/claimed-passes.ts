import { nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { Clock } from '../../kube/clock.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import { isReason } from '../../kube/failure.ts';
import { LEASE_TIMES } from '../../kube/lease/lease-record.ts';
import type { ObjectStore } from '../../kube/reflector/object-store.ts';
import type { Log } from '../log/log.ts';
import type { TenantReconciler } from '../reconcile.ts';
import type { Claims } from './claims.ts';

export interface ClaimedPasses extends TenantReconciler {
  /** TenantClusters that this process is for and that another one works on, long enough not to be on their way here */
  contested(): number;
}

export interface ClaimedPassesOptions {
  readonly claims: Claims;
  readonly tenants: ObjectStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventRecorder;
  /** told of a tenant that is gone, or another shard's now, after the last pass over it */
  forget(key: string): void;
}

/** Milliseconds until the next look at what is somebody else's. That he lets go is a change, and needs none. */
const LOOK = 5_000;
/** Milliseconds until the next look where a watch should have told of something. */
const SOON = 1_000;

/** Has passes over those TenantClusters alone that are claimed, claims them first, and lets go of those that are another shard's now. */
export function claimedPasses(
  inner: TenantReconciler,
  { claims, tenants, clock, log, events, forget }: ClaimedPassesOptions,
): ClaimedPasses {
  const others = new Map<string, { readonly since: number; readonly holds: string; told: boolean }>();

  return {
    contested: () => [...others.values()].filter(({ told }) => told).length,
    reconcile: async (key, signal) => {
      const tenantCluster = tenants.get(key);
      if (tenantCluster === undefined) {
        others.delete(key);
        const outcome = await inner.reconcile(key, signal);
        forget(key);
        // after the last pass over it, and never before
        const failure = await claims.release(key, signal);
        if (failure === undefined) return outcome;
        return isReason(failure, 'Conflict') ? { result: 'success', requeueAfter: SOON } : { result: 'error', failure: failure.message };
      }
      const turn = await claims.turn(tenantCluster, signal);
      if (turn === 'again') return { result: 'success', requeueAfter: SOON };
      if (turn !== 'ours' && 'failure' in turn) return { result: 'error', failure: turn.failure.message };
      if (turn === 'ours') {
        others.delete(key);
        return inner.reconcile(key, signal);
      }
      const before = others.get(key);
      const other = before?.holds === turn.holds ? before : { since: clock.now(), holds: turn.holds, told: false };
      others.set(key, other);
      // one that goes from shard to shard is let go of in less time
      if (!other.told && clock.now() - other.since >= LEASE_TIMES.duration) {
        other.told = true;
        const tenant = `${namespaceOf(tenantCluster) ?? ''}/${nameOf(tenantCluster)}`;
        log.warn('another shard works on a tenant of this one', { tenant, holds: turn.holds });
        const note = `Another reconciler is for it too, and leaves it to ${turn.holds}: selectors overlap, or that one does not let go.`;
        events.record({ type: 'Warning', reason: 'ShardsOverlap', action: 'Reconcile', note, regarding: tenantCluster });
      }
      return { result: 'success', requeueAfter: LOOK };
    },
  };
}
