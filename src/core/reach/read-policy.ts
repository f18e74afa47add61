import { directionsOf, type PolicyDirection } from '../isolation/covered-pods.ts';
import { parseCidr } from '../kube/cidr.ts';
import { asArray, type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../kube/object.ts';
import { type AddressSet, addresses, NO_ADDRESS } from './address-set.ts';
import type { PodEnd } from './endpoint.ts';
import { all, type Sure, selecting } from './selects.ts';

/** A NetworkPolicy of the host, read once. */
export interface Policy {
  readonly object: KubeObject;
  readonly namespace: string;
  readonly name: string;
  selects(pod: PodEnd): Sure;
  /** undefined where it says nothing of the direction */
  readonly rules: Readonly<Record<PolicyDirection, readonly Rule[] | undefined>>;
}

export interface Rule {
  readonly index: number;
  readonly direction: PolicyDirection;
  /** undefined is everyone; an empty list is stored as none and means the same */
  readonly peers: readonly Peer[] | undefined;
  readonly ports: readonly JsonObject[];
}

export type Peer = PodPeer | { readonly block: AddressSet; readonly written: JsonObject };

export interface PodPeer {
  readonly written: JsonObject;
  pods(pod: PodEnd): Sure;
  /** whether it stands for pods of that namespace at all */
  namespaces(pod: PodEnd): Sure;
}

const FIELDS = {
  Ingress: ['ingress', 'from'],
  Egress: ['egress', 'to'],
} as const satisfies Record<PolicyDirection, readonly [string, string]>;

export function readPolicy(object: KubeObject): Policy {
  const directions = directionsOf(object);
  const selects = selecting(objectAt(object, 'spec', 'podSelector') ?? {});
  const namespace = namespaceOf(object) ?? '';
  const rules = (direction: PolicyDirection): readonly Rule[] | undefined => {
    if (!directions.includes(direction)) return undefined;
    const [field, list] = FIELDS[direction];
    return objectsOf(objectAt(object, 'spec')?.[field]).map((rule, index): Rule => {
      const peers = objectsOf(rule[list]).map((peer) => readPeer(peer, namespace));
      return { index, direction, peers: peers.length === 0 ? undefined : peers, ports: objectsOf(rule['ports']) };
    });
  };
  return {
    object,
    namespace,
    name: nameOf(object),
    selects: (pod) => (pod.namespace === namespace ? selects(pod.labels) : 'no'),
    rules: { Ingress: rules('Ingress'), Egress: rules('Egress') },
  };
}

function readPeer(written: JsonObject, namespace: string): Peer {
  const block = objectAt(written, 'ipBlock');
  if (block !== undefined) return { block: readBlock(block), written };
  const [inNamespaces, ofPods] = (['namespaceSelector', 'podSelector'] as const).map((field) => {
    const selector = objectAt(written, field);
    return selector === undefined ? undefined : selecting(selector);
  });
  // Labels of a namespace are asked for each of its pods, and few namespaces have many.
  const seen = new Map<string, Sure>();
  const namespaces = (pod: PodEnd): Sure => {
    if (inNamespaces === undefined) return pod.namespace === namespace && ofPods !== undefined ? 'yes' : 'no';
    const known = seen.get(pod.namespace) ?? inNamespaces(pod.namespaceLabels);
    seen.set(pod.namespace, known);
    return known;
  };
  return {
    written,
    namespaces,
    pods: (pod) => {
      const inside = namespaces(pod);
      return inside === 'no' ? 'no' : all(inside, ofPods?.(pod.labels) ?? 'yes');
    },
  };
}

/** A range that cannot be read admits nothing; the API server refuses it. */
function readBlock(block: JsonObject): AddressSet {
  const cidr = parseCidr(stringAt(block, 'cidr') ?? '');
  if (cidr === undefined) return NO_ADDRESS;
  return addresses(
    [cidr],
    (asArray(block['except']) ?? []).flatMap((except) => parseCidr(typeof except === 'string' ? except : '') ?? []),
  );
}
