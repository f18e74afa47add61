import type { Clock } from '../../kube/clock.ts';
import { onAbort } from '../../kube/on-abort.ts';
import type { Random } from '../../kube/random.ts';
import type { Outcome, TenantReconciler } from '../reconcile.ts';
import { type End, type Entry, emptyQueue, type QueueEvent, step } from './queue-state.ts';

/** How a pass ended: as it said itself, or that it threw, or took too long and ended because of that. */
export type PassEnd = Outcome['result'] | 'panic' | 'timeout' | 'aborted';

/** Told of what the queue does, for metrics and logs; throws nothing. */
export interface QueueObserver {
  added?(keys: number): void;
  started?(key: string, waited: number): void;
  finished?(key: string, end: PassEnd, milliseconds: number, outcome: Outcome | undefined, error: unknown): void;
}

export interface WorkQueueOptions {
  readonly reconcile: TenantReconciler['reconcile'];
  readonly clock: Clock;
  readonly random: Random;
  readonly workers?: number;
  /** milliseconds after which a pass is told to end */
  readonly within?: number;
  /** milliseconds that passes under way get to end by themselves, when the queue ends */
  readonly drain?: number;
  readonly observer?: QueueObserver;
}

export interface WorkQueue {
  /** @param after milliseconds; a pass begins then or later. @param low what is there at the start */
  add(keys: readonly string[], how?: { readonly low?: boolean; readonly after?: number }): void;
  entries(): ReadonlyMap<string, Entry>;
  /**
   * Begins passes until `stop` is aborted, and waits for those that are under way. To be called once.
   * @param cut aborted where passes have to end at once
   * @returns keys whose passes did not end in time, and may still do something
   */
  run(stop: AbortSignal, cut: AbortSignal): Promise<readonly string[]>;
}

const WORKERS = 4;
const WITHIN = 120_000;
const DRAIN = 25_000;
/** Milliseconds that a pass gets to end once it was told to. */
const LAST = 2_000;

export class PassTimeout extends Error {
  override readonly name = 'PassTimeout';
}

export class PassCut extends Error {
  override readonly name = 'PassCut';
}

export function workQueue(options: WorkQueueOptions): WorkQueue {
  const { reconcile, clock, random, workers = WORKERS, within = WITHIN, drain = DRAIN, observer = {} } = options;
  let state = emptyQueue(workers);
  const passes = new Map<string, Promise<void>>();
  const cutting = new AbortController();
  let running = false;
  let waker = new AbortController();

  function happen(event: QueueEvent): void {
    const before = state.entries;
    const now = clock.now();
    const { state: after, start, wake } = step(state, event, now);
    state = after;
    for (const key of start) {
      observer.started?.(key, now - (before.get(key)?.ready?.since ?? now));
      passes.set(key, pass(key));
    }
    waker.abort();
    waker = new AbortController();
    if (wake !== undefined) void wakeAt(wake, waker.signal);
  }

  async function wakeAt(time: number, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(Math.max(0, time - clock.now()), signal);
    } catch {
      return; // something else happened before
    }
    happen({ type: 'time' });
  }

  async function pass(key: string): Promise<void> {
    const begun = clock.now();
    // a pass that throws at once must not end before the step that began it
    await Promise.resolve();
    const own = new AbortController();
    const forget = onAbort(cutting.signal, () => own.abort(cutting.signal.reason));
    if (cutting.signal.aborted) own.abort(cutting.signal.reason);
    const over = new AbortController();
    void clock.sleep(within, over.signal).then(
      () => own.abort(new PassTimeout(`The pass took more than ${within / 1000} s.`)),
      () => undefined,
    );
    let end: PassEnd;
    let outcome: Outcome | undefined;
    let thrown: unknown;
    try {
      outcome = await reconcile(key, own.signal);
      end = outcome.result;
    } catch (error) {
      thrown = error;
      end = 'panic';
    }
    // whatever it says of itself: what was told to end has not done all that it had to
    if (own.signal.aborted && end !== 'success') end = own.signal.reason instanceof PassTimeout ? 'timeout' : 'aborted';
    over.abort();
    forget();
    observer.finished?.(key, end, clock.now() - begun, outcome, thrown);
    // before the next one over the same key begins, which may be in this very step
    passes.delete(key);
    happen({ type: 'done', key, end: endOf(end, outcome), chance: random() });
  }

  return {
    add: (keys, how = {}) => {
      if (state.closed) return;
      observer.added?.(keys.length);
      const event: QueueEvent = { type: 'add', keys, ...how };
      if (running) happen(event);
      else state = step({ ...state, workers: 0 }, event, clock.now()).state;
    },
    entries: () => state.entries,
    run: async (stop, cut) => {
      running = true;
      state = { ...state, workers };
      const forget = onAbort(cut, () => cutting.abort(new PassCut('Passes have to end at once.', { cause: cut.reason })));
      if (!stop.aborted) happen({ type: 'time' });
      await aborted(stop);
      happen({ type: 'close' });
      if (cut.aborted) cutting.abort(new PassCut('Passes have to end at once.', { cause: cut.reason }));
      if (!cutting.signal.aborted) await settled(drain);
      if (passes.size > 0) {
        cutting.abort(new PassCut('The process ends.'));
        await settled(LAST);
      }
      waker.abort();
      forget();
      return [...passes.keys()];
    },
  };

  /** Waits until no pass is under way; shorter where all were told to end. */
  async function settled(most: number): Promise<void> {
    const enough = new AbortController();
    const late = clock.sleep(most, enough.signal).catch(() => undefined);
    const told = cutting.signal.aborted ? late : Promise.race([late, aborted(cutting.signal)]);
    await Promise.race([Promise.all(passes.values()), told]);
    enough.abort();
  }
}

function endOf(end: PassEnd, outcome: Outcome | undefined): End {
  switch (end) {
    case 'success':
      return { result: 'success', ...(outcome?.requeueAfter !== undefined && { requeueAfter: outcome.requeueAfter }) };
    case 'terminal':
      return { result: 'rest' };
    case 'error':
    case 'panic':
    case 'timeout':
    case 'aborted':
      return { result: 'retry' };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
}
