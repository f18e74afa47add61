import type { Clock } from '../../kube/clock.ts';
import type { Leadership } from '../../kube/lease/lead.ts';
import type { Random } from '../../kube/random.ts';
import type { ObjectStore } from '../../kube/reflector/object-store.ts';
import type { Log } from '../log/log.ts';
import type { WorkQueue } from '../queue/work-queue.ts';

export interface Leading {
  readonly queue: WorkQueue;
  readonly tenants: ObjectStore;
  /** milliseconds between two passes over all tenants, whatever happens */
  readonly resync: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Part of the time over which a resync is spread, so that tenants do not come all at once. */
const SPREAD = 0.1;

/** Passes over all tenants, then over what changes, for as long as this process leads; then what is under way ends. */
export async function leading({ queue, tenants, resync, clock, random, log }: Leading, { signal, lost }: Leadership): Promise<void> {
  queue.add([...tenants.keys()], { low: true });
  const again = resyncing();
  const left = await queue.run(signal, lost);
  await again;
  if (left.length > 0) log.error('passes did not end in time', { tenants: [...left] });

  async function resyncing(): Promise<void> {
    try {
      for (;;) {
        await clock.sleep(resync * (1 - SPREAD / 2), signal);
        for (const key of tenants.keys()) queue.add([key], { low: true, after: 1 + resync * SPREAD * random() });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
