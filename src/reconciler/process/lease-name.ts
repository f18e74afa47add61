import { digest } from '../../core/identity/digest.ts';

/** One Lease for each shard: who is for the same TenantClusters waits for the same one. */
export function leaseName(shard: string | undefined): string {
  return shard === undefined ? 'tenantplane-reconciler' : `tenantplane-reconciler-${digest([shard])}`;
}
