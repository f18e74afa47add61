import type { Clock } from '../../kube/clock.ts';
import type { Connection } from '../../kube/connection/connection.ts';
import { eventRecorder } from '../../kube/events/recorder.ts';
import { type Ended, type Leadership, lead } from '../../kube/lease/lead.ts';
import type { Random } from '../../kube/random.ts';
import { serverBudget } from '../../kube/server-budget.ts';
import { openTransport } from '../../kube/transport/transport.ts';
import type { BindAddress } from '../http/bind-address.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { partGauges, processGauges, requestObserver } from '../metrics/process-metrics.ts';
import { queueGauges, queueObserver } from '../metrics/queue-metrics.ts';
import { type WorkQueue, workQueue } from '../queue/work-queue.ts';
import type { ReconcilerTools, TenantReconciler } from '../reconcile.ts';
import { SHARD_SELECTOR } from '../shard/lease-holders.ts';
import { sharing } from '../shard/sharing.ts';
import { tracedPass } from '../trace/traced-pass.ts';
import type { Tracing } from '../trace/tracing.ts';
import { hostCaches } from './caches.ts';
import { concernedTenants } from './concerned-tenants.ts';
import { leading } from './leading.ts';
import { leaseName } from './lease-name.ts';
import { type Phase, serveProcess } from './serve-process.ts';
import { TENANT_CLUSTERS, watchedKinds } from './watched-kinds.ts';

export interface ProcessOptions {
  readonly connection: Connection;
  readonly version: string;
  /** this process, as no other has it: also after a pod's container started again */
  readonly identity: string;
  readonly workers: number;
  /** milliseconds */
  readonly passTimeout: number;
  readonly drainTimeout: number;
  readonly resync: number;
  /** without it nobody else may run on the same host */
  readonly leaderElect: boolean;
  readonly leaseNamespace: string;
  /** label selector of the TenantClusters that this process is for */
  readonly shard?: string;
  readonly metricsAddress: BindAddress | 'none';
  readonly probeAddress: BindAddress | 'none';
}

export interface ProcessParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly make: (tools: ReconcilerTools) => TenantReconciler;
  /** told each time that it changes who leads: another process, or undefined for this one */
  readonly onLeader?: (other: string | undefined) => void;
}

/**
 * Keeps copies of what is on the host, and works on it while it leads. When the signal is aborted, it is no longer ready, begins no further pass, waits
 * for those under way, writes what is still to be told, and gives the lease back: in this order.
 * @throws what the system says where it cannot listen for probes and scrapes
 */
export async function runReconciler(options: ProcessOptions, parts: ProcessParts, signal: AbortSignal): Promise<Ended> {
  const { connection, version, identity, workers, shard } = options;
  const { clock, random, log, metrics, tracing, make, onLeader } = parts;
  const host = new URL(connection.server).host;
  const client = { clock, userAgent: `tenantplane-reconciler/${version}`, onRequest: requestObserver(metrics, host) };
  const transport = openTransport(connection, client);
  // by connections of its own: behind slow requests it would not be renewed in time
  const leasing = openTransport(connection, client);
  const budget = serverBudget({ clock, random });
  const events = eventRecorder({
    transport,
    clock,
    random,
    reporter: { controller: 'tenantplane.io/reconciler', instance: identity },
    onFailure: (failure) => log.warn('an Event was given up', { failure: failure.message }),
  });
  let phase: Phase = 'starting';
  let queue: WorkQueue | undefined;
  let leadership: Leadership | undefined;

  const caches = hostCaches({
    kinds: watchedKinds(shard),
    transport,
    budget,
    clock,
    random,
    log,
    metrics,
    onChange: (kind, change) => {
      if (kind.concerns === 'self' && change.type === 'deleted') forgetTenant(metrics, change.key);
      if (queue === undefined) return;
      const { keys, low } = concernedTenants(kind, change, tenants);
      if (keys.length > 0) queue.add(keys, { low });
    },
  });
  const tenants = caches.store(TENANT_CLUSTERS.plural);
  const lease = { namespace: options.leaseNamespace, name: leaseName(shard) };
  const shared = sharing(
    options.leaderElect ? { lease: `${lease.namespace}/${lease.name}`, holderIdentity: identity } : undefined,
    () => leadership?.holds() ?? false,
    { transport, clock, log, metrics, events, view: caches },
  );
  const reconciler = make({
    transport,
    budget,
    clock,
    random,
    log,
    metrics,
    tracer: tracing.tracer,
    events,
    view: caches,
    holds: shared.has,
    enqueue: (key, after) => queue?.add([key], after === undefined ? {} : { after }),
    onTenantRequest: requestObserver(metrics, 'tenant'),
  });

  const stopMeasuring = processGauges(metrics, version);
  partGauges(metrics, { transports: [transport, leasing], host, events, tracing, tenants });
  queueGauges(metrics, clock, workers, () => queue?.entries() ?? new Map());
  metrics.onScrape(() => metrics.set('leader_election_master_status', { name: lease.name }, phase === 'leading' ? 1 : 0));
  const serving = await serveProcess(options, { metrics, log, missing: () => caches.missing(), phase: () => phase, signal });
  const watching = new AbortController();
  const watched = caches.run(watching.signal);
  try {
    // a watch that ends with an exception is a defect, and must not leave a process that knows nothing new
    return await Promise.race([
      main(AbortSignal.any([signal, watching.signal])),
      watched.then(() => Promise.reject(new Error('The watches have ended.'))),
    ]);
  } finally {
    watching.abort();
    await watched.catch(() => undefined);
    transport.close();
    leasing.close();
    serving.stop();
    stopMeasuring();
  }

  async function main(stop: AbortSignal): Promise<Ended> {
    try {
      await caches.synced(stop);
    } catch (error) {
      if (stop.aborted) return 'stopped';
      throw error;
    }
    log.info('caches hold the host', { tenants: tenants.size });
    phase = 'standing by';
    if (!options.leaderElect) {
      await work({ signal: stop, lost: new AbortController().signal, holds: () => true });
      return 'stopped';
    }
    const onFailure = (failure: { readonly message: string }): void =>
      log.warn('the lease could not be asked for', { failure: failure.message });
    let told: string | undefined;
    const onHeld = (holder: string): void => {
      if (holder === told) return;
      told = holder;
      log.info('standing by', { holder });
      onLeader?.(holder);
    };
    const annotations = shard === undefined ? {} : { [SHARD_SELECTOR]: shard };
    return lead({ ...lease, transport: leasing, identity, annotations, clock, random, onFailure, onHeld }, work, stop);
  }

  async function work(given: Leadership): Promise<void> {
    let over = false;
    // what did not end in time must not write once the lease is given back
    leadership = { ...given, holds: () => !over && given.holds() };
    phase = 'leading';
    log.info('leading', { identity });
    onLeader?.(undefined);
    const telling = new AbortController();
    const told = events.run(telling.signal);
    queue = workQueue({
      reconcile: tracedPass(shared.passes(reconciler), tracing.tracer, log),
      clock,
      random,
      workers,
      within: options.passTimeout,
      drain: options.drainTimeout,
      observer: queueObserver(metrics, clock, shared.has),
    });
    try {
      await leading({ queue, tenants, resync: options.resync, clock, random, log }, given);
    } finally {
      over = true;
      phase = 'ended';
      queue = undefined;
      telling.abort();
      // together: what hangs takes its seconds from the time in which the process has to end
      await Promise.all([told, tracing.flush()]);
      log.info('no longer leading', { reason: given.signal.reason instanceof Error ? given.signal.reason.message : 'told to end' });
    }
  }
}

function forgetTenant(metrics: Metrics, key: string): void {
  const [namespace = '', name = ''] = key.split('/');
  metrics.forget({ namespace, name });
}
