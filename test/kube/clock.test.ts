import { expect, test } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/kube/clock.ts';

test.each([2 ** 31, 1e15, Number.POSITIVE_INFINITY])(
  'a sleep of %d ms, which no timer of Node’s counts, does not end at once',
  async (milliseconds) => {
    const stop = new AbortController();
    const slept = SYSTEM_CLOCK.sleep(milliseconds, stop.signal).then(
      () => 'slept',
      () => 'told to end',
    );
    setTimeout(() => stop.abort(), 30);
    expect(await slept).toBe('told to end');
  },
);
