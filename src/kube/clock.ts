import { setTimeout as wait } from 'node:timers/promises';
import { manyListen } from './on-abort.ts';

/** The one source of time, so that tests can hand in another. */
export interface Clock {
  /** milliseconds that never go back, whatever happens to the wall clock */
  now(): number;
  /** milliseconds since 1970 */
  wall(): number;
  /** At most 24 days. @throws the signal's reason where that is aborted meanwhile */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Milliseconds that a timer of Node's counts; it takes more for 1. Who sleeps longer looks at the time and goes on. */
const LONGEST = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    manyListen(signal);
    try {
      await wait(Math.min(milliseconds, LONGEST), undefined, { signal });
    } catch (error) {
      // Node throws an error of its own and keeps ours as its cause
      signal.throwIfAborted();
      throw error;
    }
  },
};
