import type { Tracer } from '@opentelemetry/api';
import type { HostFacts } from '../core/plan/settings.ts';
import type { Clock } from '../kube/clock.ts';
import type { EventRecorder } from '../kube/events/recorder.ts';
import type { Random } from '../kube/random.ts';
import type { ObjectStore } from '../kube/reflector/object-store.ts';
import type { ServerBudget } from '../kube/server-budget.ts';
import type { SentRequest, Transport } from '../kube/transport/transport.ts';
import type { Log } from './log/log.ts';
import type { Metrics } from './metrics/metrics.ts';

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

/** What the process hands to the reconciler that runs in it. */
export interface ReconcilerTools {
  /** of the host */
  readonly transport: Transport;
  readonly budget: ServerBudget;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly events: EventRecorder;
  /** copies of the host's objects, by the plural of their kind */
  readonly view: { store(plural: string): ObjectStore };
  /**
   * Whether nobody else can write for this TenantCluster now; to be asked right before each write.
   * @param key `namespace/name`
   */
  holds(key: string): boolean;
  /** @param after milliseconds; at once, if not said. Nothing where this process does not lead */
  enqueue(key: string, after?: number): void;
  /** for transports to tenants, whose requests are counted together */
  onTenantRequest(what: SentRequest): void;
}

/** What the person who starts it says of the host, and of what can be run. */
export interface ReconcilerInputs {
  readonly facts: HostFacts;
  /** whom the render trusts, as far as that is said here: no object of the host says it but what it is about */
  readonly trusted?: Partial<Pick<HostFacts, 'trustedWriters' | 'trustedGroups'>>;
  /** in place of the table of this build */
  readonly releases?: readonly { readonly version: string; readonly image: string }[];
}

export type MakeReconciler = (tools: ReconcilerTools, inputs: ReconcilerInputs) => TenantReconciler;
