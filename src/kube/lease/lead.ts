import type { Clock } from '../clock.ts';
import type { Failure } from '../failure.ts';
import { onAbort } from '../on-abort.ts';
import type { Random } from '../random.ts';
import type { Transport } from '../transport/transport.ts';
import { type Candidacy, candidacy, type Held } from './candidacy.ts';
import { inTime } from './in-time.ts';
import { LEASE_TIMES, type LeaseTimes } from './lease-record.ts';

export interface LeadOptions {
  readonly transport: Transport;
  readonly namespace: string;
  /** of the Lease, which all candidates share */
  readonly name: string;
  /** who this is: another one for each process, also of one pod that starts again */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly times?: LeaseTimes;
  /** what the Lease says, for people, while this process holds it */
  readonly annotations?: Readonly<Record<string, string>>;
  /** told of each request that failed; it is tried again */
  readonly onFailure?: (failure: Failure) => void;
  /** told at each try, while it waits for its turn, whose it is */
  readonly onHeld?: (holder: string) => void;
}

export interface Leadership {
  /** aborted when it ends: because it was lost, or because it is to be given back */
  readonly signal: AbortSignal;
  /** aborted when it is lost, also while the work drains: what is under way has to end at once */
  readonly lost: AbortSignal;
  /** Whether nobody else can lead now. To be asked right before each write: a process that stood still has missed its timers. */
  holds(): boolean;
}

/**
 * `stopped`: the work has ended, and the lease was given back. `lost`: somebody else may lead now, and the work has ended before that.
 * `overrun`: it has not, and the process has to end.
 */
export type Ended = 'stopped' | 'lost' | 'overrun';

export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/**
 * Waits for its turn, works while it leads, and gives the lease back. While the work drains after the signal, the lease is still
 * renewed, so that nobody begins before it has ended.
 * @throws what the work throws, unless that is the reason of its signal
 */
export async function lead(options: LeadOptions, work: (leadership: Leadership) => Promise<void>, signal: AbortSignal): Promise<Ended> {
  const { clock, random, times = LEASE_TIMES } = options;
  const candidate = candidacy(options, times);
  let held: Held | undefined;
  try {
    while (held === undefined) {
      held = await candidate.take(signal);
      // apart, or candidates that began together ask together for ever
      if (held === undefined) await clock.sleep(times.retryPeriod * (1 + random()), signal);
    }
  } catch (error) {
    if (signal.aborted) return 'stopped';
    throw error;
  }
  if (!signal.aborted) return hold(candidate, held, work, { clock, times, signal });
  await candidate.release(held.lease);
  return 'stopped';
}

interface Term {
  readonly clock: Clock;
  readonly times: LeaseTimes;
  readonly signal: AbortSignal;
}

async function hold(
  candidate: Candidacy,
  first: Held,
  work: (leadership: Leadership) => Promise<void>,
  { clock, times, signal }: Term,
): Promise<Ended> {
  const [leading, losing, renewing] = [new AbortController(), new AbortController(), new AbortController()];
  const forget = onAbort(signal, () => leading.abort(signal.reason));
  let held = first;
  let lost = false;
  const holds = (): boolean => !lost && clock.now() < held.renewed + times.renewDeadline;
  const lose = (why: string): void => {
    const reason = new LeadershipLost(why);
    losing.abort(reason);
    leading.abort(reason);
  };
  const working = work({ signal: leading.signal, lost: losing.signal, holds });
  const done = working.then(
    () => 'done' as const,
    () => 'done' as const,
  );
  try {
    const ended = await Promise.race([done, keep()]);
    if (ended === 'done') {
      renewing.abort();
      await candidate.release(held.lease);
      // what ends because it was told to ends well
      await working.catch((error: unknown) => {
        if (!leading.signal.aborted || error !== leading.signal.reason) throw error;
      });
      return 'stopped';
    }
    lost = true;
    lose('Another one may lead from now on.');
    const left = held.renewed + times.duration - clock.now();
    const late = clock.sleep(Math.max(0, left), renewing.signal).then(() => 'late' as const);
    return (await Promise.race([done, late])) === 'done' ? 'lost' : 'overrun';
  } finally {
    renewing.abort();
    lose('The lease is no longer renewed.');
    forget();
  }

  /** Renews until it is told to stop; resolves when the lease is no longer ours. */
  async function keep(): Promise<'lost'> {
    try {
      while (holds()) {
        const until = held.renewed + times.renewDeadline;
        await clock.sleep(Math.max(0, Math.min(times.retryPeriod, until - clock.now())), renewing.signal);
        if (!holds()) return 'lost';
        const left = until - clock.now();
        const next = await inTime(left, (ending) => candidate.renew(held, left, ending), { clock, signal: renewing.signal });
        if (next === 'taken' || next === 'late') return 'lost';
        held = next;
      }
      return 'lost';
    } catch (error) {
      if (renewing.signal.aborted) return new Promise(() => undefined); // nobody waits for it any more
      throw error;
    }
  }
}
