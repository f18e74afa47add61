import type { MakeReconciler } from './reconcile.ts';

/** What `tenantplane reconciler` does for each tenant: nothing yet but to say that it has seen it. */
export const makeTenantReconciler: MakeReconciler = ({ log, view }) => ({
  reconcile: async (key) => {
    log.debug('seen', { tenant: key, there: view.store('tenantclusters').get(key) !== undefined });
    return { result: 'success' };
  },
});
