import { KEY, MANAGED_BY } from '../../core/identity/metadata.ts';
import { WORKLOAD_ACCOUNT } from '../../core/isolation/namespaces.ts';
import { BOUNDARY_KINDS } from '../../core/isolation/verify/boundary-kinds.ts';
import type { Selection } from '../../kube/reflector/selection.ts';

/**
 * What need not be read of a kind. Never by a label where somebody could take an object out of sight with it: of Services and Ingresses
 * only projected ones count, and those without our label admit nobody.
 */
const NARROWED: Readonly<Record<string, Pick<Selection, 'labelSelector' | 'fieldSelector'>>> = {
  Service: { labelSelector: `${KEY.managedBy}=${MANAGED_BY}` },
  'Ingress.networking.k8s.io': { labelSelector: `${KEY.managedBy}=${MANAGED_BY}` },
  ServiceAccount: { fieldSelector: `metadata.name=${WORKLOAD_ACCOUNT}` },
};

/** What reflectors are to hold so that boundaries can be verified: one selection a kind, over all namespaces. */
export const BOUNDARY_SELECTIONS: readonly Selection[] = BOUNDARY_KINDS.map(({ group, version, kind, plural, place, key }) => ({
  resource: { group, version, kind, plural, namespaced: place !== 'host' && kind !== 'Namespace' },
  ...NARROWED[key],
}));
