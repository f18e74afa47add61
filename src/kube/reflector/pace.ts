import { decorrelatedDelay } from '../decorrelated-delay.ts';
import { type Failure, isExpired } from '../failure.ts';
import type { Random } from '../random.ts';

/** How one round of a reflector ended: a whole list, or a watch. */
export interface Round {
  readonly failure: Failure | undefined;
  readonly listed: boolean;
  readonly milliseconds: number;
  /** the budget of the server decides when it is asked again */
  readonly governed: boolean;
}

/** Milliseconds that one reflector waits after a round, beside what its server's budget asks of all. */
export interface Pace {
  after(round: Round): number;
}

/** A watch that ends sooner is followed by a pause, or a server that ends each at once would be asked without one. */
const SHORT = 5_000;

export function pace(random: Random): Pace {
  const delay = decorrelatedDelay(random);
  let expired = 0;
  return {
    after: ({ failure, listed, milliseconds, governed }) => {
      if (milliseconds >= SHORT) {
        delay.reset();
        expired = 0;
        return 0;
      }
      if (governed || (listed && failure === undefined)) return 0;
      if (failure !== undefined && isExpired(failure)) {
        expired += 1;
        // a list mends it; if the next watch has expired too, it does not
        if (expired === 1) return 0;
      }
      return delay.next();
    },
  };
}
