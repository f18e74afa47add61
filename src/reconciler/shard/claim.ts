import { objectAt, stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';

/** Who works on a TenantCluster, as its status says it: one process, while it holds one Lease. */
export interface Claim {
  /** `namespace/name` */
  readonly lease: string;
  /** as in the Lease: no two processes have the same, nor one that starts again */
  readonly holderIdentity: string;
}

export function claimOf(tenantCluster: KubeObject): Claim | undefined {
  const leader = objectAt(tenantCluster, 'status', 'leader');
  const [lease, holderIdentity] = [stringAt(leader, 'lease'), stringAt(leader, 'holderIdentity')];
  return lease === undefined || holderIdentity === undefined ? undefined : { lease, holderIdentity };
}
