import type { JsonObject } from '../../src/core/kube/json.ts';
import { admissionProblems } from './admission.ts';
import { callProblems } from './calls.ts';
import { hostTree } from './host-tree.ts';
import { gatewayProblems, ingressProblems } from './ingresses.ts';
import type { Peer } from './network.ts';
import { referenceProblems } from './references.ts';
import { serviceProblems } from './services.ts';
import { workloadProblems } from './workloads.ts';

export interface WouldRunOptions {
  /** the pods that answer DNS on the host, and their port; kube-dns by default */
  readonly hostDns?: Peer & { readonly port: number };
  /** whether an object that the tree does not hold is made by someone else */
  expected?(kind: string, namespace: string, name: string): boolean;
}

const KUBE_DNS = { namespace: 'kube-system', labels: new Map([['k8s-app', 'kube-dns']]), port: 53 };

/**
 * Reads host objects as those who act on them would: the API server at admission, the kubelet, the endpoint controller, the
 * network plugin and the application with its environment. Knows nothing of how they were made.
 * @returns what would not work, one sentence each; empty where all of it would run
 */
export function wouldRun(objects: readonly JsonObject[], options: WouldRunOptions = {}): string[] {
  const tree = hostTree(objects);
  const expected = options.expected ?? ((): boolean => false);
  return [
    ...admissionProblems(tree),
    ...tree.all('Service').flatMap((service) => serviceProblems(tree, service)),
    ...tree.pods.flatMap((pod) => [...referenceProblems(tree, pod, expected), ...callProblems(tree, pod, options.hostDns ?? KUBE_DNS)]),
    ...workloadProblems(tree),
    ...tree
      .all('Ingress.networking.k8s.io')
      .flatMap((ingress) => [...ingressProblems(tree, ingress, expected), ...gatewayProblems(tree, ingress)]),
  ];
}
