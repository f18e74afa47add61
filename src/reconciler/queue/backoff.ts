const FIRST = 1_000;
const MOST = 300_000;
/** Those that failed of one cause at one time come back apart. */
const JITTER = 0.1;

/**
 * Milliseconds until a key that failed is tried again: 1 s, twice as long each time, at most 5 min.
 * @param before failures before this one
 * @param chance at least 0, below 1
 */
export function backoffDelay(before: number, chance: number): number {
  // 2 ** 9 s is past the most already; larger powers would only lose digits
  return Math.min(FIRST * 2 ** Math.min(before, 9), MOST) * (1 + JITTER * (2 * chance - 1));
}
