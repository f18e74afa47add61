import type { Clock } from './clock.ts';
import { type DelayBounds, decorrelatedDelay, REFLECTOR_DELAY } from './decorrelated-delay.ts';
import { onAbort } from './on-abort.ts';
import type { Random } from './random.ts';

/**
 * What everybody who watches one server may ask of it together. While it is down one of them tries, once a delay; the others wait
 * for how that ends, and then go one after another instead of all at once.
 */
export interface ServerBudget {
  /**
   * Waits until the server may be asked.
   * @throws the signal's reason
   */
  admit(signal: AbortSignal): Promise<Ticket>;
}

/** Leave to ask once. Exactly one of these is called; others after it do nothing. */
export interface Ticket {
  succeeded(): void;
  /**
   * The server as a whole did not serve; it may have said for how long.
   * @returns whether that is news: what follows an answer is the asker's own affair
   */
  failed(retryAfterSeconds?: number): boolean;
  /** it came to nothing that says anything of the server */
  dropped(): void;
}

interface Options {
  readonly clock: Clock;
  readonly random: Random;
  readonly bounds?: DelayBounds;
}

/** Milliseconds over which those who waited for a server come back. */
const SPREAD = 1000;

export function serverBudget({ clock, random, bounds = REFLECTOR_DELAY }: Options): ServerBudget {
  const delay = decorrelatedDelay(random, bounds);
  let down = false;
  let until = 0;
  let probing = false;
  /** grows with each outage, so that eight requests that fail of one cause are one failure */
  let outages = 0;
  let waiting = new AbortController();

  function wake(): void {
    const woken = waiting;
    waiting = new AbortController();
    woken.abort();
  }

  function ticket(probe: boolean): Ticket {
    const [begun, settle] = [outages, once()];
    const settled = (change: () => void) => (): boolean => {
      if (!settle()) return false;
      if (probe) probing = false;
      change();
      if (probe) wake();
      return true;
    };
    return {
      succeeded: settled(() => {
        // what was asked before it went down says nothing of now
        if (begun !== outages) return;
        down = false;
        delay.reset();
      }),
      failed: (retryAfterSeconds = 0) =>
        settled(() => {
          const asked = clock.now() + retryAfterSeconds * 1000;
          if (begun === outages) {
            outages += 1;
            down = true;
            until = Math.max(asked, clock.now() + delay.next());
          } else until = Math.max(until, asked);
        })(),
      dropped: settled(() => undefined),
    };
  }

  return {
    admit: async (signal) => {
      let waited = false;
      for (;;) {
        signal.throwIfAborted();
        if (!down) {
          if (!waited) return ticket(false);
          // once more may it have gone down, while those who waited come back
          await clock.sleep(random() * SPREAD, signal);
          waited = false;
        } else if (clock.now() < until) await clock.sleep(until - clock.now(), signal);
        else if (!probing) {
          probing = true;
          return ticket(true);
        } else {
          await either(waiting.signal, signal);
          waited = true;
        }
      }
    },
  };
}

function once(): () => boolean {
  let first = true;
  return () => {
    const is = first;
    first = false;
    return is;
  };
}

function either(a: AbortSignal, b: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const forget of forgets) forget();
      resolve();
    };
    const forgets = [onAbort(a, done), onAbort(b, done)];
  });
}
