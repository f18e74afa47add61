import { ALL_TENANT_CLUSTERS, TENANT_CLUSTERS } from '../process/watched-kinds.ts';
import type { ReconcilerTools, TenantReconciler } from '../reconcile.ts';
import type { Claim } from './claim.ts';
import { claimedPasses } from './claimed-passes.ts';
import { claims } from './claims.ts';

type Tools = Pick<ReconcilerTools, 'transport' | 'clock' | 'log' | 'metrics' | 'events' | 'view'>;

/** How this process shares TenantClusters out with others. */
export interface Sharing {
  /** whether a TenantCluster is this process's, so that it alone may write for it now */
  has(key: string): boolean;
  /** passes over those alone that are this process's */
  passes(reconciler: TenantReconciler): TenantReconciler;
}

/**
 * @param own as whom this process claims; without, nobody else runs, and all are its own
 * @param holds whether it leads
 */
export function sharing(own: Claim | undefined, holds: () => boolean, tools: Tools): Sharing {
  const { transport, clock, log, metrics, events, view } = tools;
  const [tenants, everywhere] = [view.store(TENANT_CLUSTERS.plural), view.store(ALL_TENANT_CLUSTERS)];
  const claimed = own === undefined ? undefined : claims({ transport, clock, own, tenants, everywhere, holds });
  const has = (key: string): boolean => holds() && (claimed === undefined ? tenants.get(key) !== undefined : claimed.has(key));
  let contested = (): number => 0;
  metrics.onScrape(() => {
    metrics.set('tenantplane_tenants_on_host', {}, everywhere.size);
    metrics.set('tenantplane_tenants_claimed', {}, [...tenants.keys()].filter(has).length);
    metrics.set('tenantplane_tenants_contested', {}, holds() ? contested() : 0);
  });
  return {
    has,
    passes: (reconciler) => {
      if (claimed === undefined) return reconciler;
      const forget = (key: string): void => {
        const [namespace = '', name = ''] = key.split('/');
        metrics.forget({ namespace, name });
      };
      const passes = claimedPasses(reconciler, { claims: claimed, tenants, clock, log, events, forget });
      contested = passes.contested;
      return passes;
    },
  };
}
