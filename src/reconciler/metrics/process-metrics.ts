import { monitorEventLoopDelay } from 'node:perf_hooks';
import { stringAt } from '../../core/kube/json.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import type { ObjectStore } from '../../kube/reflector/object-store.ts';
import type { SentRequest, Transport } from '../../kube/transport/transport.ts';
import type { Tracing } from '../trace/tracing.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds between two looks at how late the event loop is. */
const TURN = 20;

/** What a process of Node's is like at the moment of a scrape. @returns what ends the measuring */
export function processGauges(metrics: Metrics, version: string): () => void {
  const delay = monitorEventLoopDelay({ resolution: TURN });
  delay.enable();
  metrics.set('tenantplane_build_info', { version }, 1);
  metrics.set('process_start_time_seconds', {}, Math.round(Date.now() / 1000 - process.uptime()));
  metrics.onScrape(() => {
    const { user, system } = process.cpuUsage();
    metrics.total('process_cpu_seconds_total', {}, (user + system) / 1e6);
    metrics.set('process_resident_memory_bytes', {}, process.memoryUsage.rss());
    // in nanoseconds; without a sample it is not a number
    for (const quantile of [0.5, 0.99, 1])
      metrics.set('tenantplane_event_loop_delay_seconds', { quantile: String(quantile) }, (delay.percentile(quantile * 100) || 0) / 1e9);
    delay.reset();
  });
  return () => delay.disable();
}

/** Counts requests to a server, or to several that share a name. */
export function requestObserver(metrics: Metrics, host: string): (what: SentRequest) => void {
  return ({ method, code, milliseconds }) => {
    metrics.add('rest_client_requests_total', { code: code === undefined ? '<error>' : String(code), method, host });
    metrics.observe('rest_client_request_duration_seconds', { verb: method, host }, milliseconds / 1000);
  };
}

/** What the rest of the process counts or knows by itself. */
export function partGauges(
  metrics: Metrics,
  parts: {
    readonly transports: readonly Transport[];
    readonly host: string;
    readonly events: EventRecorder;
    readonly tracing: Tracing;
    readonly tenants: ObjectStore;
  },
): void {
  const { transports, host, events, tracing, tenants } = parts;
  metrics.onScrape(() => {
    metrics.set(
      'tenantplane_open_connections',
      { host },
      transports.reduce((sum, each) => sum + each.connections(), 0),
    );
    metrics.total('tenantplane_events_emitted_total', {}, events.counts.written);
    metrics.total('tenantplane_events_suppressed_total', {}, events.counts.dropped);
    metrics.total('tenantplane_events_failed_total', {}, events.counts.failed);
    metrics.total('tenantplane_telemetry_dropped_total', { signal: 'traces' }, tracing.dropped());
    metrics.clear('tenantplane_tenants');
    const phases = new Map<string, number>();
    for (const tenant of tenants.values()) {
      const phase = stringAt(tenant, 'status', 'phase') ?? 'Unknown';
      phases.set(phase, (phases.get(phase) ?? 0) + 1);
    }
    for (const [phase, count] of phases) metrics.set('tenantplane_tenants', { phase }, count);
  });
}
