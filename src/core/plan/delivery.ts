import { RECONCILER_ACCESS } from '../isolation/reconciler.ts';
import type { JsonObject } from '../kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../kube/object.ts';
import type { Direction, TenantSettings } from './settings.ts';

/** Annotations by which the appliers keep an object when it leaves the tree (notes: ordering, pruning, tracking). */
const KEEP_ON_PRUNE: JsonObject = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  // what is kept and no longer in the tree would be out of sync for ever, and healed for ever
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'client.lifecycle.config.k8s.io/deletion': 'detach',
};

/** By this one annotation a create-only object is known; it is Config Sync's own, and Argo CD's Applications select by it. */
export const CREATE_ONLY_MARK = { key: 'client.lifecycle.config.k8s.io/mutation', value: 'ignore' } as const;

/** Written once by the applier, then the tenant's and the host's; Argo CD has no annotation for it (projection rules, section 2). */
const CREATE_ONLY: JsonObject = {
  'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent',
  [CREATE_ONLY_MARK.key]: CREATE_ONLY_MARK.value,
};

/** Replace in place of patch, where the tenant changed what cannot be changed and the TenantCluster opted in. */
export const REPLACE: JsonObject = {
  'argocd.argoproj.io/sync-options': 'Replace=true,Force=true',
  'kustomize.toolkit.fluxcd.io/force': 'enabled',
};

/** Text that Flux's post-build substitution would take for a variable. */
const NO_SUBSTITUTION: JsonObject = { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' };

export function deliveryAnnotations(
  object: KubeObject,
  options: { readonly direction?: Direction; readonly substitution: boolean; readonly tenant: Pick<TenantSettings, 'pruneVolumes'> },
): JsonObject {
  return {
    ...(keptOnPrune(object, options.tenant) && KEEP_ON_PRUNE),
    ...(options.direction !== undefined && options.direction !== 'toHost' && CREATE_ONLY),
    ...(options.substitution && NO_SUBSTITUTION),
  };
}

/**
 * Claims hold data and a Namespace holds everything, so neither goes with a file that was removed; nor does what closes a
 * namespace, since what still runs in it would stand open. An allowance goes with its file: one that stayed would be a hole.
 * So do the rights by which the reconciler takes a control plane down, but for this: no applier knows that they have to go last, and without
 * them the TenantCluster would never go. They are its own, and lead to nothing but what it made there.
 */
export function keptOnPrune(object: KubeObject, tenant: Pick<TenantSettings, 'pruneVolumes'>): boolean {
  const kind = kindOf(object);
  if (kind === 'PersistentVolumeClaim') return !tenant.pruneVolumes;
  return KEPT_KINDS.has(kind) || KEPT_NAMES[kind]?.test(nameOf(object)) === true;
}

const KEPT_KINDS: ReadonlySet<string> = new Set(['Namespace', 'ResourceQuota', 'LimitRange']);
const ACCESS = new RegExp(`^${RECONCILER_ACCESS}$`);
/** Own names: no projected object has one. */
const KEPT_NAMES: Readonly<Record<string, RegExp>> = {
  NetworkPolicy: /^tenantplane-(cp-)?default-deny$/,
  Role: ACCESS,
  RoleBinding: ACCESS,
};
