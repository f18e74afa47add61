import { type JsonObject, objectsOf } from '../../../../src/core/kube/json.ts';
import { labelsOf, nameOf } from '../../../../src/core/kube/object.ts';
import { type HostPod, hostTree, virtualNameOf } from '../../../support/host-tree.ts';
import type { Cluster, Pod } from './engine.ts';

/** What a render makes of a host: its namespaces and policies as they stand, and a pod for each template. */
export interface HostCluster extends Pick<Cluster, 'namespaces' | 'policies'> {
  readonly pods: readonly RenderedPod[];
}

export interface RenderedPod extends Pod {
  /** `<virtual namespace>/<name>` of the object that makes it; undefined where that is the platform's */
  readonly made?: string;
  readonly template: HostPod;
}

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** @param address of the pod with that number */
export function hostCluster(objects: readonly JsonObject[], address: (index: number) => string): HostCluster {
  const tree = hostTree(objects);
  return {
    namespaces: new Map(tree.all('Namespace').map((object) => [nameOf(object), namespaceLabels(nameOf(object), labelsOf(object))])),
    policies: tree.all('NetworkPolicy.networking.k8s.io'),
    pods: tree.pods.map((template, index): RenderedPod => {
      const made = virtualNameOf(template.owner);
      return {
        name: nameOf(template.owner),
        namespace: template.namespace,
        labels: Object.fromEntries(template.labels),
        ports: objectsOf(template.spec['containers']).flatMap((container) => objectsOf(container['ports'])),
        address: address(index),
        template,
        ...(made !== undefined && { made: `${made.namespace}/${made.name}` }),
      };
    }),
  };
}

/** Labels of a namespace, with the one that the API server sets itself (KEP-2161). */
export function namespaceLabels(name: string, own: Iterable<readonly [string, string]> = []): Record<string, string> {
  return { ...Object.fromEntries(own), [NAME_LABEL]: name };
}
