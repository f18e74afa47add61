import { expect, test } from 'vitest';
import { type Ended, type Leadership, lead } from '../../src/kube/lease/lead.ts';
import { type Fate, leaseHost } from '../support/lease-host.ts';
import { manualClock } from '../support/manual-clock.ts';

/** Somebody who leads, and whose work goes on until a test ends it. */
function setting(fate?: (method: string, time: number) => Fate) {
  const clock = manualClock();
  const host = leaseHost(clock, fate);
  const [stop, work] = [new AbortController(), new AbortController()];
  const state: { leadership?: Leadership; ended?: Ended } = {};
  void lead(
    { transport: host, namespace: 'n', name: 'l', identity: 'me', clock, random: () => 0 },
    async (given) => {
      state.leadership = given;
      await clock.sleep(1e9, work.signal).catch(() => undefined);
    },
    stop.signal,
  ).then((ended) => {
    state.ended = ended;
  });
  return { clock, host, stop, work, state };
}

const OTHER = { metadata: { name: 'l' }, spec: { holderIdentity: 'other', leaseDurationSeconds: 15 } };

test('who loses the lease while its work drains is told so', async () => {
  const { clock, host, stop, work, state } = setting();
  await clock.advance(1000);
  stop.abort();
  await clock.advance(500);
  expect(state.leadership?.signal.aborted).toBe(true);
  expect(state.leadership?.lost.aborted).toBe(false);
  host.write(OTHER);
  await clock.advance(500);
  expect(state.leadership?.lost.aborted).toBe(true);
  work.abort();
  await clock.advance(0);
  expect(state.ended).toBe('lost');
  expect(host.holder()).toBe('other');
});
