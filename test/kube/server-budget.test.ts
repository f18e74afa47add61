import { describe, expect, test } from 'vitest';
import { decorrelatedDelay } from '../../src/kube/decorrelated-delay.ts';
import { seededRandom } from '../../src/kube/random.ts';
import { serverBudget, type Ticket } from '../../src/kube/server-budget.ts';
import { manualClock } from '../support/manual-clock.ts';

const NEVER = new AbortController().signal;

describe('the delay between two tries', () => {
  test('lies between its bounds, and drifts apart for two seeds', () => {
    const [a, b] = [1, 2].map((seed) => decorrelatedDelay(seededRandom(seed)));
    const [first, second] = [a, b].map((delay) => Array.from({ length: 200 }, () => delay?.next() ?? 0));
    for (const each of [...(first ?? []), ...(second ?? [])]) expect(each).toSatisfy((ms: number) => ms >= 800 && ms <= 30_000);
    expect(first).not.toEqual(second);
    expect(Math.max(...(first ?? []))).toBeGreaterThan(20_000);
  });

  test('is the same for the same seed', () => {
    const series = (): number[] => {
      const delay = decorrelatedDelay(seededRandom(7));
      return Array.from({ length: 20 }, () => delay.next());
    };
    expect(series()).toEqual(series());
  });

  test('begins anew once it is reset', () => {
    const delay = decorrelatedDelay(() => 0.999);
    for (let n = 0; n < 10; n += 1) delay.next();
    expect(delay.next()).toBeGreaterThan(29_000);
    delay.reset();
    expect(delay.next()).toBeLessThanOrEqual(2400);
  });
});

describe('one budget for all who ask one server', () => {
  const setup = () => {
    const clock = manualClock();
    return { clock, budget: serverBudget({ clock, random: seededRandom(3) }) };
  };
  /** who was let through, in order */
  const crowd = (budget: ReturnType<typeof setup>['budget'], size: number): Ticket[] => {
    const admitted: Ticket[] = [];
    for (let n = 0; n < size; n += 1) void budget.admit(NEVER).then((ticket) => admitted.push(ticket));
    return admitted;
  };

  test('a server that answers is asked at once, by everybody', async () => {
    const { clock, budget } = setup();
    const admitted = crowd(budget, 8);
    await clock.advance(0);
    expect(admitted.length).toBe(8);
  });

  test('eight that fail of one cause are one failure, and one of them tries again', async () => {
    const { clock, budget } = setup();
    const first = crowd(budget, 8);
    await clock.advance(0);
    for (const ticket of first) ticket.failed();
    const again = crowd(budget, 8);
    await clock.advance(799);
    expect(again.length).toBe(0);
    await clock.advance(2400 - 799);
    expect(again.length).toBe(1);
    // it fails too: nobody else has asked meanwhile
    again[0]?.failed();
    await clock.advance(799);
    expect(again.length).toBe(1);
    await clock.advance(30_000);
    expect(again.length).toBe(2);
  });

  test('once it answers, those who waited come one after another', async () => {
    const { clock, budget } = setup();
    const first = crowd(budget, 8);
    await clock.advance(0);
    for (const ticket of first) ticket.failed();
    const again = crowd(budget, 8);
    await clock.advance(3000);
    again[0]?.succeeded();
    await clock.advance(1);
    expect(again.length).toBeLessThan(4);
    await clock.advance(999);
    expect(again.length).toBe(8);
  });

  test('it goes down again while they come back: the rest wait with the new delay', async () => {
    const { clock, budget } = setup();
    const first = crowd(budget, 8);
    await clock.advance(0);
    for (const ticket of first) ticket.failed();
    const again = crowd(budget, 8);
    await clock.advance(3000);
    again[0]?.succeeded();
    while (again.length < 3) await clock.advance(1);
    again[2]?.failed();
    await clock.advance(799);
    expect(again.length).toBe(3);
  });

  test.each([
    ['longer than the delay', 60],
    ['shorter than the delay', 0],
  ])('Retry-After that is %s is kept', async (_, seconds) => {
    const { clock, budget } = setup();
    const [ticket] = crowd(budget, 1);
    expect(ticket).toBeUndefined();
    const first = await budget.admit(NEVER);
    first.failed(seconds);
    const again = crowd(budget, 1);
    await clock.advance(Math.max(799, seconds * 1000 - 1));
    expect(again.length).toBe(0);
    await clock.advance(2400);
    expect(again.length).toBe(1);
  });

  test('Retry-After counts too when another request failed first', async () => {
    const { clock, budget } = setup();
    const [one, other] = [await budget.admit(NEVER), await budget.admit(NEVER)];
    one.failed();
    other.failed(60);
    const again = crowd(budget, 1);
    await clock.advance(59_999);
    expect(again.length).toBe(0);
    await clock.advance(2);
    expect(again.length).toBe(1);
  });

  test('what was asked before an outage and answered after it does not end it', async () => {
    const { clock, budget } = setup();
    const [slow, quick] = [await budget.admit(NEVER), await budget.admit(NEVER)];
    quick.failed();
    slow.succeeded();
    const again = crowd(budget, 1);
    await clock.advance(799);
    expect(again.length).toBe(0);
  });

  test('a try that was given up makes room for the next one', async () => {
    const { clock, budget } = setup();
    (await budget.admit(NEVER)).failed();
    const again = crowd(budget, 3);
    await clock.advance(3000);
    expect(again.length).toBe(1);
    again[0]?.dropped();
    await clock.advance(1);
    expect(again.length).toBe(2);
  });

  test('who is aborted stops waiting', async () => {
    const { clock, budget } = setup();
    (await budget.admit(NEVER)).failed();
    const stop = new AbortController();
    const waited = expect(budget.admit(stop.signal)).rejects.toThrow('enough');
    await clock.advance(100);
    stop.abort(new Error('enough'));
    await waited;
    expect(clock.sleeping()).toEqual([]);
  });
});
