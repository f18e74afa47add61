import { OURS } from './selectors.ts';

export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** One panel. Units are Grafana's names. */
export interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries' | 'table' | 'state-timeline';
  readonly unit: 'short' | 's' | 'bytes' | 'reqps' | 'percentunit' | 'dateTimeFromNow';
  /** of 24 columns */
  readonly width: 4 | 6 | 8 | 12 | 24;
  readonly queries: readonly Query[];
}

export interface Dashboard {
  /** also its file's name, and fixed: links to it stay */
  readonly uid: string;
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

type Size = readonly [type: Panel['type'], unit: Panel['unit'], width: Panel['width']];
const panel = (title: string, [type, unit, width]: Size, ...queries: readonly (readonly [expr: string, legend: string])[]): Panel => ({
  title,
  type,
  unit,
  width,
  queries: queries.map(([expr, legend]) => ({ expr, legend })),
});
const STAT = ['stat', 'short', 4] as const;
const rate = (metric: string): string => `rate(${metric}${OURS}[$__rate_interval])`;
const quantile = (q: number, metric: string, by = ''): string =>
  `histogram_quantile(${q}, sum by (${by}le) (rate(${metric}_bucket${OURS}[$__rate_interval])))`;
const quantiles = (metric: string): (readonly [string, string])[] => [0.5, 0.9, 0.99].map((q) => [quantile(q, metric), `p${q * 100}`]);
const TENANT = 'tenant_namespace, tenant';
const WHOSE = '{{tenant_namespace}}/{{tenant}}';

/** Every metric of the table is on one of them. */
export const DASHBOARDS: readonly Dashboard[] = [
  {
    uid: 'tenantplane-fleet',
    title: 'tenantplane: fleet',
    rows: [
      {
        title: 'Tenants',
        panels: [
          panel('Ready', STAT, ['max(tenantplane_tenants{phase="Ready"}) or vector(0)', '']),
          panel('Degraded', STAT, ['max(tenantplane_tenants{phase="Degraded"}) or vector(0)', '']),
          panel('Controls not enforced', STAT, ['count(tenantplane_isolation_control_enforced == 0) or vector(0)', '']),
          panel(
            'First certificate to end',
            ['stat', 'dateTimeFromNow', 6],
            ['min(tenantplane_certificate_expiry_timestamp_seconds) * 1000', ''],
          ),
          panel(
            'Least recent pass that went well',
            ['stat', 'dateTimeFromNow', 6],
            ['min(tenantplane_last_success_timestamp_seconds) * 1000', ''],
          ),
          panel('Tenants by phase', ['timeseries', 'short', 12], ['max by (phase) (tenantplane_tenants)', '{{phase}}']),
          panel(
            'Until the API answers for the first time',
            ['timeseries', 's', 12],
            ...quantiles('tenantplane_provision_duration_seconds'),
          ),
          panel(
            'Shared out among reconcilers',
            ['timeseries', 'short', 12],
            ['max(tenantplane_tenants_on_host)', 'on the host'],
            ['sum(tenantplane_tenants_claimed)', 'claimed'],
            ['sum(tenantplane_tenants_contested)', 'left to another shard'],
          ),
        ],
      },
      {
        title: 'Isolation and certificates',
        panels: [
          panel(
            'Isolation controls: 1 enforced, 0 not',
            ['state-timeline', 'short', 24],
            [`min by (${TENANT}, control) (tenantplane_isolation_control_enforced)`, `${WHOSE} {{control}}`],
          ),
          panel(
            'Certificates: time left',
            ['table', 's', 12],
            [
              `sort(min by (${TENANT}, certificate) (tenantplane_certificate_expiry_timestamp_seconds) - time())`,
              `${WHOSE} {{certificate}}`,
            ],
          ),
          panel(
            'Since the last pass that went well',
            ['timeseries', 's', 12],
            [`time() - max by (${TENANT}) (tenantplane_last_success_timestamp_seconds)`, WHOSE],
          ),
        ],
      },
    ],
  },
  {
    uid: 'tenantplane-reconciler',
    title: 'tenantplane: reconciler',
    rows: [
      {
        title: 'Passes',
        panels: [
          panel('Leads', ['stat', 'short', 6], [`leader_election_master_status${OURS}`, '{{instance}}']),
          panel('Version', ['stat', 'short', 6], ['tenantplane_build_info', '{{version}}']),
          panel(
            'Workers',
            ['timeseries', 'short', 12],
            [`max(controller_runtime_active_workers${OURS})`, 'busy'],
            [`max(controller_runtime_max_concurrent_reconciles${OURS})`, 'all'],
          ),
          panel(
            'Passes by result',
            ['timeseries', 'reqps', 12],
            [`sum by (result) (${rate('controller_runtime_reconcile_total')})`, '{{result}}'],
          ),
          panel(
            'Passes that failed',
            ['timeseries', 'reqps', 12],
            [`sum(${rate('controller_runtime_reconcile_errors_total')})`, 'all'],
            [`sum(${rate('controller_runtime_terminal_reconcile_errors_total')})`, 'not tried again'],
            [`sum(${rate('controller_runtime_reconcile_timeouts_total')})`, 'timeouts'],
            [`sum(${rate('controller_runtime_reconcile_panics_total')})`, 'defects'],
          ),
          panel('How long passes took', ['timeseries', 's', 12], ...quantiles('controller_runtime_reconcile_time_seconds')),
          panel(
            'The pass that is longest under way',
            ['timeseries', 's', 12],
            [`max(workqueue_longest_running_processor_seconds${OURS})`, 'longest'],
            [`max(workqueue_unfinished_work_seconds${OURS})`, 'all together'],
          ),
        ],
      },
      {
        title: 'Queue',
        panels: [
          panel('Tenants that wait', ['timeseries', 'short', 8], [`max(workqueue_depth${OURS})`, '']),
          panel(
            'Put into the queue, and tried again',
            ['timeseries', 'reqps', 8],
            [`sum(${rate('workqueue_adds_total')})`, 'put in'],
            [`sum(${rate('workqueue_retries_total')})`, 'tried again'],
          ),
          panel(
            'Wait and work, p99',
            ['timeseries', 's', 8],
            [quantile(0.99, 'workqueue_queue_duration_seconds'), 'wait'],
            [quantile(0.99, 'workqueue_work_duration_seconds'), 'work'],
          ),
        ],
      },
      {
        title: 'API servers',
        panels: [
          panel(
            'Requests',
            ['timeseries', 'reqps', 12],
            [`sum by (host, code) (${rate('rest_client_requests_total')})`, '{{host}} {{code}}'],
          ),
          panel(
            'Until an answer begins, p99',
            ['timeseries', 's', 12],
            [quantile(0.99, 'rest_client_request_duration_seconds', 'host, verb, '), '{{host}} {{verb}}'],
          ),
          panel('Connections', ['timeseries', 'short', 8], ['sum by (host) (tenantplane_open_connections)', '{{host}}']),
          panel(
            'Watches that ended in a failure, and lists after the first',
            ['timeseries', 'reqps', 8],
            ['sum by (resource, reason) (rate(tenantplane_watch_restarts_total[$__rate_interval]))', '{{resource}} {{reason}}'],
            ['sum by (resource, cause) (rate(tenantplane_relist_total[$__rate_interval]))', 'list of {{resource}}: {{cause}}'],
          ),
          panel(
            'Changes that no watch told of',
            ['timeseries', 'short', 8],
            ['sum by (resource) (increase(tenantplane_missed_events_total[$__rate_interval]))', '{{resource}}'],
          ),
        ],
      },
      {
        title: 'Process',
        panels: [
          panel('CPU', ['timeseries', 'short', 8], [rate('process_cpu_seconds_total'), '{{instance}}']),
          panel('Memory', ['timeseries', 'bytes', 8], [`process_resident_memory_bytes${OURS}`, '{{instance}}']),
          panel('Up since', ['stat', 'dateTimeFromNow', 8], [`process_start_time_seconds${OURS} * 1000`, '{{instance}}']),
          panel(
            'Delay of the event loop',
            ['timeseries', 's', 12],
            ['max by (quantile) (tenantplane_event_loop_delay_seconds)', 'quantile {{quantile}}'],
          ),
          panel(
            'Events and telemetry',
            ['timeseries', 'reqps', 12],
            ['sum(rate(tenantplane_events_emitted_total[$__rate_interval]))', 'Events written'],
            ['sum(rate(tenantplane_events_suppressed_total[$__rate_interval]))', 'Events left out'],
            ['sum(rate(tenantplane_events_failed_total[$__rate_interval]))', 'Events that failed'],
            ['sum by (signal) (rate(tenantplane_telemetry_dropped_total[$__rate_interval]))', '{{signal}} dropped'],
          ),
        ],
      },
    ],
  },
];
