import { JOB, OURS } from './selectors.ts';

/** One alert: rules and the page of the docs are made from these rows. */
export interface Alert {
  readonly name: string;
  readonly expr: string;
  readonly for: string;
  /** critical: tenants are not held apart, or nobody looks after them. warning: somebody should look today. info: worth knowing */
  readonly severity: 'critical' | 'warning' | 'info';
  readonly summary: string;
  /** what a person does about it */
  readonly remedy: string;
}

const WEEK = 7 * 86_400;

/** Both replicas are scraped, and what is of the host both say: so `max` or `min`, not `sum`. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'TenantplaneReconcilerDown',
    expr: 'absent(tenantplane_build_info)',
    for: '10m',
    severity: 'critical',
    summary: 'No reconciler is scraped',
    remedy:
      'Look whether its pods run (`kubectl get pods -n tenantplane-system`), and whether Prometheus reaches them: its namespace needs the label `metrics: enabled`. Tenants run on meanwhile; nothing is verified, renewed or mended.',
  },
  {
    name: 'TenantplaneNotOneLeader',
    expr: `sum by (name) (leader_election_master_status${OURS}) != 1`,
    for: '5m',
    severity: 'critical',
    summary: '{{ $value }} replicas of {{ $labels.name }} say that they lead',
    remedy:
      'None: look at the Lease (`kubectl describe lease -n tenantplane-system`) and at the log for what keeps it from being taken. Two: a defect, and the younger one is right; delete the other pod, and report it.',
  },
  {
    name: 'TenantplaneControlNotEnforced',
    expr: 'min by (tenant_namespace, tenant, control) (tenantplane_isolation_control_enforced) == 0',
    for: '10m',
    severity: 'critical',
    summary: 'Isolation control {{ $labels.control }} is not on the host as declared',
    remedy:
      'The condition IsolationEnforced of the TenantCluster names the object. Apply the render again, and find out who changed it. Without `--metrics-tenant-label` the alert does not say whose: `kubectl get tenantclusters -A` does.',
  },
  {
    name: 'TenantplaneTenantDegraded',
    expr: 'max(tenantplane_tenants{phase="Degraded"}) > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} tenants were ready and are no more',
    remedy: '`kubectl get tenantclusters -A` shows which; the reason of the condition Ready says why.',
  },
  {
    name: 'TenantplaneTenantNotReady',
    expr: 'max by (phase) (tenantplane_tenants{phase!~"Ready|Degraded"}) > 0',
    for: '30m',
    severity: 'warning',
    summary: '{{ $value }} tenants are {{ $labels.phase }} for half an hour',
    remedy: 'The conditions Stalled and Reconciling of the TenantCluster say what it waits for.',
  },
  {
    name: 'TenantplaneTenantUnclaimed',
    expr: 'max(tenantplane_tenants_on_host) - sum(tenantplane_tenants_claimed) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'No reconciler works on {{ $value }} TenantClusters',
    remedy:
      '`kubectl get tenantclusters -A -o wide` shows which: their column Lease is empty, or names one that nobody holds. With shards, no `--shard-selector` selects them, or one whose reconciler does not run.',
  },
  {
    name: 'TenantplaneShardsOverlap',
    expr: 'sum(tenantplane_tenants_contested) > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} TenantClusters are left to another shard',
    remedy:
      'Two `--shard-selector` select the same TenantClusters: the Events ShardsOverlap say whose they are, and by which Lease. Each is one reconciler’s alone even so. Make the selectors exclude each other.',
  },
  {
    name: 'TenantplaneTenantStale',
    expr: 'time() - max by (tenant_namespace, tenant) (tenantplane_last_success_timestamp_seconds) > 3600',
    for: '10m',
    severity: 'warning',
    summary: 'No pass over a tenant went well for an hour',
    remedy:
      'Every tenant has a pass each 10 minutes (`--resync`). The log of the leader has a line for each that failed; look at TenantplaneReconcileErrors and TenantplaneApiErrors too.',
  },
  {
    name: 'TenantplaneCertificateExpiring',
    expr: `min by (tenant_namespace, tenant, certificate) (tenantplane_certificate_expiry_timestamp_seconds) - time() < ${WEEK}`,
    for: '1h',
    severity: 'warning',
    summary: 'Certificate {{ $labels.certificate }} ends in {{ $value | humanizeDuration }}',
    remedy:
      'The reconciler renews long before; so look why it does not: is the tenant paused, does a restart of its control plane fail? An authority is not renewed at all: plan a new tenant.',
  },
  {
    name: 'TenantplaneReconcileErrors',
    expr: `sum(rate(controller_runtime_reconcile_errors_total${OURS}[10m])) / sum(rate(controller_runtime_reconcile_total${OURS}[10m])) > 0.05`,
    for: '15m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of passes fail',
    remedy: 'The log of the leader has a line for each, with the tenant and the failure.',
  },
  {
    name: 'TenantplaneReconcilerDefect',
    expr: `sum(increase(controller_runtime_reconcile_panics_total${OURS}[15m])) > 0`,
    for: '0m',
    severity: 'warning',
    summary: 'A pass threw',
    remedy: 'A defect: report the line of the log. The pass is tried again.',
  },
  {
    name: 'TenantplanePassStuck',
    expr: `max(workqueue_longest_running_processor_seconds${OURS}) > 300`,
    for: '5m',
    severity: 'warning',
    summary: 'A pass is under way for {{ $value | humanizeDuration }}',
    remedy:
      'Passes are told to end after `--pass-timeout`, two minutes. This one does not: a defect. Delete the leader’s pod; another takes over.',
  },
  {
    name: 'TenantplaneQueueSlow',
    expr: `histogram_quantile(0.99, sum by (le) (rate(workqueue_queue_duration_seconds_bucket${OURS}[10m]))) > 60`,
    for: '15m',
    severity: 'warning',
    summary: 'Tenants wait {{ $value | humanizeDuration }} for a pass',
    remedy: 'More `--workers`, or shards. First look whether API servers are slow: then passes are.',
  },
  {
    name: 'TenantplaneApiErrors',
    expr: `sum by (host) (rate(rest_client_requests_total{${JOB}, code=~"5..|429|<error>"}[10m])) / sum by (host) (rate(rest_client_requests_total${OURS}[10m])) > 0.05`,
    for: '15m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of requests to {{ $labels.host }} fail',
    remedy:
      '`tenant` stands for all tenants’ API servers: one whose control plane is down shows there too. Of the host: its API server is overloaded, or the way to it.',
  },
  {
    name: 'TenantplaneEventLoopDelayed',
    expr: 'max(tenantplane_event_loop_delay_seconds{quantile="0.99"}) > 1',
    for: '10m',
    severity: 'warning',
    summary: 'The reconciler does nothing else for {{ $value | humanizeDuration }} at a time',
    remedy: 'It has too little CPU, or collects garbage all the time: give it more memory, and raise `--max-old-space-size` with it.',
  },
  {
    name: 'TenantplaneChangesMissed',
    expr: 'sum by (resource) (increase(tenantplane_missed_events_total[1h])) > 0',
    for: '0m',
    severity: 'info',
    summary: 'No watch told of {{ $value }} changes of {{ $labels.resource }}',
    remedy: 'A later list found them. Something between reconciler and API server ends watches in silence, such as a load balancer.',
  },
  {
    name: 'TenantplaneEventsFailing',
    expr: 'sum(rate(tenantplane_events_failed_total[15m])) > 0',
    for: '15m',
    severity: 'info',
    summary: 'Events cannot be written',
    remedy: 'What they say stands in conditions too. The log says why; often a namespace that is being deleted.',
  },
  {
    name: 'TenantplaneTelemetryDropping',
    expr: 'sum by (signal) (rate(tenantplane_telemetry_dropped_total[15m])) > 0',
    for: '15m',
    severity: 'info',
    summary: '{{ $labels.signal }} are dropped',
    remedy: 'The collector at `OTEL_EXPORTER_OTLP_ENDPOINT` is slow or not there, or the network policy has no rule for it.',
  },
];
