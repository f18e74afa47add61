import { at, type JsonObject, objectAt, objectsOf } from '../../src/core/kube/json.ts';
import { matchesSelector } from '../../src/core/kube/labels.ts';
import { kindOf, namespaceOf } from '../../src/core/kube/object.ts';
import { describe, type HostPod, type HostTree, virtualNameOf } from './host-tree.ts';
import { namedPort } from './network.ts';

/** The endpoint controller: which pods stand behind a Service, and on which port. */
export function serviceProblems(tree: HostTree, service: JsonObject): string[] {
  const selector = objectAt(service, 'spec', 'selector');
  if (selector === undefined || kindOf(service) !== 'Service' || virtualNameOf(service) === undefined) return [];
  const pods = podsBehind(tree, service);
  if (pods.length === 0) return [`${describe(service)}: no pod carries the labels that it selects`];
  return objectsOf(at(service, 'spec', 'ports')).flatMap((port) =>
    pods.some((pod) => targetPort(port, pod) !== undefined)
      ? []
      : [`${describe(service)}: no container behind it has the port ${String(port['targetPort'] ?? port['port'])}`],
  );
}

export function podsBehind(tree: HostTree, service: JsonObject): HostPod[] {
  const selector = objectAt(service, 'spec', 'selector');
  if (selector === undefined || Object.keys(selector).length === 0) return [];
  return tree.pods.filter((pod) => pod.namespace === namespaceOf(service) && matchesSelector({ matchLabels: selector }, pod.labels));
}

/** The container port that a Service port leads to; undefined where no container declares it. */
export function targetPort(port: JsonObject, pod: HostPod): number | undefined {
  const target = port['targetPort'] ?? port['port'];
  if (typeof target === 'string' && !/^\d+$/.test(target)) return namedPort(pod.spec, target);
  const number = Number(target);
  const declared = objectsOf(pod.spec['containers']).flatMap((container) =>
    objectsOf(container['ports']).map((entry) => Number(entry['containerPort'])),
  );
  return declared.length === 0 || declared.includes(number) ? number : undefined;
}
