import { digest } from './digest.ts';

/** Everything that begins with this belongs to us, on either side. */
export const PREFIX = 'tenantplane.io/';

/** Label and annotation keys on host objects (product rules, "Identity on host objects"). */
export const KEY = {
  managedBy: 'app.kubernetes.io/managed-by',
  tenant: `${PREFIX}tenant`,
  virtualNamespace: `${PREFIX}virtual-namespace`,
  kind: `${PREFIX}kind`,
  virtualName: `${PREFIX}virtual-name`,
  tenantCluster: `${PREFIX}tenant-cluster`,
  decision: `${PREFIX}decision`,
  causedBy: `${PREFIX}caused-by`,
  isolation: `${PREFIX}isolation`,
  rewrites: `${PREFIX}rewrites`,
  sourcePath: `${PREFIX}source-path`,
  origin: `${PREFIX}origin`,
  role: `${PREFIX}role`,
  tenantNamespace: `${PREFIX}tenant-namespace`,
  isolationProfile: `${PREFIX}isolation-profile`,
  isolationLevel: `${PREFIX}isolation-level`,
  /** on pods and templates: a cut of the tenant's view for fieldRefs that would show the host's (virtual names) */
  podName: `${PREFIX}pod-name`,
} as const;

export const MANAGED_BY = 'tenantplane';
/** The version of the mapping rules; it changes only together with rendered output. */
export const MAPPING = 'tp1';

/** A label value of at most 63 characters: the text itself where it fits, else a cut with a digest. */
export function labelValue(text: string): string {
  if (text.length <= 63) return text;
  return `${text.slice(0, 50).replace(/[-_.]+$/, '')}-${digest([text])}`;
}
