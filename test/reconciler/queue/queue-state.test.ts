import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffDelay } from '../../../src/reconciler/queue/backoff.ts';
import { type End, emptyQueue, type QueueEvent, type QueueState, step } from '../../../src/reconciler/queue/queue-state.ts';

interface Run {
  state: QueueState;
  now: number;
  readonly running: Set<string>;
  readonly started: string[];
}

function run(workers: number): Run {
  return { state: emptyQueue(workers), now: 0, running: new Set(), started: [] };
}

/** One step; fails where a key that has a pass gets another, or more of them run than there are workers. */
function happen(on: Run, event: QueueEvent): readonly string[] {
  if (event.type === 'done') on.running.delete(event.key);
  const { state, start } = step(on.state, event, on.now);
  on.state = state;
  for (const key of start) {
    expect(on.running.has(key), `a second pass of ${key} at once`).toBe(false);
    on.running.add(key);
    on.started.push(key);
  }
  expect(on.running.size).toBeLessThanOrEqual(state.workers);
  return start;
}

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const SUCCESS: End = { result: 'success' };
const done = (key: string, end: End = SUCCESS): QueueEvent => ({ type: 'done', key, end, chance: 0.5 });
const add = (...keys: string[]): QueueEvent => ({ type: 'add', keys });

type Act =
  | { readonly do: 'add'; readonly key: string; readonly low: boolean; readonly after: number }
  | { readonly do: 'end'; readonly which: number; readonly end: End }
  | { readonly do: 'wait'; readonly milliseconds: number };

const END = fc.oneof(
  fc.record({ result: fc.constant('success' as const), requeueAfter: fc.integer({ min: 0, max: 5000 }) }),
  fc.constant<End>(SUCCESS),
  fc.constant<End>({ result: 'retry' }),
  fc.constant<End>({ result: 'rest' }),
);
const ACT: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    key: fc.constantFrom(...KEYS),
    low: fc.boolean(),
    after: fc.constantFrom(0, 0, 0, 700, 3000),
  }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat(10), end: END }),
  fc.record({ do: fc.constant('wait' as const), milliseconds: fc.integer({ min: 1, max: 4000 }) }),
);

function act(on: Run, what: Act): void {
  if (what.do === 'add') happen(on, { type: 'add', keys: [what.key], low: what.low, after: what.after });
  else if (what.do === 'wait') {
    on.now += what.milliseconds;
    happen(on, { type: 'time' });
  } else {
    const key = [...on.running][what.which % Math.max(1, on.running.size)];
    if (key !== undefined) happen(on, done(key, what.end));
  }
}

describe('laws', () => {
  test('whatever happens, a key has one pass at once, and no more run than there are workers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(ACT, { maxLength: 80 }), (workers, acts) => {
        const on = run(workers);
        for (const what of acts) act(on, what);
      }),
    );
  });

  test('after each add a pass of that key begins, and not before the time that was asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.array(ACT, { maxLength: 40 }),
        fc.constantFrom(...KEYS),
        fc.constantFrom(0, 2500),
        fc.array(ACT, { maxLength: 40 }),
        (workers, before, key, after, later) => {
          const on = run(workers);
          for (const what of before) act(on, what);
          const at = on.now + after;
          let served = false;
          const see = (started: readonly string[]): void => {
            served ||= started.includes(key) && on.now >= at;
          };
          see(happen(on, { type: 'add', keys: [key], after }));
          for (const what of later) {
            const begun = on.started.length;
            act(on, what);
            see(on.started.slice(begun));
          }
          // now everything ends well, and time goes on
          for (let turn = 0; turn < 50 && !served; turn += 1) {
            on.now += 100;
            see(happen(on, { type: 'time' }));
            for (const running of [...on.running]) see(happen(on, done(running)));
          }
          expect(served).toBe(true);
        },
      ),
    );
  });

  test('noisy keys keep nobody waiting: who waits is served after at most all others, of low priority after four times as many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 12 }), fc.boolean(), (workers, noisy, low) => {
        const on = run(workers);
        const names = Array.from({ length: noisy }, (_, index) => `noisy-${index}`);
        happen(on, { type: 'add', keys: names });
        happen(on, { type: 'add', keys: ['quiet'], low });
        let passes = 0;
        while (!on.started.includes('quiet')) {
          // each one that ends has been added again meanwhile
          for (const key of [...on.running]) {
            happen(on, add(key));
            happen(on, done(key));
            passes += 1;
          }
          expect(passes).toBeLessThanOrEqual(low ? 4 * (noisy + workers) : noisy + workers);
        }
      }),
    );
  });

  test('keys that come together are served in the order in which they came', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(KEYS, { minLength: 1 }), (keys) => {
        const on = run(1);
        happen(on, { type: 'add', keys });
        while (on.running.size > 0) happen(on, done([...on.running][0] ?? ''));
        expect(on.started).toEqual(keys);
      }),
    );
  });

  test('what has ended well and waits for nothing is forgotten', () => {
    const on = run(2);
    happen(on, add('a', 'b'));
    happen(on, done('a'));
    happen(on, done('b', { result: 'rest' }));
    expect(on.state.entries.size).toBe(0);
  });
});

describe('one key', () => {
  test('that is added during its pass gets one more, however often it was', () => {
    const on = run(4);
    happen(on, add('a'));
    for (let times = 0; times < 5; times += 1) expect(happen(on, add('a'))).toEqual([]);
    expect(happen(on, done('a'))).toEqual(['a']);
    expect(happen(on, done('a'))).toEqual([]);
  });

  test('that fails is tried after 1 s, 2 s, 4 s, at most 5 min; an event comes before that, a success ends it', () => {
    const on = run(1);
    happen(on, add('a'));
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      happen(on, done('a', { result: 'retry' }));
      on.now += seconds * 1000 - 1;
      expect(happen(on, { type: 'time' })).toEqual([]);
      on.now += 1;
      expect(happen(on, { type: 'time' })).toEqual(['a']);
    }
    happen(on, done('a', { result: 'retry' }));
    expect(happen(on, add('a'))).toEqual(['a']);
    happen(on, done('a'));
    happen(on, add('a'));
    happen(on, done('a', { result: 'retry' }));
    on.now += 1000;
    expect(happen(on, { type: 'time' })).toEqual(['a']);
  });

  test('of a terminal failure waits for an event, for ever', () => {
    const on = run(1);
    happen(on, add('a'));
    happen(on, done('a', { result: 'rest' }));
    on.now += 1e9;
    expect(happen(on, { type: 'time' })).toEqual([]);
    expect(happen(on, add('a'))).toEqual(['a']);
  });

  test('that asked for a later pass gets it, once; a pass before leaves a time of its own', () => {
    const on = run(1);
    happen(on, add('a'));
    happen(on, done('a', { result: 'success', requeueAfter: 5000 }));
    on.now += 3000;
    expect(happen(on, add('a'))).toEqual(['a']);
    happen(on, done('a', { result: 'success', requeueAfter: 5000 }));
    on.now += 4999;
    expect(happen(on, { type: 'time' })).toEqual([]);
    on.now += 1;
    expect(happen(on, { type: 'time' })).toEqual(['a']);
  });

  test('of low priority goes first once it changes', () => {
    const on = run(1);
    happen(on, { type: 'add', keys: ['x', 'a', 'b', 'c'], low: true });
    happen(on, add('c'));
    happen(on, done('x'));
    happen(on, done('c'));
    expect(on.started).toEqual(['x', 'c', 'a']);
  });

  test('that asked for a later pass of low priority does not go before what changes', () => {
    const on = run(1);
    happen(on, { type: 'add', keys: ['a', 'b'], low: true, after: 1000 });
    happen(on, { type: 'add', keys: ['b'], after: 1000 });
    happen(on, add('x'));
    on.now += 1000;
    happen(on, { type: 'time' });
    happen(on, add('y'));
    for (const key of ['x', 'b', 'y']) happen(on, done(key));
    expect(on.started).toEqual(['x', 'b', 'y', 'a']);
  });

  test('that waits with low priority goes first once its own time comes', () => {
    const on = run(1);
    happen(on, add('a'));
    happen(on, { type: 'add', keys: ['b', 'c', 'd', 'a'], low: true });
    happen(on, done('a', { result: 'success', requeueAfter: 50 }));
    on.now += 50;
    expect(happen(on, { type: 'time' })).toEqual([]);
    expect(happen(on, done('b'))).toEqual(['a']);
    expect(happen(on, done('a'))).toEqual(['c']);
  });

  test('does not begin once the queue is closed', () => {
    const on = run(1);
    happen(on, add('a', 'b'));
    happen(on, { type: 'close' });
    expect(happen(on, done('a'))).toEqual([]);
    expect(step(on.state, { type: 'time' }, on.now).wake).toBeUndefined();
  });
});

test('the back-off is 10 % to either side', () => {
  expect([0, 0.5, 0.999_999].map((chance) => Math.round(backoffDelay(0, chance)))).toEqual([900, 1000, 1100]);
  expect(backoffDelay(1000, 0.5)).toBe(300_000);
});
