import { backoffDelay } from './backoff.ts';

/** What is known of one key. None of these: it is forgotten. */
export interface Entry {
  /** that followed one another, for the back-off */
  readonly failures: number;
  /** waits for a worker since then; beside `running`: something happened during the pass, and there will be another */
  readonly ready?: Ready;
  /** a pass began then */
  readonly running?: number;
  /** the time of the next pass as the last one left it; a pass that begins before forgets it, since it leaves its own */
  readonly next?: number;
  /** times that somebody asked for: only a pass that begins then or later answers one */
  readonly asked: readonly Asked[];
}

interface Asked {
  readonly at: number;
  readonly low: boolean;
}

interface Ready {
  readonly since: number;
  readonly low: boolean;
  readonly turn: number;
}

export interface QueueState {
  readonly workers: number;
  readonly entries: ReadonlyMap<string, Entry>;
  /** grows with each key that gets ready, so that the first is served first */
  readonly turns: number;
  /** passes since one of low priority began */
  readonly passed: number;
  /** nothing begins any more */
  readonly closed: boolean;
}

export type QueueEvent =
  /** `low`: what is there at the start, which need not be before what changes. `after`: milliseconds */
  | { readonly type: 'add'; readonly keys: readonly string[]; readonly low?: boolean; readonly after?: number }
  | { readonly type: 'done'; readonly key: string; readonly end: End; readonly chance: number }
  | { readonly type: 'time' }
  | { readonly type: 'close' };

/** What a pass leaves behind. */
export type End =
  | { readonly result: 'success'; readonly requeueAfter?: number }
  | { readonly result: 'retry' }
  /** until somebody adds it */
  | { readonly result: 'rest' };

export interface Step {
  readonly state: QueueState;
  /** keys whose passes begin now */
  readonly start: readonly string[];
  /** when to come back with `time`, if nothing else happens */
  readonly wake: number | undefined;
}

/** Of so many passes at least one is of low priority, if one waits: a noisy tenant delays the others' first pass, and does not stop it. */
const LOW_SHARE = 4;

export function emptyQueue(workers: number): QueueState {
  return { workers, entries: new Map(), turns: 0, passed: 0, closed: false };
}

/** A work queue of keys: never two passes of a key at once, and after each `add` a pass begins, however many came together. */
export function step(before: QueueState, event: QueueEvent, now: number): Step {
  const draft: Draft = { ...before, entries: new Map(before.entries) };
  take(draft, event, now);
  for (const [key, entry] of draft.entries) if (due(entry) <= now) ready(draft, key, isLow(entry, now), now);
  const start = begin(draft, now);
  for (const [key, entry] of draft.entries) if (isForgotten(entry)) draft.entries.delete(key);
  const wake = [...draft.entries.values()].reduce((first, entry) => Math.min(first, due(entry)), NEVER);
  return { state: draft, start, wake: wake === NEVER || draft.closed ? undefined : wake };
}

type Draft = { -readonly [Field in keyof QueueState]: QueueState[Field] } & { entries: Map<string, Entry> };

const NEVER = Number.POSITIVE_INFINITY;
const FRESH: Entry = { failures: 0, asked: [] };

function take(draft: Draft, event: QueueEvent, now: number): void {
  switch (event.type) {
    case 'add':
      for (const key of event.keys) {
        const entry = draft.entries.get(key) ?? FRESH;
        if (event.after === undefined || event.after <= 0) ready(draft, key, event.low ?? false, now);
        else draft.entries.set(key, { ...entry, asked: [...entry.asked, { at: now + event.after, low: event.low ?? false }] });
      }
      return;
    case 'done': {
      const { running, ...entry } = draft.entries.get(event.key) ?? FRESH;
      if (running !== undefined) draft.entries.set(event.key, ended(entry, event.end, event.chance, now));
      return;
    }
    case 'close':
      draft.closed = true;
      return;
    case 'time':
      return;
  }
}

function ended(entry: Entry, end: End, chance: number, now: number): Entry {
  switch (end.result) {
    case 'success':
      return { ...entry, failures: 0, ...(end.requeueAfter !== undefined && { next: now + end.requeueAfter }) };
    case 'retry':
      return { ...entry, failures: entry.failures + 1, next: now + backoffDelay(entry.failures, chance) };
    case 'rest':
      return { ...entry, failures: 0 };
  }
}

/** Puts a key at the end of its line; one that waits keeps its place, but for the better line. */
function ready(draft: Draft, key: string, low: boolean, now: number): void {
  const entry = draft.entries.get(key) ?? FRESH;
  const waits = entry.ready;
  if (waits !== undefined && (low || !waits.low)) return;
  draft.turns += 1;
  draft.entries.set(key, { ...entry, ready: { since: waits?.since ?? now, low, turn: draft.turns } });
}

function begin(draft: Draft, now: number): readonly string[] {
  const start: string[] = [];
  if (draft.closed) return start;
  let free = draft.workers;
  const lines: Record<'high' | 'low', { key: string; turn: number }[]> = { high: [], low: [] };
  for (const [key, { ready, running }] of draft.entries) {
    if (running !== undefined) free -= 1;
    else if (ready !== undefined) lines[ready.low ? 'low' : 'high'].push({ key, turn: ready.turn });
  }
  for (const line of Object.values(lines)) line.sort((a, b) => a.turn - b.turn);
  for (; free > 0; free -= 1) {
    const turnOfLow = lines.high.length === 0 || draft.passed >= LOW_SHARE - 1;
    const [first] = turnOfLow && lines.low.length > 0 ? lines.low.splice(0, 1) : lines.high.splice(0, 1);
    const entry = first === undefined ? undefined : draft.entries.get(first.key);
    if (first === undefined || entry === undefined) break;
    draft.passed = entry.ready?.low === true ? 0 : draft.passed + 1;
    const { failures, asked } = entry;
    draft.entries.set(first.key, { failures, running: now, asked: asked.filter(({ at }) => at > now) });
    start.push(first.key);
  }
  return start;
}

/** When it gets ready by itself, or goes over to the better line; one that is ready there waits for a worker. */
function due({ ready, next = NEVER, asked }: Entry): number {
  if (ready?.low === false) return NEVER;
  return Math.min(next, ...asked.flatMap(({ at, low }) => (low && ready !== undefined ? [] : [at])));
}

/** Whether all that is due by now is of low priority. */
function isLow({ next = NEVER, asked }: Entry, now: number): boolean {
  return next > now && asked.every(({ at, low }) => low || at > now);
}

function isForgotten({ failures, ready, running, next, asked }: Entry): boolean {
  return failures === 0 && ready === undefined && running === undefined && next === undefined && asked.length === 0;
}
