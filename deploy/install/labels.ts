import { RECONCILER } from '../../src/core/isolation/reconciler.ts';

/** By which a policy, a budget and a Service find the pods. The network policies of tenants know the reconciler by it too (`reconcilerPeer`). */
export const SELECTOR: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': RECONCILER.name };

/** `managed-by: tenantplane` is not among them: it says of an object that a render made it. */
export const LABELS: Readonly<Record<string, string>> = { ...SELECTOR, 'app.kubernetes.io/part-of': 'tenantplane' };

/** Of a namespace whose pods may scrape the reconciler's metrics. */
export const SCRAPER: Readonly<Record<string, string>> = { metrics: 'enabled' };

export const PORT = { metrics: 8080, health: 8081 } as const;
