import { KEY, MANAGED_BY } from '../../identity/metadata.ts';
import { at } from '../../kube/json.ts';
import { type KubeObject, kindOf, labelsOf, nameOf, namespaceOf } from '../../kube/object.ts';
import { OWN_PREFIX } from '../compiled-object.ts';
import type { BoundaryInput } from './boundary-input.ts';
import { compareObject, isSameOwner } from './compare-object.ts';
import { boundaryPairs, type Pair } from './pairs.ts';
import { NETWORK_POLICY } from './planned-boundary.ts';

/** What a reconciler does that delivers a tenant's boundary itself (`delivery: controller`). */
export interface BoundaryDelivery {
  /** what is missing or not as planned, in the order in which it is to be applied */
  readonly apply: readonly KubeObject[];
  /** live allowances of ours that are no longer planned, to be deleted once the rest is applied */
  readonly remove: readonly KubeObject[];
  /** what of the boundary stands in the two namespaces, in the order in which it is to be deleted when the tenant goes */
  readonly teardown: readonly KubeObject[];
}

/**
 * What closes comes before what admits or gives, so that nothing runs in between that is not bounded. Kinds that are not here are never
 * applied: admission and flow control are the host's, and whoever could write them could take the fence away.
 */
const ORDER = ['Namespace', 'ResourceQuota', 'LimitRange', 'NetworkPolicy', 'PodDisruptionBudget', 'ServiceAccount', 'Role', 'RoleBinding'];

/**
 * The namespaced part of the boundary as a reconciler applies it, around the tenant's objects that are live. What is not this tenant's stays
 * as it is, and so do the namespaces when the tenant goes.
 *
 * @throws where TenantCluster, profile or policy are not legal
 */
export function boundaryToApply(input: BoundaryInput): BoundaryDelivery {
  const { ctx, pairs, live } = boundaryPairs(input);
  const mine = pairs
    .filter(({ planned: { tree, object } }) => tree === 'tenant' && ORDER.includes(kindOf(object)))
    .sort((a, b) => rank(a.planned.object) - rank(b.planned.object));
  const paired = new Set(pairs.map((pair) => pair.live));
  const { namespace, controlPlaneNamespace } = ctx.tenant;
  const foreign = foreignNamespaces(mine);
  return {
    apply: mine.filter((pair) => !foreign.has(namespaceOf(pair.planned.object)) && toApply(pair)).map(({ planned }) => planned.object),
    remove: [namespace, controlPlaneNamespace]
      .flatMap((place) => live.all(NETWORK_POLICY, place))
      .filter((policy) => !paired.has(policy) && isOwn(policy, `${namespace}/${ctx.tenant.name}`)),
    teardown: mine
      .flatMap((pair) =>
        pair.live !== undefined && kindOf(pair.live) !== 'Namespace' && isSameOwner(pair.planned.object, pair.live) ? [pair.live] : [],
      )
      .reverse(),
  };
}

function rank(object: KubeObject): number {
  return 2 * ORDER.indexOf(kindOf(object)) + (nameOf(object).endsWith('default-deny') ? 0 : 1);
}

/** What runs in them would lose its network under a tenant's policies. */
function foreignNamespaces(pairs: readonly Pair[]): ReadonlySet<string | undefined> {
  return new Set(
    pairs.flatMap(({ planned: { object }, live }) =>
      kindOf(object) === 'Namespace' && live !== undefined && !isSameOwner(object, live) ? [nameOf(object)] : [],
    ),
  );
}

/** Whether applying it makes it as planned. What others added to a map of it, an apply leaves there. */
function toApply({ planned: { object }, live }: Pair): boolean {
  if (live === undefined) return true;
  return (
    isSameOwner(object, live) &&
    compareObject(object, live).some(({ path }) => at(object, ...path) !== undefined || at(live, ...path) === undefined)
  );
}

/** Ours by name, label and annotation, and no projection: those have another name. */
function isOwn(policy: KubeObject, tenantCluster: string): boolean {
  return (
    nameOf(policy).startsWith(OWN_PREFIX) &&
    labelsOf(policy).get(KEY.managedBy) === MANAGED_BY &&
    at(policy, 'metadata', 'annotations', KEY.tenantCluster) === tenantCluster
  );
}
