import { parseQuantity } from '../kube/quantity.ts';
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

const set = (value: string | undefined): ReadonlySet<string> => new Set(value === undefined || value === 'none' ? [] : value.split(' '));

/** What is allowed by name: more of it is weaker. */
const allowed: Lattice = (before, after) => {
  const [was, is] = [set(before), set(after)];
  const added = [...is].some((name) => !was.has(name));
  const taken = [...was].some((name) => !is.has(name));
  return added ? 'weaker' : taken ? 'stronger' : 'different';
};
/** What is closed by name: more of it is stronger. */
const closed: Lattice = (before, after) => allowed(after, before);
const opens = inOrder('true', 'false');
const enforced = inOrder(undefined, 'true');
const presence: Lattice = (before, after) => (before === undefined ? 'stronger' : after === undefined ? 'weaker' : 'different');
const neither: Lattice = () => 'different';

/** `cpu=8,memory=16Gi`: less is stronger, and a bound is stronger than none. */
const bounds: Lattice = (before, after) => {
  const [was, is] = [amounts(before), amounts(after)];
  const directions = [...new Set([...was.keys(), ...is.keys()])].map((name): Direction | undefined => {
    const [a, b] = [was.get(name), is.get(name)];
    if (a === b) return undefined;
    if (a === undefined) return 'stronger';
    return b === undefined || b > a ? 'weaker' : 'stronger';
  });
  return directions.includes('weaker') ? 'weaker' : directions.includes('stronger') ? 'stronger' : 'different';
};

function amounts(text = ''): ReadonlyMap<string, bigint> {
  const pairs = text.split(',').map((part) => part.split('=', 2));
  return new Map(
    pairs.flatMap(([name = '', value]) => {
      const amount = parseQuantity(value);
      return amount === undefined ? [] : [[name, amount] as const];
    }),
  );
}

/** A row for each control that can be declared (core/isolation/controls.ts): a test holds that none is missing. */
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
  resources: bounds,
  mode: inOrder(undefined, 'dedicated'),
  'allow.daemonSets': opens,
  'allow.selectorlessServices': opens,
  'allow.endpoints': opens,
  'allow.serviceTypes': allowed,
  'allow.externalNames': allowed,
  'allow.loadBalancerClasses': allowed,
  'allow.ingressClasses': allowed,
  'allow.storageClasses': allowed,
  'allow.csiDrivers': allowed,
  'allow.extendedResources': allowed,
  'allow.imageVolumes': opens,
  'allow.tolerations': allowed,
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
  'allow.annotations': allowed,
  'allow.externalMetrics': opens,
  'allow.gatewayNamespaces': allowed,
  'allow.secretStores': allowed,
  'allow.seccompProfiles': allowed,
  'allow.ingressHostSuffixes': allowed,
  'network.hostCIDRs': closed,
  limits: bounds,
  quota: bounds,
};

/** Which way a control went. One that no row knows is at least not the same. */
export function directionOf(control: string, before: string | undefined, after: string | undefined): Direction {
  return LATTICES[control]?.(before, after) ?? 'different';
}
