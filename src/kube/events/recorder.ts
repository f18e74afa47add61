import type { Clock } from '../clock.ts';
import { decorrelatedDelay } from '../decorrelated-delay.ts';
import { type Failure, isOfServer, isReason, type Result } from '../failure.ts';
import { createObject } from '../objects/create.ts';
import { mergePatch } from '../objects/patch.ts';
import { onAbort } from '../on-abort.ts';
import type { Random } from '../random.ts';
import type { Transport } from '../transport/transport.ts';
import { correlator, type Series, writtenState } from './correlate.ts';
import { EVENT, eventNamespace, eventObject, type Occurrence, type Reporter, seriesOf } from './event-object.ts';

export interface RecorderOptions {
  readonly transport: Transport;
  readonly reporter: Reporter;
  readonly clock: Clock;
  readonly random: Random;
  /** told of what was given up */
  readonly onFailure?: (failure: Failure) => void;
}

export interface RecorderCounts {
  written: number;
  /** too many of one object, or too many that waited to be written */
  dropped: number;
  /** given up after several tries */
  failed: number;
}

export interface EventRecorder {
  /** Never waits and never fails: events are told, not relied on. */
  record(what: Occurrence): void;
  readonly counts: Readonly<RecorderCounts>;
  /** Writes what is recorded until the signal is aborted, then what still waits, for a few seconds. To be called once. */
  run(signal: AbortSignal): Promise<void>;
}

/** Events that wait to be written. */
const QUEUE = 1000;
const TRIES = 5;
/** Milliseconds between two looks at series that go on. */
const LOOK = 30_000;
const DRAIN = 5_000;

export function eventRecorder({ transport, reporter, clock, random, onFailure }: RecorderOptions): EventRecorder {
  const known = correlator(random);
  const counts: RecorderCounts = { written: 0, dropped: 0, failed: 0 };
  const queue: { readonly series: Series; readonly create: boolean }[] = [];
  let wake: () => void = () => undefined;

  async function attempt(series: Series, create: boolean, signal: AbortSignal): Promise<Result<unknown>> {
    const { occurrence, name } = series;
    const call = { transport, signal, fieldManager: 'tenantplane-events' };
    const state = writtenState(series, clock.wall());
    if (create) {
      const object = eventObject(name, occurrence, reporter, series.first, state.count > 1 ? state : undefined);
      const made = await createObject(EVENT, object, call);
      // an earlier try came through, and only its answer did not
      return 'failure' in made && isReason(made.failure, 'AlreadyExists') ? { value: undefined } : made;
    }
    const ref = { resource: EVENT, namespace: eventNamespace(occurrence), name };
    const counted = await mergePatch(ref, { series: seriesOf(state) }, call);
    // API servers forget events after an hour, and people delete them
    return 'failure' in counted && isReason(counted.failure, 'NotFound') ? attempt(series, true, signal) : counted;
  }

  async function write(series: Series, create: boolean, signal: AbortSignal): Promise<void> {
    const delay = decorrelatedDelay(random);
    for (let left = TRIES - 1; ; left -= 1) {
      const result = await attempt(series, create, signal);
      if ('value' in result) {
        counts.written += 1;
        return;
      }
      if (!isOfServer(result.failure) || left === 0) {
        counts.failed += 1;
        onFailure?.(result.failure);
        return;
      }
      await clock.sleep(delay.next(), signal);
    }
  }

  function enqueue(series: Series, create: boolean): void {
    if (queue.length >= QUEUE) {
      counts.dropped += 1;
      // or it would be taken for written soon for as long as it goes on
      series.waits = false;
      return;
    }
    queue.push({ series, create });
    wake();
  }

  async function drain(signal: AbortSignal): Promise<void> {
    for (let [next] = queue; next !== undefined; [next] = queue) {
      await write(next.series, next.create, signal);
      // only now: what was aborted is written by who comes after
      queue.shift();
    }
  }

  return {
    counts,
    record: (what) => {
      const step = known.occur(what, clock.wall());
      if (step.do !== 'nothing') enqueue(step.series, step.do === 'create');
      else if (step.dropped) counts.dropped += 1;
    },
    run: async (signal) => {
      try {
        while (!signal.aborted) {
          await drain(signal);
          const look = new AbortController();
          const forget = onAbort(signal, () => look.abort());
          wake = () => look.abort();
          // what was recorded while the last one was on its way has woken nobody, and so has the signal
          if (queue.length === 0 && !signal.aborted) await clock.sleep(LOOK, look.signal).catch(() => undefined);
          forget();
          for (const series of known.due(clock.wall())) enqueue(series, false);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      const last = AbortSignal.timeout(DRAIN);
      await drain(last).catch((error: unknown) => {
        if (!last.aborted) throw error;
        counts.dropped += queue.length;
      });
    },
  };
}
