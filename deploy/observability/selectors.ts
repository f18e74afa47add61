/**
 * Metrics that other controllers have too are told apart by their job: the name that a ServiceMonitor gives it is that of the Service,
 * `tenantplane-reconciler-metrics`.
 */
export const JOB = 'job=~"tenantplane-reconciler.*"';
export const OURS: string = `{${JOB}}`;
