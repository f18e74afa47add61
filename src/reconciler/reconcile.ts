/** How one pass over one TenantCluster ended. */
export interface Outcome {
  /** `error`: tried again, later each time. `terminal`: nothing will change before something else does, so it is not tried again until then */
  readonly result: 'success' | 'error' | 'terminal';
  /** milliseconds until the next pass, where nothing happens before; of a success only */
  readonly requeueAfter?: number;
  /** for the log: what went wrong, without anything that is secret */
  readonly failure?: string;
}

/** What one pass does. It is told the key alone: what is there now counts, not what has happened. */
export interface TenantReconciler {
  /**
   * @param key `namespace/name` of a TenantCluster, which may be gone
   * @param signal aborted when the pass has taken too long, the lease is lost, or the process ends
   */
  reconcile(key: string, signal: AbortSignal): Promise<Outcome>;
}
