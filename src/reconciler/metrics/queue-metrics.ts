import type { Clock } from '../../kube/clock.ts';
import type { Entry } from '../queue/queue-state.ts';
import type { PassEnd, QueueObserver } from '../queue/work-queue.ts';
import type { Metrics } from './metrics.ts';

const OF: { readonly controller: string } = { controller: 'tenantcluster' };
const NAMED: { readonly name: string } = { name: 'tenantcluster' };

/** What each end of a pass counts as, beside its duration. */
const COUNTED: Readonly<Record<PassEnd, readonly string[]>> = {
  success: [],
  error: ['controller_runtime_reconcile_errors_total'],
  terminal: ['controller_runtime_reconcile_errors_total', 'controller_runtime_terminal_reconcile_errors_total'],
  panic: ['controller_runtime_reconcile_errors_total', 'controller_runtime_reconcile_panics_total'],
  timeout: ['controller_runtime_reconcile_errors_total', 'controller_runtime_reconcile_timeouts_total'],
  aborted: [],
};
const RETRIED: ReadonlySet<PassEnd> = new Set(['error', 'panic', 'timeout', 'aborted']);

/** Feeds the metrics of a queue as it goes. @param isOurs whether a key's TenantCluster is this process's: of one that is gone, or another's, nothing is kept */
export function queueObserver(metrics: Metrics, clock: Clock, isOurs: (key: string) => boolean): QueueObserver {
  return {
    added: (keys) => metrics.add('workqueue_adds_total', NAMED, keys),
    started: (_, waited) => metrics.observe('workqueue_queue_duration_seconds', NAMED, waited / 1000),
    finished: (key, end, milliseconds, outcome) => {
      const result = end === 'success' ? (outcome?.requeueAfter === undefined ? 'success' : 'requeue_after') : 'error';
      metrics.add('controller_runtime_reconcile_total', { ...OF, result });
      for (const name of COUNTED[end]) metrics.add(name, OF);
      if (RETRIED.has(end)) metrics.add('workqueue_retries_total', NAMED);
      metrics.observe('controller_runtime_reconcile_time_seconds', OF, milliseconds / 1000);
      metrics.observe('workqueue_work_duration_seconds', NAMED, milliseconds / 1000);
      if (end !== 'success' || !isOurs(key)) return;
      const [namespace = '', name = ''] = key.split('/');
      metrics.set('tenantplane_last_success_timestamp_seconds', { tenant_namespace: namespace, tenant: name }, clock.wall() / 1000);
    },
  };
}

/** What a queue is like at the moment of a scrape. */
export function queueGauges(metrics: Metrics, clock: Clock, workers: number, entries: () => ReadonlyMap<string, Entry>): void {
  metrics.onScrape(() => {
    const all = [...entries().values()];
    const taken = all.flatMap(({ running }) => (running === undefined ? [] : [(clock.now() - running) / 1000]));
    metrics.set('workqueue_depth', NAMED, all.filter(({ ready }) => ready !== undefined).length);
    metrics.set(
      'workqueue_unfinished_work_seconds',
      NAMED,
      taken.reduce((sum, seconds) => sum + seconds, 0),
    );
    metrics.set('workqueue_longest_running_processor_seconds', NAMED, Math.max(0, ...taken));
    metrics.set('controller_runtime_active_workers', OF, taken.length);
    metrics.set('controller_runtime_max_concurrent_reconciles', OF, workers);
  });
}
