import { setTimeout as wait } from 'node:timers/promises';
import { manyListen } from './on-abort.ts';

/** The one source of time, so that tests can hand in another. */
export interface Clock {
  /** milliseconds that never go back, whatever happens to the wall clock */
  now(): number;
  /** milliseconds since 1970 */
  wall(): number;
  /** @throws the signal's reason where that is aborted meanwhile */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    manyListen(signal);
    try {
      await wait(milliseconds, undefined, { signal });
    } catch (error) {
      // Node throws an error of its own and keeps ours as its cause
      signal.throwIfAborted();
      throw error;
    }
  },
};
