import { digest } from '../identity/digest.ts';
import { asString, type JsonObject, objectAt, type Path } from '../kube/json.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Edit } from './edit.ts';

/** Domains of tools that deliver or take away what their labels and annotations say; admission keeps others from them too. */
export const DELIVERY_DOMAINS = [
  'argoproj.io',
  'fluxcd.io',
  'config.kubernetes.io',
  'config.k8s.io',
  'kpt.dev',
  'cli-utils.sigs.k8s.io',
  'applyset.kubernetes.io',
  'kapp.k14s.io',
  'objectset.rio.cattle.io',
  'fleet.cattle.io',
  'configsync.gke.io',
  'configmanagement.gke.io',
] as const;

/**
 * Labels that a tool of the host owns: whoever sets one speaks to that tool. Exact keys, then domains with their subdomains, then
 * beginnings. AAD Pod Identity gives a pod the cloud identity that `aadpodidbinding` names; the container runtime and Cilium
 * write their own labels in Java's order, and a pod that has them posed as one of another namespace (CVE-2023-39347).
 */
const RESERVED_KEYS: ReadonlySet<string> = new Set([
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/instance',
  'azure.workload.identity/use',
  'aadpodidbinding',
]);
const RESERVED_DOMAINS = ['tenantplane.io', 'helm.sh', 'pod-security.kubernetes.io', ...DELIVERY_DOMAINS] as const;
export const RESERVED_BEGINNINGS = ['io.kubernetes.', 'io.cilium.k8s.'] as const;

export function isReservedLabel(key: string): boolean {
  if (RESERVED_KEYS.has(key) || RESERVED_BEGINNINGS.some((beginning) => key.startsWith(beginning))) return true;
  const slash = key.indexOf('/');
  if (slash < 0) return false;
  const domain = key.slice(0, slash).toLowerCase();
  return RESERVED_DOMAINS.some((reserved) => domain === reserved || domain.endsWith(`.${reserved}`));
}

/** What a cut key ends in; a key that looks so is cut as well, or it could be another's. */
const CUT = /^.{49}-[a-z2-7]{12}$/;

/**
 * The key under which a tenant's label stands on the host: itself, or for a reserved one
 * `t.tenantplane.io/<domain>_<name>`. Injective: a domain holds no underscore, so the first one is the slash. A key without a
 * domain has one of its own, `bare.t.tenantplane.io/<name>`.
 */
export function hostLabelKey(key: string): string {
  if (!isReservedLabel(key)) return key;
  if (!key.includes('/')) return `bare.t.tenantplane.io/${key}`;
  const flat = key.replace('/', '_');
  return `t.tenantplane.io/${flat.length <= 63 && !CUT.test(flat) ? flat : `${flat.slice(0, 49)}-${digest([key])}`}`;
}

/** Labels whose values Kubernetes' own controllers make from an object's name; in selectors they are references. */
const NAME_LABELS: Readonly<Record<string, (ctx: TenantContext, virtualNamespace: string, value: string) => string>> = {
  'statefulset.kubernetes.io/pod-name': (ctx, virtualNamespace, value) => {
    const match = /^(.+)-(\d+)$/.exec(value);
    if (match?.[1] === undefined) return ctx.hostName('Pod', virtualNamespace, value).name;
    return `${ctx.hostName('StatefulSet.apps', virtualNamespace, match[1]).name}-${match[2]}`;
  },
  'job-name': jobName,
  'batch.kubernetes.io/job-name': jobName,
};

function jobName(ctx: TenantContext, virtualNamespace: string, value: string): string {
  return ctx.hostName('Job.batch', virtualNamespace, value).name;
}

/** The value that a label or a selector term has on the host. An empty one names nothing, and no host name is made of it. */
export function hostLabelValue(ctx: TenantContext, virtualNamespace: string, key: string, value: string): string {
  const translate = Object.hasOwn(NAME_LABELS, key) ? NAME_LABELS[key] : undefined;
  return translate === undefined || value === '' ? value : translate(ctx, virtualNamespace, value);
}

/** Re-keys the labels at `path` (a map of labels, not a selector). Name labels are translated too. */
export function translateLabels(edit: Edit, path: Path, ctx: TenantContext, virtualNamespace: string): void {
  const labels = objectAt(edit.object, ...path);
  if (labels === undefined) return;
  for (const key of Object.keys(labels)) {
    const value = asString(labels[key]);
    if (value === undefined) continue;
    const newKey = hostLabelKey(key);
    const newValue = hostLabelValue(ctx, virtualNamespace, key, value);
    if (newKey === key) {
      if (newValue !== value) edit.set([...path, key], newValue, 'rw.reference');
      continue;
    }
    edit.remove([...path, key], 'rw.reserved-metadata');
    edit.set([...path, newKey], newValue, 'rw.reserved-metadata');
    edit.note('LabelRekeyed', { key, newKey }, [...path, key]);
  }
}

/** Labels that every projected pod carries, so that selectors can name tenant and virtual namespace. */
export function scopeLabels(ctx: TenantContext, virtualNamespace: string): JsonObject {
  return { 'tenantplane.io/tenant': ctx.tenantLabel, 'tenantplane.io/virtual-namespace': virtualNamespace };
}
