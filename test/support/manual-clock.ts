import type { Clock } from '../../src/kube/clock.ts';
import { onAbort } from '../../src/kube/on-abort.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** moves on, and lets everybody whose time has come run before the next one's comes */
  advance(milliseconds: number): Promise<void>;
  /** milliseconds that somebody who sleeps still has to, in the order in which they wake */
  sleeping(): readonly number[];
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

export function manualClock(start: number = Date.parse('2026-01-01T00:00:00Z')): ManualClock {
  let now = 0;
  const sleepers = new Set<Sleeper>();
  const next = (): Sleeper | undefined => [...sleepers].sort((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    wall: () => start + now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const stop = (): void => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        };
        const sleeper: Sleeper = {
          at: now + milliseconds,
          wake: () => {
            sleepers.delete(sleeper);
            forget();
            resolve();
          },
        };
        sleepers.add(sleeper);
        const forget = onAbort(signal, stop);
      }),
    sleeping: () => [...sleepers].map(({ at }) => at - now).sort((a, b) => a - b),
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      await settled();
      for (let sleeper = next(); sleeper !== undefined && sleeper.at <= end; sleeper = next()) {
        now = Math.max(now, sleeper.at);
        sleeper.wake();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** Until everything that can go on without time has gone on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
