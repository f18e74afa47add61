import type { Random } from '../random.ts';
import { eventName, type Occurrence, objectKey, type SeriesState, seriesKey } from './event-object.ts';
import { type TokenBucket, tokenBucket } from './token-bucket.ts';

/** One event object, and how often it has happened. */
export interface Series {
  readonly key: string;
  /** of the event object */
  readonly name: string;
  /** the first one: the object that the API server has is of this */
  readonly occurrence: Occurrence;
  /** milliseconds since 1970 */
  readonly first: number;
  count: number;
  last: number;
  /** as the API server knows it */
  written: number;
  writtenAt: number;
  /** it waits to be written, with the count that it has by then */
  waits: boolean;
}

/** What is to be written for an occurrence: a new event, a count, or nothing for now. */
export type Step = { readonly do: 'create' | 'count'; readonly series: Series } | { readonly do: 'nothing'; readonly dropped: boolean };

/**
 * Tells repetitions from news, so that what goes wrong each second is one event with a count and not thousands. Times are the
 * wall clock's, in milliseconds.
 */
export interface Correlator {
  occur(what: Occurrence, now: number): Step;
  /** series whose count is to be written now, or that have ended; those are forgotten */
  due(now: number): readonly Series[];
  readonly size: number;
}

/** A series ends when nothing came for so long; client-go has the same. */
export const SERIES_END: number = 6 * 60_000;
/** While it goes on its count is written so often: an API server forgets an event after an hour. */
export const SERIES_WRITE: number = 5 * 60_000;
/** Of one object so many new events, then one in five minutes: client-go's figures. */
const [BURST, REFILL] = [25, 5 * 60_000];
/** What is remembered at most, of series and of objects. */
const MOST = 4096;

export function correlator(random: Random): Correlator {
  const [series, buckets] = [new Map<string, Series>(), new Map<string, TokenBucket>()];
  return {
    get size() {
      return series.size;
    },
    occur: (what, now) => {
      const key = seriesKey(what);
      const known = series.get(key);
      if (known !== undefined && now - known.last < SERIES_END) {
        known.count += 1;
        known.last = now;
        if (known.waits || known.written > 1) return { do: 'nothing', dropped: false };
        known.waits = true;
        return { do: 'count', series: known };
      }
      if (!remember(buckets, objectKey(what), () => tokenBucket(BURST, REFILL)).take(now)) return { do: 'nothing', dropped: true };
      series.delete(key);
      const name = eventName(what, now, random);
      const fresh: Series = { key, name, occurrence: what, first: now, count: 1, last: now, written: 1, writtenAt: now, waits: true };
      return { do: 'create', series: remember(series, key, () => fresh) };
    },
    due: (now) => {
      const found: Series[] = [];
      for (const each of series.values()) {
        const ended = now - each.last >= SERIES_END;
        if (!each.waits && each.count > each.written && (ended || now - each.writtenAt >= SERIES_WRITE)) {
          each.waits = true;
          found.push(each);
        }
        if (ended) series.delete(each.key);
      }
      return found;
    },
  };
}

/** The oldest go first where there are too many. */
function remember<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
  return made;
}

/** As it is written down: the count is then what the API server knows. */
export function writtenState(series: Series, now: number): SeriesState {
  series.written = series.count;
  series.writtenAt = now;
  series.waits = false;
  return { count: series.count, last: series.last };
}
