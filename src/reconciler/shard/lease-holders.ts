import { annotationsOf, type KubeObject } from '../../core/kube/object.ts';
import type { Clock } from '../../kube/clock.ts';
import { isReason, type Result } from '../../kube/failure.ts';
import { holderOf, LEASE, LEASE_TIMES } from '../../kube/lease/lease-record.ts';
import { type LeaseWatch, leaseWatch } from '../../kube/lease/lease-watch.ts';
import { getObject } from '../../kube/objects/get.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import type { Claim } from './claim.ts';

/** On a Lease: which TenantClusters it is for. */
export const SHARD_SELECTOR = 'tenantplane.io/shard-selector' as const;

/** Whether who claimed something can still write. `gone` never changes back: a process that lost its Lease ends, and no other has its identity. */
export type Standing = 'gone' | { readonly holds: string };

/** Looks after other shards' Leases, one by one and by name: no right to list them is needed. */
export interface LeaseHolders {
  standingOf(claim: Claim, call: Call): Promise<Standing>;
}

/** Milliseconds for which one answer serves all tenants of a shard: what is seen late is only ever told late. */
const FRESH = 5_000;
/** Milliseconds for an answer. */
const WITHIN = 5_000;

interface Answer {
  readonly found: Result<KubeObject>;
  /** when it was asked for, and when it came: what it says was so in between */
  readonly asked: number;
  readonly came: number;
}

interface Seen {
  readonly watch: LeaseWatch;
  last?: { readonly asked: number; readonly answer: Promise<Answer>; readonly signal: AbortSignal };
  /** since when there is none: who held it may not have noticed yet */
  absent?: number;
}

export function leaseHolders(clock: Clock): LeaseHolders {
  const leases = new Map<string, Seen>();

  async function ask(lease: string, call: Call): Promise<Answer> {
    const [namespace = '', name = ''] = lease.split('/');
    const asked = clock.now();
    const found = await getObject({ resource: LEASE, namespace, name }, { ...call, within: WITHIN });
    return { found, asked, came: clock.now() };
  }

  async function read(lease: string, seen: Seen, call: Call): Promise<Answer> {
    const { signal } = call;
    for (;;) {
      signal.throwIfAborted();
      const now = clock.now();
      const last = seen.last !== undefined && now - seen.last.asked < FRESH ? seen.last : { asked: now, answer: ask(lease, call), signal };
      seen.last = last;
      try {
        return await last.answer;
      } catch (error) {
        if (seen.last === last) delete seen.last;
        // whoever asked was told to end; the next one asks anew
        if (signal.aborted || !last.signal.aborted) throw error;
      }
    }
  }

  return {
    standingOf: async ({ lease, holderIdentity }, call) => {
      const seen = leases.get(lease) ?? { watch: leaseWatch(LEASE_TIMES.duration) };
      leases.set(lease, seen);
      const { found, asked, came } = await read(lease, seen, call);
      if ('failure' in found) {
        if (!isReason(found.failure, 'NotFound')) return { holds: `Lease ${lease}, which could not be read: ${found.failure.message}` };
        seen.absent ??= came;
        return asked - seen.absent >= LEASE_TIMES.duration ? 'gone' : { holds: `Lease ${lease}, which is no longer there` };
      }
      delete seen.absent;
      seen.watch.see(found.value, came);
      if (holderOf(found.value) !== holderIdentity || seen.watch.isFree('', asked)) return 'gone';
      const selector = annotationsOf(found.value).get(SHARD_SELECTOR);
      return { holds: `${holderIdentity} by Lease ${lease}${selector === undefined ? '' : `, which is for ${selector}`}` };
    },
  };
}
