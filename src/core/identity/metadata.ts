import { digest } from './digest.ts';

/** Label and annotation keys on host objects (product rules, "Identity on host objects"). */
export const KEY = {
  managedBy: 'app.kubernetes.io/managed-by',
  tenant: 'tenantplane.io/tenant',
  virtualNamespace: 'tenantplane.io/virtual-namespace',
  kind: 'tenantplane.io/kind',
  virtualName: 'tenantplane.io/virtual-name',
  tenantCluster: 'tenantplane.io/tenant-cluster',
  decision: 'tenantplane.io/decision',
  causedBy: 'tenantplane.io/caused-by',
  isolation: 'tenantplane.io/isolation',
  rewrites: 'tenantplane.io/rewrites',
  sourcePath: 'tenantplane.io/source-path',
  origin: 'tenantplane.io/origin',
  role: 'tenantplane.io/role',
  tenantNamespace: 'tenantplane.io/tenant-namespace',
  isolationProfile: 'tenantplane.io/isolation-profile',
  isolationLevel: 'tenantplane.io/isolation-level',
  /** on workload namespaces: what the tenant's node pool asks its pods to tolerate, for admission */
  nodePoolTolerations: 'tenantplane.io/node-pool-tolerations',
  /** on workload namespaces: the labels by which its pods choose the nodes of that pool */
  nodePoolSelector: 'tenantplane.io/node-pool-selector',
  /** on pods and templates: a cut of the tenant's view for fieldRefs that would show the host's (virtual names) */
  podName: 'tenantplane.io/pod-name',
} as const;

export const MANAGED_BY = 'tenantplane';
/** The version of the mapping rules; it changes only together with rendered output. */
export const MAPPING = 'tp1';

/** A label value of at most 63 characters: the text itself where it fits, else a cut with a digest. */
export function labelValue(text: string): string {
  if (text.length <= 63) return text;
  return `${text.slice(0, 50).replace(/[-_.]+$/, '')}-${digest([text])}`;
}
