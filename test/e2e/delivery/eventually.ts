import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

/** Looks until what is asked for is there; the last look is what a failure shows. @returns it, and how long it took */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  limit = 60,
): Promise<{ readonly seen: T; readonly seconds: number }> {
  const begin = Date.now();
  for (;;) {
    const looked = Date.now();
    const seen = await look();
    // looking takes a fifth of the time at most: it must not slow down what it waits for
    const pause = Math.min(Math.max(500, 4 * (Date.now() - looked)), 5000);
    const seconds = (Date.now() - begin) / 1000;
    if (holds(seen)) return { seen, seconds };
    if (seconds > limit) expect.fail(`not after ${limit} s: ${JSON.stringify(seen, null, 1).slice(0, 4000)}`);
    await sleep(pause);
  }
}
