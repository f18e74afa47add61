/** One metric: the docs, the dashboard and the alerts are made of these rows. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** upper bounds, of a histogram */
  readonly buckets?: readonly number[];
  /**
   * Has a series for each tenant, under `tenant_namespace` and `tenant`, where that was asked for. Otherwise those labels are left out, and the
   * value is the least of all tenants': the first certificate to end, 0 where a control is not enforced for one of them.
   */
  readonly perTenant?: true;
}

const TENANT = ['tenant_namespace', 'tenant'];
/** From what a cache answers to what waits for an API server that is slow. */
const PASS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const QUEUE_SECONDS = [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1000];
const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const PROVISION_SECONDS = [2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 600, 1800];

/**
 * Every metric of the reconciler. Those that other controllers have too are called as there, so that dashboards that people have go on working. No label
 * holds the name of an object but a tenant's, and that only where it was asked for.
 */
export const METRICS: readonly Metric[] = [
  {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    help: 'Passes over TenantClusters that ended, by result: success, error (tried again) or requeue_after.',
    labels: ['controller', 'result'],
  },
  {
    name: 'controller_runtime_reconcile_errors_total',
    type: 'counter',
    help: 'Passes that failed, terminal ones, panics and timeouts among them.',
    labels: ['controller'],
  },
  {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    type: 'counter',
    help: 'Passes that failed and are not tried again before something changes.',
    labels: ['controller'],
  },
  {
    name: 'controller_runtime_reconcile_panics_total',
    type: 'counter',
    help: 'Passes that threw: a defect.',
    labels: ['controller'],
  },
  {
    name: 'controller_runtime_reconcile_timeouts_total',
    type: 'counter',
    help: 'Passes that took longer than --pass-timeout.',
    labels: ['controller'],
  },
  {
    name: 'controller_runtime_reconcile_time_seconds',
    type: 'histogram',
    help: 'How long passes took.',
    labels: ['controller'],
    buckets: PASS_SECONDS,
  },
  {
    name: 'controller_runtime_max_concurrent_reconciles',
    type: 'gauge',
    help: 'Passes that may be under way at once.',
    labels: ['controller'],
  },
  {
    name: 'controller_runtime_active_workers',
    type: 'gauge',
    help: 'Passes that are under way.',
    labels: ['controller'],
  },
  {
    name: 'workqueue_depth',
    type: 'gauge',
    help: 'TenantClusters that wait for a worker.',
    labels: ['name'],
  },
  {
    name: 'workqueue_adds_total',
    type: 'counter',
    help: 'TenantClusters that were put into the queue, those that were in it already among them.',
    labels: ['name'],
  },
  {
    name: 'workqueue_queue_duration_seconds',
    type: 'histogram',
    help: 'How long TenantClusters waited for a worker.',
    labels: ['name'],
    buckets: QUEUE_SECONDS,
  },
  {
    name: 'workqueue_work_duration_seconds',
    type: 'histogram',
    help: 'How long a worker had a TenantCluster.',
    labels: ['name'],
    buckets: QUEUE_SECONDS,
  },
  {
    name: 'workqueue_unfinished_work_seconds',
    type: 'gauge',
    help: 'Seconds that all passes under way have taken together.',
    labels: ['name'],
  },
  {
    name: 'workqueue_longest_running_processor_seconds',
    type: 'gauge',
    help: 'Seconds that the longest pass under way has taken.',
    labels: ['name'],
  },
  {
    name: 'workqueue_retries_total',
    type: 'counter',
    help: 'Passes after which the TenantCluster waits for another try.',
    labels: ['name'],
  },
  {
    name: 'rest_client_requests_total',
    type: 'counter',
    help: 'Requests to API servers, by status code (<error> where no answer came), method and host; tenants share the host "tenant".',
    labels: ['code', 'method', 'host'],
  },
  {
    name: 'rest_client_request_duration_seconds',
    type: 'histogram',
    help: 'How long API servers took to begin their answer.',
    labels: ['verb', 'host'],
    buckets: REQUEST_SECONDS,
  },
  {
    name: 'leader_election_master_status',
    type: 'gauge',
    help: '1 where this process leads, 0 where it stands by.',
    labels: ['name'],
  },
  {
    name: 'tenantplane_tenants',
    type: 'gauge',
    help: 'TenantClusters by status.phase; Unknown where none is written yet.',
    labels: ['phase'],
  },
  {
    name: 'tenantplane_tenants_on_host',
    type: 'gauge',
    help: 'TenantClusters of the host, whatever shard they are of.',
    labels: [],
  },
  {
    name: 'tenantplane_tenants_claimed',
    type: 'gauge',
    help: 'TenantClusters that this process works on: it leads, and has claimed them.',
    labels: [],
  },
  {
    name: 'tenantplane_tenants_contested',
    type: 'gauge',
    help: 'TenantClusters that this process is for as well, and that it leaves to another one.',
    labels: [],
  },
  {
    name: 'tenantplane_build_info',
    type: 'gauge',
    help: 'Always 1; the version is in its label.',
    labels: ['version'],
  },
  {
    name: 'tenantplane_isolation_control_enforced',
    type: 'gauge',
    help: '1 where the isolation control is on the host as it is in the plan, 0 where it is missing or has drifted.',
    labels: [...TENANT, 'control'],
    perTenant: true,
  },
  {
    name: 'tenantplane_certificate_expiry_timestamp_seconds',
    type: 'gauge',
    help: 'When a certificate of a control plane ends, in seconds since 1970.',
    labels: [...TENANT, 'certificate'],
    perTenant: true,
  },
  {
    name: 'tenantplane_last_success_timestamp_seconds',
    type: 'gauge',
    help: 'When the last pass that went well ended, in seconds since 1970.',
    labels: [...TENANT],
    perTenant: true,
  },
  {
    name: 'tenantplane_provision_duration_seconds',
    type: 'histogram',
    help: 'From the creation of a TenantCluster until its API answered for the first time.',
    labels: [],
    buckets: PROVISION_SECONDS,
  },
  {
    name: 'tenantplane_event_loop_delay_seconds',
    type: 'gauge',
    help: 'How late the event loop was since the last scrape, by quantile.',
    labels: ['quantile'],
  },
  {
    name: 'tenantplane_watch_restarts_total',
    type: 'counter',
    help: 'Watches and lists that ended in a failure, by resource and kind of failure.',
    labels: ['resource', 'reason'],
  },
  {
    name: 'tenantplane_relist_total',
    type: 'counter',
    help: 'Lists after the first, by resource and what made them necessary.',
    labels: ['resource', 'cause'],
  },
  {
    name: 'tenantplane_missed_events_total',
    type: 'counter',
    help: 'Changes that no watch told of, and that a later list showed.',
    labels: ['resource'],
  },
  {
    name: 'tenantplane_open_connections',
    type: 'gauge',
    help: 'Connections to API servers.',
    labels: ['host'],
  },
  {
    name: 'tenantplane_events_emitted_total',
    type: 'counter',
    help: 'Events written, repetitions of one that were counted into it among them.',
    labels: [],
  },
  {
    name: 'tenantplane_events_suppressed_total',
    type: 'counter',
    help: 'Events that were left out: too many of one object, or too many that waited.',
    labels: [],
  },
  {
    name: 'tenantplane_events_failed_total',
    type: 'counter',
    help: 'Events that could not be written.',
    labels: [],
  },
  {
    name: 'tenantplane_telemetry_dropped_total',
    type: 'counter',
    help: 'Spans that were left out because too many waited, or could not be sent.',
    labels: ['signal'],
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'CPU seconds that the process has used.',
    labels: [],
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory that the process holds.',
    labels: [],
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When the process began, in seconds since 1970.',
    labels: [],
  },
];
