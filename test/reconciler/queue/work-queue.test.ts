import { describe, expect, test } from 'vitest';
import { onAbort } from '../../../src/kube/on-abort.ts';
import { type PassEnd, type WorkQueue, type WorkQueueOptions, workQueue } from '../../../src/reconciler/queue/work-queue.ts';
import type { Outcome } from '../../../src/reconciler/reconcile.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';

interface Setting {
  readonly clock: ManualClock;
  readonly queue: WorkQueue;
  readonly log: string[];
  readonly stop: AbortController;
  readonly cut: AbortController;
  readonly ran: Promise<readonly string[]>;
}

type Reconcile = WorkQueueOptions['reconcile'];

async function start(reconcile: Reconcile, options: Partial<WorkQueueOptions> = {}): Promise<Setting> {
  const clock = manualClock();
  const log: string[] = [];
  const [stop, cut] = [new AbortController(), new AbortController()];
  const queue = workQueue({
    reconcile,
    clock,
    random: () => 0.5,
    observer: {
      started: (key, waited) => log.push(`${clock.now()} ${key} begins, waited ${waited}`),
      finished: (key, end: PassEnd, took, _, error) =>
        log.push(`${clock.now()} ${key} ${end} after ${took}${error instanceof Error ? `: ${error.message}` : ''}`),
    },
    ...options,
  });
  const ran = queue.run(stop.signal, cut.signal);
  await clock.advance(0);
  return { clock, queue, log, stop, cut, ran };
}

const SUCCESS: Outcome = { result: 'success' };

/** Takes so long, unless it is told to end. */
function taking(milliseconds: number, clock: () => ManualClock): Reconcile {
  return async (_, signal) => {
    await clock().sleep(milliseconds, signal);
    return SUCCESS;
  };
}

describe('a queue', () => {
  test('works on several keys at once, on as many as it has workers', async () => {
    const setting: Setting = await start(
      taking(10, () => setting.clock),
      { workers: 2 },
    );
    setting.queue.add(['a', 'b', 'c']);
    await setting.clock.advance(20);
    expect(setting.log).toEqual([
      '0 a begins, waited 0',
      '0 b begins, waited 0',
      '10 a success after 10',
      '10 c begins, waited 10',
      '10 b success after 10',
      '20 c success after 10',
    ]);
  });

  test('keeps what was added before it runs', async () => {
    const clock = manualClock();
    const seen: string[] = [];
    const queue = workQueue({
      clock,
      random: () => 0.5,
      reconcile: async (key) => {
        seen.push(key);
        return SUCCESS;
      },
    });
    queue.add(['a', 'b'], { low: true });
    const stop = new AbortController();
    const ran = queue.run(stop.signal, new AbortController().signal);
    await clock.advance(0);
    expect(seen).toEqual(['a', 'b']);
    stop.abort();
    expect(await ran).toEqual([]);
  });

  test('goes on after a pass that threw, at once or later, and tries that key again', async () => {
    let times = 0;
    const { clock, queue, log } = await start((key) => {
      times += 1;
      if (key === 'a' && times === 1) throw new Error('broken at once');
      return times === 2 ? Promise.reject(new Error('broken later')) : Promise.resolve(SUCCESS);
    });
    queue.add(['a']);
    await clock.advance(10_000);
    expect(log).toEqual([
      '0 a begins, waited 0',
      '0 a panic after 0: broken at once',
      '1000 a begins, waited 0',
      '1000 a panic after 0: broken later',
      '3000 a begins, waited 0',
      '3000 a success after 0',
    ]);
  });

  test('tells a pass that takes too long to end, and tries it again only once it has', async () => {
    const setting: Setting = await start(
      async (_, signal) => {
        await new Promise<void>((resolve) => onAbort(signal, () => setTimeout(resolve, 0)));
        return { result: 'error' };
      },
      { within: 5000 },
    );
    setting.queue.add(['a']);
    await setting.clock.advance(5000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await setting.clock.advance(1000);
    expect(setting.log).toEqual(['0 a begins, waited 0', '5000 a timeout after 5000', '6000 a begins, waited 0']);
  });

  test('comes back when a pass asked for it', async () => {
    const { clock, queue, log } = await start(async () => ({ result: 'success', requeueAfter: 60_000 }));
    queue.add(['a']);
    await clock.advance(60_000);
    expect(log.filter((line) => line.includes('begins'))).toEqual(['0 a begins, waited 0', '60000 a begins, waited 0']);
  });

  test('that stops begins nothing and waits for what is under way', async () => {
    const setting: Setting = await start(
      taking(20_000, () => setting.clock),
      { workers: 1 },
    );
    setting.queue.add(['a', 'b']);
    await setting.clock.advance(1000);
    setting.stop.abort();
    await setting.clock.advance(19_000);
    expect(await setting.ran).toEqual([]);
    expect(setting.log.at(-1)).toBe('20000 a success after 20000');
    setting.queue.add(['c']);
    await setting.clock.advance(1e6);
    expect(setting.log.length).toBe(2);
    expect(setting.clock.sleeping()).toEqual([]);
  });

  test('that stops tells what is not done after 25 s to end, and says what does not', async () => {
    const setting: Setting = await start((key, signal) =>
      key === 'deaf' ? new Promise(() => undefined) : setting.clock.sleep(1e9, signal).then(() => SUCCESS),
    );
    setting.queue.add(['a', 'deaf']);
    await setting.clock.advance(0);
    setting.stop.abort();
    await setting.clock.advance(24_999);
    expect(setting.log.length).toBe(2);
    await setting.clock.advance(1);
    expect(setting.log.at(-1)).toBe('25000 a aborted after 25000: The process ends.');
    await setting.clock.advance(2000);
    expect(await setting.ran).toEqual(['deaf']);
  });

  test('that stops waits as well for a pass that began as the last one over the same key ended', async () => {
    const setting: Setting = await start(taking(10, () => setting.clock));
    setting.queue.add(['a']);
    await setting.clock.advance(5);
    setting.queue.add(['a']);
    await setting.clock.advance(10);
    expect(setting.log.at(-1)).toBe('10 a begins, waited 5');
    setting.stop.abort();
    expect(await Promise.race([setting.ran, setting.clock.advance(0)])).toBeUndefined();
    await setting.clock.advance(5);
    expect(await setting.ran).toEqual([]);
    expect(setting.log.at(-1)).toBe('20 a success after 10');
  });

  test('that is told to stop before it runs begins nothing', async () => {
    const clock = manualClock();
    let begun = 0;
    const queue = workQueue({
      clock,
      random: () => 0.5,
      reconcile: async () => {
        begun += 1;
        return SUCCESS;
      },
    });
    queue.add(['a']);
    expect(await queue.run(AbortSignal.abort(), new AbortController().signal)).toEqual([]);
    expect(begun).toBe(0);
  });

  test('that is cut as a pass begins ends that one too', async () => {
    const setting: Setting = await start(taking(1e9, () => setting.clock));
    setting.queue.add(['a']);
    setting.cut.abort();
    setting.stop.abort();
    await setting.clock.advance(0);
    expect(setting.log.at(-1)).toBe('0 a aborted after 0: Passes have to end at once.');
    expect(await setting.ran).toEqual([]);
  });

  test('that is cut says soon which passes do not end', async () => {
    const setting: Setting = await start(() => new Promise(() => undefined));
    setting.queue.add(['deaf']);
    await setting.clock.advance(10);
    setting.cut.abort();
    setting.stop.abort();
    await setting.clock.advance(2000);
    expect(await Promise.race([setting.ran, setting.clock.advance(0)])).toEqual(['deaf']);
  });

  test('that is cut ends its passes at once', async () => {
    const setting: Setting = await start(taking(1e9, () => setting.clock));
    setting.queue.add(['a']);
    await setting.clock.advance(10);
    setting.cut.abort();
    setting.stop.abort();
    await setting.clock.advance(0);
    expect(setting.log.at(-1)).toBe('10 a aborted after 10: Passes have to end at once.');
    expect(await setting.ran).toEqual([]);
  });
});
