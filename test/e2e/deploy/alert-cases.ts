/** Series in the words of Prometheus' own tests, one value a minute: `1+2x10` is 1, 3, 5, … . */
export interface AlertCase {
  readonly alert: string;
  /** it has to be true of these, after an hour */
  readonly bad: readonly string[];
  /** and not of these */
  readonly good: readonly string[];
}

const JOB = 'job="tenantplane-reconciler-metrics"';
/** another controller, which has the same metrics */
const OTHER = 'job="cert-manager"';
const HOUR = '1+0x60';

/** A case for each alert: what it is for, and what is close to it and right. */
export const ALERT_CASES: readonly AlertCase[] = [
  { alert: 'TenantplaneReconcilerDown', bad: [`up{${JOB}} ${HOUR}`], good: [`tenantplane_build_info{${JOB}} ${HOUR}`] },
  {
    alert: 'TenantplaneNotOneLeader',
    bad: ['a', 'b'].map((pod) => `leader_election_master_status{${JOB},name="tenantplane-reconciler",pod="${pod}"} ${HOUR}`),
    good: [
      `leader_election_master_status{${JOB},name="tenantplane-reconciler",pod="a"} 0+0x60`,
      `leader_election_master_status{${JOB},name="tenantplane-reconciler",pod="b"} ${HOUR}`,
      `leader_election_master_status{${OTHER},name="cert-manager",pod="c"} 0+0x60`,
    ],
  },
  {
    alert: 'TenantplaneControlNotEnforced',
    bad: [`tenantplane_isolation_control_enforced{${JOB},control="networkPolicies"} 0+0x60`],
    good: [`tenantplane_isolation_control_enforced{${JOB},control="networkPolicies"} ${HOUR}`],
  },
  {
    alert: 'TenantplaneTenantDegraded',
    bad: [`tenantplane_tenants{${JOB},phase="Degraded"} ${HOUR}`],
    good: [`tenantplane_tenants{${JOB},phase="Ready"} 5+0x60`],
  },
  {
    alert: 'TenantplaneTenantNotReady',
    bad: [`tenantplane_tenants{${JOB},phase="Pending"} ${HOUR}`],
    good: [`tenantplane_tenants{${JOB},phase="Ready"} 5+0x60`],
  },
  {
    alert: 'TenantplaneTenantUnclaimed',
    bad: [`tenantplane_tenants_on_host{${JOB},pod="a"} 5+0x60`, `tenantplane_tenants_claimed{${JOB},pod="a"} 4+0x60`],
    // two shards, and one that stands by
    good: ['a', 'b', 'c'].flatMap((pod, index) => [
      `tenantplane_tenants_on_host{${JOB},pod="${pod}"} 5+0x60`,
      `tenantplane_tenants_claimed{${JOB},pod="${pod}"} ${[3, 2, 0][index]}+0x60`,
    ]),
  },
  {
    alert: 'TenantplaneShardsOverlap',
    bad: [`tenantplane_tenants_contested{${JOB},pod="a"} 0+0x60`, `tenantplane_tenants_contested{${JOB},pod="b"} ${HOUR}`],
    good: [`tenantplane_tenants_contested{${JOB},pod="a"} 0+0x60`],
  },
  {
    alert: 'TenantplaneTenantStale',
    bad: [`tenantplane_last_success_timestamp_seconds{${JOB}} -60+0x60`],
    good: [`tenantplane_last_success_timestamp_seconds{${JOB}} 3000+0x60`],
  },
  {
    alert: 'TenantplaneCertificateExpiring',
    bad: [`tenantplane_certificate_expiry_timestamp_seconds{${JOB},certificate="kubeconfig"} 600000+0x60`],
    // the kubeconfig for people is renewed ten days before its end
    good: [`tenantplane_certificate_expiry_timestamp_seconds{${JOB},certificate="kubeconfig"} 867600+0x60`],
  },
  {
    alert: 'TenantplaneReconcileErrors',
    bad: [`controller_runtime_reconcile_errors_total{${JOB}} 0+1x60`, `controller_runtime_reconcile_total{${JOB},result="error"} 0+10x60`],
    good: [
      `controller_runtime_reconcile_errors_total{${JOB}} 0+1x60`,
      `controller_runtime_reconcile_total{${JOB},result="success"} 0+100x60`,
      `controller_runtime_reconcile_errors_total{${OTHER}} 0+100x60`,
    ],
  },
  {
    alert: 'TenantplaneReconcilerDefect',
    bad: [`controller_runtime_reconcile_panics_total{${JOB}} 0x50 1+0x10`],
    good: [`controller_runtime_reconcile_panics_total{${JOB}} 1+0x60`, `controller_runtime_reconcile_panics_total{${OTHER}} 0+1x60`],
  },
  {
    alert: 'TenantplanePassStuck',
    bad: [`workqueue_longest_running_processor_seconds{${JOB}} 0+60x60`],
    good: [
      `workqueue_longest_running_processor_seconds{${JOB}} 119+0x60`,
      `workqueue_longest_running_processor_seconds{${OTHER}} 900+0x60`,
    ],
  },
  {
    alert: 'TenantplaneQueueSlow',
    bad: [
      `workqueue_queue_duration_seconds_bucket{${JOB},le="60"} 0+0x60`,
      `workqueue_queue_duration_seconds_bucket{${JOB},le="300"} 0+9x60`,
      `workqueue_queue_duration_seconds_bucket{${JOB},le="+Inf"} 0+9x60`,
    ],
    good: [
      `workqueue_queue_duration_seconds_bucket{${JOB},le="60"} 0+9x60`,
      `workqueue_queue_duration_seconds_bucket{${JOB},le="300"} 0+9x60`,
      `workqueue_queue_duration_seconds_bucket{${JOB},le="+Inf"} 0+9x60`,
    ],
  },
  {
    alert: 'TenantplaneApiErrors',
    bad: [
      `rest_client_requests_total{${JOB},host="tenant",code="<error>"} 0+1x60`,
      `rest_client_requests_total{${JOB},host="tenant",code="200"} 0+9x60`,
    ],
    good: [
      `rest_client_requests_total{${JOB},host="tenant",code="404"} 0+9x60`,
      `rest_client_requests_total{${JOB},host="tenant",code="200"} 0+9x60`,
    ],
  },
  {
    alert: 'TenantplaneEventLoopDelayed',
    bad: [`tenantplane_event_loop_delay_seconds{${JOB},quantile="0.99"} 2+0x60`],
    good: [
      `tenantplane_event_loop_delay_seconds{${JOB},quantile="1"} 2+0x60`,
      `tenantplane_event_loop_delay_seconds{${JOB},quantile="0.99"} 0+0x60`,
    ],
  },
  {
    alert: 'TenantplaneChangesMissed',
    bad: [`tenantplane_missed_events_total{${JOB},resource="pods"} 0x30 3+0x30`],
    good: [`tenantplane_missed_events_total{${JOB},resource="pods"} 3+0x60`],
  },
  {
    alert: 'TenantplaneEventsFailing',
    bad: [`tenantplane_events_failed_total{${JOB}} 0+1x60`],
    good: [`tenantplane_events_failed_total{${JOB}} 3+0x60`],
  },
  {
    alert: 'TenantplaneTelemetryDropping',
    bad: [`tenantplane_telemetry_dropped_total{${JOB},signal="traces"} 0+1x60`],
    good: [`tenantplane_telemetry_dropped_total{${JOB},signal="traces"} 3+0x60`],
  },
];
