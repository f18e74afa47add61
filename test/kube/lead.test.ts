import { expect, test } from 'vitest';
import { inTime } from '../../src/kube/lease/in-time.ts';
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

test('a lease is given back although its last renewal was done and not yet answered', async () => {
  let puts = 0;
  const first = (method: string): boolean => method === 'PUT' && ++puts === 1;
  const { clock, host, stop, work, state } = setting((method) => (first(method) ? 'late' : 'answered'));
  await clock.advance(2000);
  stop.abort();
  work.abort();
  await clock.advance(0);
  expect(state.ended).toBe('stopped');
  expect(host.holder()).toBe('');
});

test('a lease that somebody took in the meantime is not given back', async () => {
  const { clock, host, stop, work, state } = setting();
  await clock.advance(1000);
  host.write(OTHER);
  stop.abort();
  work.abort();
  await clock.advance(0);
  expect(state.ended).toBe('stopped');
  expect(host.holder()).toBe('other');
});

test('a renewal whose answer is lost leaves time for another one', async () => {
  const { clock, host, state } = setting((method, time) => (method === 'PUT' && time === 2000 ? 'lost' : 'answered'));
  await clock.advance(30_000);
  expect(host.asked.slice(0, 7)).toEqual(['0 GET', '0 POST', '2 PUT', '9 PUT', '9 GET', '9 PUT', '11 PUT']);
  expect(state.leadership?.holds()).toBe(true);
  expect(state.ended).toBeUndefined();
});

test('a renewal that does not end in its time ends no later than the lease', async () => {
  const { clock, work, state } = setting((method, time) => (method === 'PUT' && time >= 4000 ? 'hangs' : 'answered'));
  await clock.advance(11_999);
  expect(state.leadership?.holds()).toBe(true);
  expect(state.leadership?.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(state.leadership?.holds()).toBe(false);
  expect(state.leadership?.lost.aborted).toBe(true);
  work.abort();
  await clock.advance(0);
  expect(state.ended).toBe('lost');
  expect(clock.sleeping()).toEqual([]);
});

test('who is told to stop while it takes the lease gives it back', async () => {
  const { clock, host, stop, state } = setting((method) => (method === 'POST' ? 'late' : 'answered'));
  await clock.advance(1000);
  stop.abort();
  await clock.advance(4000);
  expect(state.leadership).toBeUndefined();
  expect(state.ended).toBe('stopped');
  expect(host.holder()).toBe('');
});

test.each([
  ['taken', 'POST', 10_000],
  ['given back', 'PUT', 6000],
])('a lease that cannot be %s keeps nobody from ending for long', async (_, method, most) => {
  const { clock, stop, work, state } = setting((asked) => (asked === method ? 'hangs' : 'answered'));
  await clock.advance(1000);
  stop.abort();
  work.abort();
  await clock.advance(most);
  expect(state.ended).toBe('stopped');
  expect(clock.sleeping()).toEqual([]);
});

test('nothing is begun for who has been told to end already', async () => {
  let begun = false;
  const work = async () => {
    begun = true;
  };
  await expect(inTime(1000, work, { clock: manualClock(), signal: AbortSignal.abort(new Error('told')) })).rejects.toThrow('told');
  expect(begun).toBe(false);
});
