import { asArray, at, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { matchesSelector } from '../../src/core/kube/labels.ts';
import { labelsOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { containersOf, type HostPod, type HostTree } from './host-tree.ts';

type Direction = 'Ingress' | 'Egress';

/** Something that packets come from or go to. Namespaces outside the tree carry their name label only. */
export interface Peer {
  readonly namespace: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly spec?: JsonObject;
}

/** Whether the NetworkPolicies of the tree let `client` reach `port` of `server`, as a conforming network plugin decides. */
export function reaches(tree: HostTree, client: Peer, server: Peer, port: number, protocol = 'TCP'): boolean {
  return admits(tree, 'Egress', client, server, server, port, protocol) && admits(tree, 'Ingress', server, client, server, port, protocol);
}

function admits(tree: HostTree, direction: Direction, subject: Peer, other: Peer, server: Peer, port: number, protocol: string): boolean {
  const policies = tree.all('NetworkPolicy.networking.k8s.io').filter((policy) => applies(policy, direction, subject));
  if (policies.length === 0) return true;
  const [rules, peers] = direction === 'Ingress' ? (['ingress', 'from'] as const) : (['egress', 'to'] as const);
  return policies.some((policy) =>
    objectsOf(at(policy, 'spec', rules)).some(
      (rule) => portFits(rule, server, port, protocol) && peerFits(tree, rule, peers, namespaceOf(policy) ?? '', other),
    ),
  );
}

function applies(policy: JsonObject, direction: Direction, subject: Peer): boolean {
  if (namespaceOf(policy) !== subject.namespace) return false;
  if (!matchesSelector(objectAt(policy, 'spec', 'podSelector') ?? {}, subject.labels)) return false;
  const types = asArray(at(policy, 'spec', 'policyTypes'));
  if (types !== undefined) return types.includes(direction);
  return direction === 'Ingress' || objectsOf(at(policy, 'spec', 'egress')).length > 0; // defaults of networking/v1
}

/** An absent or empty list means everything: the API stores both alike. */
function peerFits(tree: HostTree, rule: JsonObject, list: 'from' | 'to', policyNamespace: string, other: Peer): boolean {
  const peers = objectsOf(rule[list]);
  if (peers.length === 0) return true;
  return peers.some((peer) => {
    if (peer['ipBlock'] !== undefined) return false; // pods are meant by labels here, addresses are not known
    const namespaces = objectAt(peer, 'namespaceSelector');
    const pods = objectAt(peer, 'podSelector');
    const inNamespace =
      namespaces === undefined ? other.namespace === policyNamespace : matchesSelector(namespaces, namespaceLabels(tree, other.namespace));
    return inNamespace && (pods === undefined || matchesSelector(pods, other.labels));
  });
}

function portFits(rule: JsonObject, server: Peer, port: number, protocol: string): boolean {
  const ports = objectsOf(rule['ports']);
  if (ports.length === 0) return true;
  return ports.some((entry) => {
    if ((entry['protocol'] ?? 'TCP') !== protocol) return false;
    const wanted = entry['port'];
    if (wanted === undefined) return true;
    if (typeof wanted === 'string') return server.spec !== undefined && namedPort(server.spec, wanted) === port;
    const end = entry['endPort'];
    return typeof end === 'number' ? port >= Number(wanted) && port <= end : wanted === port;
  });
}

/** The number of a container port by name; undefined where no container has it. */
export function namedPort(spec: JsonObject, name: string): number | undefined {
  for (const { container } of containersOf(spec)) {
    for (const port of objectsOf(container['ports'])) if (stringAt(port, 'name') === name) return Number(port['containerPort']);
  }
  return undefined;
}

export function namespaceLabels(tree: HostTree, name: string): ReadonlyMap<string, string> {
  const namespace = tree.all('Namespace').find((object) => nameOf(object) === name);
  return new Map([...(namespace === undefined ? [] : labelsOf(namespace)), ['kubernetes.io/metadata.name', name]]);
}

export function peerOf(pod: HostPod): Peer {
  return { namespace: pod.namespace, labels: pod.labels, spec: pod.spec };
}
