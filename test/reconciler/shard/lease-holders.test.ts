import { expect, test } from 'vitest';
import { leaseHolders } from '../../../src/reconciler/shard/lease-holders.ts';
import { type Fate, leaseHost } from '../../support/lease-host.ts';
import { manualClock } from '../../support/manual-clock.ts';

const CLAIM = { lease: 'n/l', holderIdentity: 'other' };

function setting(fate?: (method: string, time: number) => Fate) {
  const clock = manualClock();
  const host = leaseHost(clock, fate);
  host.write({ metadata: { name: 'l' }, spec: { holderIdentity: 'other', leaseDurationSeconds: 15 } });
  const holders = leaseHolders(clock);
  const standing = (signal: AbortSignal) => holders.standingOf(CLAIM, { transport: host, signal });
  return { clock, host, standing };
}

test('a look that is shared does not end for the others because who began it is told to end', async () => {
  const { clock, host, standing } = setting((_, time) => (time < 1000 ? 'late' : 'answered'));
  const [first, second] = [new AbortController(), new AbortController()];
  const told = standing(first.signal).catch((error: unknown) => error);
  const other = standing(second.signal).catch((error: unknown) => error);
  await clock.advance(2000);
  first.abort('enough');
  await clock.advance(0);
  expect(await told).toBe('enough');
  expect(await other).toEqual({ holds: 'other by Lease n/l' });
  expect(host.asked).toEqual(['0 GET', '2 GET']);
});

test('a look serves all for five seconds, and a lease that stands still is gone after as long as its holder said', async () => {
  const { clock, host, standing } = setting();
  const signal = new AbortController().signal;
  for (let seconds = 0; seconds < 15; seconds += 1) {
    expect(await standing(signal)).toEqual({ holds: 'other by Lease n/l' });
    await clock.advance(1000);
  }
  expect(await standing(signal)).toBe('gone');
  expect(host.asked).toEqual(['0 GET', '5 GET', '10 GET', '15 GET']);
});
