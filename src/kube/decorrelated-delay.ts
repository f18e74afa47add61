import type { Random } from './random.ts';

/** Milliseconds before the next try: random between the least and three times the last one, so that clients drift apart. */
export interface DecorrelatedDelay {
  next(): number;
  reset(): void;
}

export interface DelayBounds {
  readonly least: number;
  readonly most: number;
}

/** As client-go's reflectors have it. */
export const REFLECTOR_DELAY: DelayBounds = { least: 800, most: 30_000 };

export function decorrelatedDelay(random: Random, { least, most }: DelayBounds = REFLECTOR_DELAY): DecorrelatedDelay {
  let last = least;
  return {
    next: () => {
      last = Math.min(most, least + random() * (last * 3 - least));
      return last;
    },
    reset: () => {
      last = least;
    },
  };
}
