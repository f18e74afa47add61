import type { JsonObject } from '../../core/kube/json.ts';
import type { Clock } from '../../kube/clock.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import type { SentRequest } from '../../kube/transport/transport.ts';
import type { Observed } from './observe.ts';

/** One manager for all that the reconciler provisions: a field that it no longer applies is removed. */
export const PROVISION = 'tenantplane-provision' as const;

export interface Execution {
  readonly call: Call;
  /** whether this process alone may still write for the tenant */
  readonly holds: () => boolean;
  readonly clock: Clock;
  readonly onTenantRequest: (what: SentRequest) => void;
  readonly observed: Observed;
  /** of the control plane */
  readonly namespace: string;
  /** labels and annotations of what is made for this tenant */
  readonly metadata: (name: string) => JsonObject;
}
