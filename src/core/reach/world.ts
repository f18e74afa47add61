import { TENANT_API_PORT } from '../controlplane/endpoint.ts';
import type { Decision } from '../decision/decision.ts';
import { KEY } from '../identity/metadata.ts';
import { CONTROL_PLANE_POD } from '../isolation/peers.ts';
import { apiVersionOf, type KubeObject, kindOf, labelsOf, nameOf, namespaceOf } from '../kube/object.ts';
import { type AddressSet, EVERY_ADDRESS } from './address-set.ts';
import type { PodEnd } from './endpoint.ts';
import { type Policy, readPolicy } from './read-policy.ts';
import { allKnown, type Labels } from './selects.ts';
import { makesPods, type Workload, workloadOf } from './workloads.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
/** Kinds that say who can reach whom, beside those that make pods. */
const NEEDED: ReadonlySet<string> = new Set(['Namespace', 'NetworkPolicy', 'Service']);

/** A file of a tenant's tree; `object` may be a getter that parses. */
export interface TreeFile {
  readonly path: string;
  readonly object: KubeObject;
  readonly decision?: Decision;
}

export interface TenantTree {
  /** `team-dev/dev` */
  readonly id: string;
  readonly files: readonly TreeFile[];
}

/** A NetworkPolicy with the file that it stands in, and why it is there. */
export interface HostPolicy extends Policy {
  readonly tenant: string;
  readonly file: TreeFile;
}

/** Everything of a plan that says who can reach whom. */
export interface World {
  readonly workloads: readonly Workload[];
  servicesIn(namespace: string): readonly KubeObject[];
  /** the pods of each tenant's control plane, which the reconciler makes */
  readonly controlPlanes: ReadonlyMap<string, PodEnd>;
  policiesIn(namespace: string): readonly HostPolicy[];
  /** whether the host's network plugin enforces NetworkPolicies; undefined where nobody says */
  readonly enforcement?: 'enforced' | 'ignored';
}

export interface WorldFacts {
  readonly enforcement?: 'enforced' | 'ignored';
  /** ranges that the host's pods have their addresses in, where they are known */
  readonly podAddresses?: AddressSet;
}

export function isNeeded(apiVersion: string, kind: string): boolean {
  return NEEDED.has(kind) || makesPods(apiVersion, kind);
}

export function worldOf(trees: readonly TenantTree[], facts: WorldFacts): World {
  const addresses = facts.podAddresses ?? EVERY_ADDRESS;
  const workloads: Workload[] = [];
  const services = new Map<string, KubeObject[]>();
  const controlPlanes = new Map<string, PodEnd>();
  const policies = new Map<string, HostPolicy[]>();
  for (const { id: tenant, files } of trees) {
    const needed = files.flatMap((file) => {
      if (file.decision?.host !== undefined && !isNeeded(file.decision.host.apiVersion, file.decision.host.kind)) return [];
      const { object } = file;
      return [{ file: { ...file, object }, object }];
    });
    const namespaces = new Map(needed.filter(({ object }) => kindOf(object) === 'Namespace').map(({ object }) => [nameOf(object), object]));
    for (const { object, file } of needed) {
      const namespace = namespaceOf(object) ?? '';
      if (kindOf(object) === 'NetworkPolicy') {
        put(policies, namespace, { ...readPolicy(object), tenant, file });
      } else if (kindOf(object) === 'Service') put(services, namespace, object);
      else if (kindOf(object) === 'Namespace') {
        if (labelsOf(object).get(KEY.role) === 'control-plane') controlPlanes.set(tenant, controlPlane(object, addresses));
      } else if (makesPods(apiVersionOf(object), kindOf(object))) {
        const workload = workloadOf(object, { tenant, namespaceLabels: namespaceLabels(namespace, namespaces.get(namespace)), addresses });
        if (workload !== undefined) workloads.push(workload);
      }
    }
  }
  return {
    workloads,
    controlPlanes,
    servicesIn: (namespace) => services.get(namespace) ?? [],
    policiesIn: (namespace) => policies.get(namespace) ?? [],
    ...(facts.enforcement !== undefined && { enforcement: facts.enforcement }),
  };
}

function put<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** With the label that the API server sets itself (KEP-2161). */
function namespaceLabels(name: string, object: KubeObject | undefined): Labels {
  return allKnown(new Map([...(object === undefined ? [] : labelsOf(object)), [NAME_LABEL, name]]));
}

function controlPlane(namespace: KubeObject, addresses: AddressSet): PodEnd {
  return {
    is: 'pod',
    namespace: nameOf(namespace),
    namespaceLabels: namespaceLabels(nameOf(namespace), namespace),
    labels: allKnown(new Map(Object.entries(CONTROL_PLANE_POD))),
    ports: [{ name: 'api', containerPort: TENANT_API_PORT }],
    addresses,
    hostNetwork: false,
    rendered: true,
  };
}

/**
 * Pods of a namespace of the host that is no tenant's. Of its labels only the name is known, and that ours are not among them:
 * trusted writers alone set those (admission policies).
 */
export function hostPods(namespace: string, labels: Readonly<Record<string, string>>, addresses: AddressSet): PodEnd {
  return {
    is: 'pod',
    namespace,
    namespaceLabels: {
      known: new Map([[NAME_LABEL, namespace]]),
      open: (key) => key !== NAME_LABEL && !key.startsWith('tenantplane.io/'),
    },
    labels: { known: new Map(Object.entries(labels)), open: (key) => !Object.hasOwn(labels, key) },
    ports: [],
    addresses,
    hostNetwork: false,
    rendered: false,
  };
}
