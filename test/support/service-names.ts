import { at, type JsonObject, stringAt } from '../../src/core/kube/json.ts';
import { nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { type HostPod, type HostTree, textAt, virtualNameOf } from './host-tree.ts';

/**
 * The Service that answers to `host` when a pod asks: the host's DNS by short name, or the tenant's DNS server by every name
 * that a cluster knows. `outside` for names that are not the cluster's; undefined for one of the cluster's that is not there.
 */
export function servesOf(tree: HostTree, pod: HostPod, host: string): JsonObject | 'outside' | undefined {
  const labels = host.replace(/\.$/, '').split('.');
  if (textAt(pod.spec, 'dnsPolicy') !== 'None') {
    if (labels.length === 1) return tree.find('Service', pod.namespace, host);
    return isClusterName(tree, pod, labels) ? undefined : 'outside';
  }
  const own = pod.labels.get('tenantplane.io/virtual-namespace') ?? '';
  return byVirtualName(tree, pod, labels, own);
}

function byVirtualName(tree: HostTree, pod: HostPod, labels: readonly string[], own: string): JsonObject | 'outside' | undefined {
  const rest = labels.slice(1);
  const [first = ''] = labels;
  // name, name.namespace, name.namespace.svc, name.namespace.svc.cluster.local
  const service = virtualService(tree, pod.namespace, first, rest[0] ?? own);
  if (service !== undefined && (rest.length <= 1 || rest[1] === 'svc')) return service;
  // pod.service, pod.service.namespace…
  const [governing = '', namespace = own] = rest;
  const headless = virtualService(tree, pod.namespace, governing, namespace);
  if (headless !== undefined && isPodOf(tree, headless, first, namespace)) return headless;
  return labels.length === 1 || rest.includes('svc') || namespacesOf(tree).has(rest.at(-1) ?? '') ? undefined : 'outside';
}

function virtualService(tree: HostTree, namespace: string, name: string, virtualNamespace: string): JsonObject | undefined {
  return tree.all('Service').find((service) => {
    const virtual = virtualNameOf(service);
    const mapped = virtual?.name === name && virtual.namespace === virtualNamespace && nameOf(service) !== name;
    return namespaceOf(service) === namespace && mapped;
  });
}

function isPodOf(tree: HostTree, service: JsonObject, hostname: string, virtualNamespace: string): boolean {
  const match = /^(.+)-(\d+)$/.exec(hostname);
  const set = tree.all('StatefulSet.apps').find((candidate) => {
    const virtual = virtualNameOf(candidate);
    return virtual?.name === match?.[1] && virtual?.namespace === virtualNamespace;
  });
  return (
    set !== undefined &&
    stringAt(set, 'spec', 'serviceName') === nameOf(service) &&
    Number(match?.[2]) < Number(at(set, 'spec', 'replicas') ?? 1)
  );
}

function isClusterName(tree: HostTree, pod: HostPod, labels: readonly string[]): boolean {
  return (
    labels.includes('svc') || tree.find('Service', pod.namespace, labels[0] ?? '') !== undefined || namespacesOf(tree).has(labels[1] ?? '')
  );
}

function namespacesOf(tree: HostTree): ReadonlySet<string> {
  return new Set(tree.objects.flatMap((object) => virtualNameOf(object)?.namespace ?? []));
}
