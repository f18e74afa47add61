import type { Clock } from '../../kube/clock.ts';
import { isExpired } from '../../kube/failure.ts';
import type { Random } from '../../kube/random.ts';
import type { Change, ObjectStore } from '../../kube/reflector/object-store.ts';
import { type Reflector, reflector } from '../../kube/reflector/reflector.ts';
import type { ReflectorState } from '../../kube/reflector/reflector-state.ts';
import type { ServerBudget } from '../../kube/server-budget.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { ALL_TENANT_CLUSTERS, TENANT_CLUSTERS, type WatchedKind } from './watched-kinds.ts';

/** What is known of the host without asking it. */
export interface HostCaches {
  /** @param name as in watched-kinds.ts: `tenantclusters`, or another one that a row names */
  store(name: string): ObjectStore;
  /** kinds of which nothing whole has come yet, each with why */
  missing(): readonly string[];
  synced(signal: AbortSignal): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

export interface CacheOptions {
  readonly kinds: readonly WatchedKind[];
  readonly transport: Transport;
  readonly budget: ServerBudget;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onChange: (kind: WatchedKind, change: Change) => void;
}

export function hostCaches(options: CacheOptions): HostCaches {
  const { kinds, transport, budget, clock, random, log, metrics, onChange } = options;
  const caches = new Map<string, Reflector>();
  for (const kind of kinds) {
    const { resource, store: name = resource.plural, labelSelector } = kind;
    const tell = tellState(name, log, metrics);
    const made: Reflector = reflector({
      transport,
      budget,
      clock,
      random,
      selection: {
        resource,
        ...(labelSelector !== undefined && { labelSelector }),
        ...(kind.metadataOnly === true && { metadataOnly: true }),
      },
      onChange: (change) => onChange(kind, change),
      onError: (error) => log.error('a change could not be handed on', { resource: name, failure: String(error) }),
      onState: (state) => tell(state, made.counts.lists),
    });
    caches.set(name, made);
    metrics.onScrape(() => metrics.total('tenantplane_missed_events_total', { resource: name }, made.counts.missed));
  }

  return {
    store: (name) => {
      // who is for all has them all in the one copy
      const found = caches.get(name) ?? (name === ALL_TENANT_CLUSTERS ? caches.get(TENANT_CLUSTERS.plural) : undefined);
      if (found === undefined) throw new TypeError(`${name} are not watched.`);
      return found.store;
    },
    missing: () =>
      [...caches].flatMap(([name, { counts, state }]) => {
        if (counts.lists > 0) return [];
        const now = state();
        return [`${name}: ${now.phase === 'waiting' ? now.failure.message : 'no list yet'}`];
      }),
    synced: async (signal) => {
      for (const each of caches.values()) await each.synced(signal);
    },
    run: async (signal) => {
      await Promise.all([...caches.values()].map((each) => each.run(signal)));
    },
  };
}

/** What a reflector goes through, as log lines and metrics. */
function tellState(resource: string, log: Log, metrics: Metrics): (state: ReflectorState, lists: number) => void {
  let seen = 0;
  let cause = 'unsupported';
  return (state, lists) => {
    if (state.phase === 'waiting') {
      const { failure } = state;
      const reason = isExpired(failure) ? 'expired' : failure.kind === 'status' ? `status-${failure.code}` : failure.kind;
      cause = reason;
      metrics.add('tenantplane_watch_restarts_total', { resource, reason });
      // the server keeps what happened for some minutes only: that it has forgotten is an ordinary day
      log[reason === 'expired' ? 'debug' : 'warn']('watch interrupted', { resource, reason, failure: failure.message });
    }
    if (lists === seen) return;
    if (seen > 0) metrics.add('tenantplane_relist_total', { resource, cause }, lists - seen);
    seen = lists;
  };
}
