import { targetOf } from '../isolation/gateway-backends.ts';
import { objectAt, objectsOf } from '../kube/json.ts';
import { type KubeObject, namespaceOf, stringMap } from '../kube/object.ts';
import { type CallPort, type PodEnd, portsNamed } from './endpoint.ts';
import type { Workload } from './workloads.ts';
import type { World } from './world.ts';

/** The workloads whose pods a Service of the host leads to. */
export function backends({ workloads }: World, service: KubeObject): readonly Workload[] {
  return workloads.filter(({ end }) => leadsTo(service, end));
}

function leadsTo(service: KubeObject, end: PodEnd): boolean {
  const selector = [...stringMap(objectAt(service, 'spec', 'selector'))];
  if (selector.length === 0 || end.namespace !== namespaceOf(service)) return false;
  return selector.every(([key, value]) => end.labels.known.get(key) === value);
}

/** The ports of a pod that a Service leads to, as numbers; a name that the pod does not give leads nowhere. */
export function servicePorts(service: KubeObject, end: PodEnd, wanted?: string): CallPort[] {
  return objectsOf(objectAt(service, 'spec')?.['ports']).flatMap((entry): CallPort[] => {
    const target = targetOf(entry);
    if (target === undefined) return [];
    const { protocol, port } = target;
    const numbers = typeof port === 'number' ? [port] : portsNamed(end, port, protocol);
    const meant =
      wanted === undefined || [entry['port'], entry['name'], entry['targetPort'], ...numbers].some((each) => String(each) === wanted);
    return meant ? numbers.map((number) => ({ protocol, port: number })) : [];
  });
}

/** What the containers of a pod and the Services that lead to it declare; a call to any port where they say nothing. */
export function declaredPorts(world: World, { end }: Workload): readonly CallPort[] {
  const own = end.ports.flatMap((port): CallPort[] =>
    typeof port['containerPort'] === 'number' ? [{ protocol: String(port['protocol'] ?? 'TCP'), port: port['containerPort'] }] : [],
  );
  const behind = world
    .servicesIn(end.namespace)
    .filter((service) => leadsTo(service, end))
    .flatMap((service) => servicePorts(service, end));
  const ports = distinct([...own, ...behind]);
  return ports.length === 0 ? [{}] : ports;
}

export function distinct(ports: readonly CallPort[]): CallPort[] {
  return [...new Map(ports.map((port) => [portText(port), port])).values()].sort((a, b) => (a.port ?? 0) - (b.port ?? 0));
}

/** `TCP 8080`, or `any port` */
export function portText({ protocol, port }: CallPort): string {
  return protocol === undefined || port === undefined ? 'any port' : `${protocol} ${port}`;
}
