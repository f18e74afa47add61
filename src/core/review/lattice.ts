import { type Covers, peer, prefix, same, selected, suffix, toleration } from './coverings.ts';
import type { IsolationChange } from './review.ts';

export type Direction = IsolationChange['direction'];
/** Which way a declared value went; undefined is a control that is not declared. */
type Lattice = (before: string | undefined, after: string | undefined) => Direction;

/** Weakest first. What is not in the order is neither above nor below. */
function inOrder(...order: readonly (string | undefined)[]): Lattice {
  return (before, after) => {
    const [was, is] = [order.indexOf(before), order.indexOf(after)];
    if (was < 0 || is < 0) return 'different';
    return is > was ? 'stronger' : 'weaker';
  };
}

const set = (value: string | undefined): readonly string[] => (value === undefined || value === 'none' ? [] : value.split(' '));

/** What is opened by name: more than before held is weaker. */
const opened =
  (covers: Covers): Lattice =>
  (before, after) => {
    const [was, is] = [set(before), set(after)];
    const added = is.some((name) => !was.some((wide) => covers(wide, name)));
    const taken = was.some((name) => !is.some((wide) => covers(wide, name)));
    return added ? 'weaker' : taken ? 'stronger' : 'different';
  };
const allowed = opened(same);
/** What is closed by name: more of it is stronger. */
const closed: Lattice = (before, after) => allowed(after, before);
const opens = inOrder('true', 'false');
const enforced = inOrder(undefined, 'true');
const presence: Lattice = (before, after) => (before === undefined ? 'stronger' : after === undefined ? 'weaker' : 'different');
const neither: Lattice = () => 'different';

/** A number of which more is weaker. */
const atMost: Lattice = (before, after) => {
  const [was, is] = [Number(before), Number(after)];
  return was < is ? 'weaker' : is < was ? 'stronger' : 'different';
};

/** A row for each text of `declared-texts.ts`: a test holds that none is missing. Amounts are judged in `bounds.ts`. */
export const LATTICES: Readonly<Record<string, Lattice>> = {
  'controls.podSecurity': inOrder(undefined, 'baseline', 'restricted'),
  'controls.defaultDenyNetworkPolicy': enforced,
  'controls.requireResourceRequests': enforced,
  'controls.runtimeClassName': presence,
  'controls.blockHostPathVolumes': enforced,
  'controls.blockPrivilegedContainers': enforced,
  'controls.userNamespaces': inOrder(undefined, 'preferred', 'required'),
  'controls.apiFairness': inOrder(undefined, 'tenant', 'tenant-strict'),
  'networking.egressPolicy': inOrder('unrestricted', 'allow-same-tenant', 'deny-by-default'),
  'controlPlane.datastore.egress': allowed,
  'networking.podCIDR': neither,
  'networking.serviceCIDR': neither,
  'networking.dnsServiceIP': neither,
  mode: inOrder(undefined, 'dedicated'),
  'allow.daemonSets': opens,
  'allow.selectorlessServices': opens,
  'allow.endpoints': opens,
  'allow.serviceTypes': allowed,
  'allow.externalNames': opened(suffix),
  'allow.loadBalancerClasses': allowed,
  'allow.ingressClasses': allowed,
  'allow.storageClasses': allowed,
  'allow.csiDrivers': allowed,
  'allow.extendedResources': allowed,
  'allow.imageVolumes': opens,
  'allow.tolerations': opened(toleration),
  'allow.priorityClasses': allowed,
  'always.serviceAccount': presence,
  'always.scheduling': presence,
  'always.services': presence,
  'always.secretTypes': presence,
  'always.reservedMetadata': presence,
  'always.disruptionBudgets': presence,
  'always.ownObjects': presence,
  'always.namespaces': presence,
  'always.reconcilerAccess': presence,
  'always.controlPlane': presence,
  // Fields of a profile that open or close something and are no control of their own.
  'allow.annotations': opened(prefix),
  'allow.externalMetrics': opens,
  'allow.gatewayNamespaces': allowed,
  'allow.secretStores': allowed,
  'allow.seccompProfiles': allowed,
  'allow.ingressHostSuffixes': opened(suffix),
  'network.hostCIDRs': closed,
  'network.dnsPeers': opened(peer),
  'host.trustedWriters': allowed,
  'host.trustedGroups': allowed,
  'host.runtimeTolerations': opened(toleration),
  // Of a TenantCluster.
  'networking.ingressHostSuffixes': opened(suffix),
  'nodePool.nodeSelector': closed,
  'nodePool.tolerations': opened(toleration),
  'controlPlane.expose.loadBalancer': opens,
  'controlPlane.expose.annotations': neither,
  'controlPlane.kubeconfig.hours': atMost,
  // Of the custom kinds of a SyncPolicy.
  'resources.customKinds': allowed,
  'resources.references': closed,
  'resources.selectors': closed,
  'resources.labelSelector': opened(selected),
  'resources.scope': allowed,
};

/** Which way a control went. One that no row knows is at least not the same. */
export function directionOf(control: string, before: string | undefined, after: string | undefined): Direction {
  return LATTICES[control]?.(before, after) ?? 'different';
}
