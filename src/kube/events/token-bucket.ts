/** Lets through a burst, and then one at a time. */
export interface TokenBucket {
  take(now: number): boolean;
}

/** @param refill milliseconds for one more */
export function tokenBucket(burst: number, refill: number): TokenBucket {
  let [tokens, at] = [burst, 0];
  return {
    take: (now) => {
      tokens = Math.min(burst, tokens + (now - at) / refill);
      at = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
