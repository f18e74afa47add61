import type { KubeObject } from '../../core/kube/object.ts';
import type { Clock } from '../clock.ts';
import { type Failure, isExpired, isOfServer } from '../failure.ts';
import { onAbort } from '../on-abort.ts';
import type { Random } from '../random.ts';
import type { ServerBudget, Ticket } from '../server-budget.ts';
import type { Transport } from '../transport/transport.ts';
import { listAll } from './list-pages.ts';
import { type Change, keyOf, type ObjectKey, type ObjectStore, objectStore } from './object-store.ts';
import { pace } from './pace.ts';
import type { ReflectorCounts, ReflectorState } from './reflector-state.ts';
import { kept, type Selection } from './selection.ts';
import { watch } from './watch.ts';
import { resourceVersionOf, type WatchEvent } from './watch-event.ts';

export interface ReflectorOptions {
  readonly transport: Transport;
  /** one for all reflectors of a server */
  readonly budget: ServerBudget;
  readonly selection: Selection;
  readonly clock: Clock;
  readonly random: Random;
  /** told of each change, after the store has it; what it throws is told to `onError` and ends nothing */
  readonly onChange?: (change: Change) => void;
  readonly onError?: (error: unknown, change: Change) => void;
  readonly onState?: (state: ReflectorState) => void;
  /** whether the first list comes as events where the server can do that, which spares both sides the memory of a whole list */
  readonly streaming?: boolean;
  readonly page?: number;
  /** milliseconds without a byte, after which a watch is taken for dead: servers send a bookmark a minute */
  readonly silence?: number;
}

/** Keeps a copy of a selection of a server's objects, and tells of each change. */
export interface Reflector {
  readonly store: ObjectStore;
  readonly counts: Readonly<ReflectorCounts>;
  state(): ReflectorState;
  /**
   * Waits until the store holds a whole list.
   * @throws the signal's reason
   */
  synced(signal: AbortSignal): Promise<void>;
  /** Lists and watches until the signal is aborted. To be called once. */
  run(signal: AbortSignal): Promise<void>;
}

/** Seconds after which the server is to end a watch, at least; up to twice as many, so that those that began together end apart. */
const WATCH_SECONDS = 300;
const SILENCE = 150_000;
export function reflector(options: ReflectorOptions): Reflector {
  const { transport, budget, selection, clock, random, page, silence = SILENCE } = options;
  const store = objectStore();
  const counts: ReflectorCounts = { lists: 0, watches: 0, expired: 0, missed: 0, errors: 0 };
  const rest = pace(random);
  let state: ReflectorState = { phase: 'listing' };
  let streaming = options.streaming ?? true;
  /** the version from which a watch goes on; undefined where a whole list is needed */
  let resume: string | undefined;
  let isSynced: () => void = () => undefined;
  const whole = new Promise<void>((resolve) => {
    isSynced = resolve;
  });

  function enter(next: ReflectorState): void {
    state = next;
    options.onState?.(next);
  }

  function tell(changes: readonly Change[]): void {
    for (const change of changes) {
      try {
        options.onChange?.(change);
      } catch (error) {
        counts.errors += 1;
        options.onError?.(error, change);
      }
    }
  }

  function replaceAll(objects: Iterable<KubeObject>, resourceVersion: string): void {
    const changes = store.replace(objects);
    if (counts.lists > 0) counts.missed += changes.length;
    counts.lists += 1;
    resume = resourceVersion;
    tell(changes);
    isSynced();
  }

  async function list(ticket: Ticket, signal: AbortSignal): Promise<Failure | undefined> {
    enter({ phase: 'listing' });
    const listed = await listAll(transport, selection, signal, page);
    if ('failure' in listed) return listed.failure;
    ticket.succeeded();
    replaceAll(listed.value.objects, listed.value.resourceVersion);
    return undefined;
  }

  async function follow(ticket: Ticket, signal: AbortSignal): Promise<Failure | undefined> {
    const from = resume;
    if (from === undefined) enter({ phase: 'listing' });
    const seconds = Math.round(WATCH_SECONDS * (1 + random()));
    const opened = await watch(transport, selection, { from, seconds, silence }, signal);
    if ('failure' in opened) {
      if (from !== undefined || !isUnsupported(opened.failure)) return opened.failure;
      streaming = false;
      return undefined;
    }
    ticket.succeeded();
    counts.watches += 1;
    if (from !== undefined) enter({ phase: 'watching' });
    /** what a streaming list has sent, until it is whole */
    let initial: Map<ObjectKey, KubeObject> | undefined = from === undefined ? new Map() : undefined;
    for await (const event of opened.value) {
      if (event.type === 'error') return event.failure;
      if (initial === undefined) take(event);
      else if (event.type !== 'bookmark') gather(initial, event);
      else if (event.initialEnd) {
        replaceAll(initial.values(), event.resourceVersion);
        initial = undefined;
        enter({ phase: 'watching' });
      } else {
        // the server takes no notice of what was asked, and never says that the list is whole
        streaming = false;
        return undefined;
      }
    }
    return undefined;
  }

  function gather(initial: Map<ObjectKey, KubeObject>, event: WatchEvent & { readonly type: 'put' | 'deleted' }): void {
    const object = kept(event.object, selection);
    if (event.type === 'put') initial.set(keyOf(object), object);
    else initial.delete(keyOf(object));
  }

  function take(event: Exclude<WatchEvent, { readonly type: 'error' }>): void {
    if (event.type === 'bookmark') {
      resume = event.resourceVersion || resume;
      return;
    }
    const object = kept(event.object, selection);
    const changes = event.type === 'put' ? store.put(object) : store.remove(object);
    // before anybody is told: whoever is told may ask for the state
    resume = resourceVersionOf(object) || resume;
    tell(changes);
  }

  async function round(signal: AbortSignal): Promise<void> {
    const ticket = await budget.admit(signal);
    const begun = clock.now();
    const listed = resume === undefined;
    let failure: Failure | undefined;
    try {
      failure = await (listed && !streaming ? list(ticket, signal) : follow(ticket, signal));
    } catch (error) {
      ticket.dropped();
      throw error;
    }
    if (failure !== undefined) {
      if (isExpired(failure)) counts.expired += 1;
      // a kind that is gone may come back with other objects
      if (isExpired(failure) || (failure.kind === 'status' && failure.code === 404)) resume = undefined;
      enter({ phase: 'waiting', failure });
    }
    const ofServer = failure !== undefined && isOfServer(failure);
    const governed = ofServer && ticket.failed(failure?.kind === 'status' ? failure.retryAfterSeconds : undefined);
    if (!ofServer) ticket.succeeded();
    await clock.sleep(rest.after({ failure, listed, milliseconds: clock.now() - begun, governed }), signal);
  }

  return {
    store,
    counts,
    state: () => state,
    synced: (signal) => {
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const forget = onAbort(signal, () => reject(signal.reason));
        void whole.then(() => {
          forget();
          resolve();
        });
      });
    },
    run: async (signal) => {
      try {
        while (!signal.aborted) await round(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        enter({ phase: 'stopped' });
      }
    },
  };
}

/** What servers say to a streaming list that cannot do one: the feature is off, or the parameter unknown. */
function isUnsupported(failure: Failure): boolean {
  return failure.kind === 'status' && (failure.code === 400 || failure.code === 422);
}
