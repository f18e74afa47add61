import { isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import { apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, stringMap } from '../kube/object.ts';
import type { TargetPort } from './target-ports.ts';

/** A Service that an Ingress of the tenant leads to, with the pods behind it and the ports of them that are meant. */
export interface Backend {
  readonly service: KubeObject;
  /** the labels that its pods carry */
  readonly labels: ReadonlyMap<string, string>;
  readonly ports: readonly TargetPort[];
}

/** Each Service that selects pods and stands behind an Ingress, once. Its ports may be names, which NetworkPolicies take as well. */
export function ingressBackends(hostObjects: readonly KubeObject[]): Backend[] {
  const services = new Map(hostObjects.filter((object) => kindOf(object) === 'Service').map((object) => [nameOf(object), object]));
  const ports = new Map<string, Map<string, TargetPort>>();
  for (const ingress of hostObjects) {
    if (kindOf(ingress) !== 'Ingress') continue;
    for (const backend of backendsOf(ingress)) {
      const name = stringAt(backend, 'name') ?? '';
      const target = targetPort(services.get(name), objectAt(backend, 'port') ?? {});
      if (target === undefined) continue;
      const known = ports.get(name) ?? new Map<string, TargetPort>();
      ports.set(name, known.set(JSON.stringify(target), target));
    }
  }
  return [...ports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, targets]) => {
      const service = services.get(name);
      const labels = stringMap(objectAt(service, 'spec', 'selector'));
      return service === undefined || labels.size === 0 ? [] : [{ service, labels, ports: [...targets.values()] }];
    });
}

function backendsOf(ingress: KubeObject): JsonObject[] {
  const rules = objectsOf(objectAt(ingress, 'spec')?.['rules']);
  const paths = rules.flatMap((rule) => objectsOf(objectAt(rule, 'http')?.['paths']));
  return [objectAt(ingress, 'spec', 'defaultBackend'), ...paths.map((path) => objectAt(path, 'backend'))]
    .map((backend) => objectAt(backend, 'service'))
    .filter((service): service is JsonObject => isObject(service));
}

function targetPort(service: KubeObject | undefined, wanted: JsonObject): TargetPort | undefined {
  const same = (a: Json | undefined, b: Json | undefined): boolean => a !== undefined && b !== undefined && String(a) === String(b);
  const port = objectsOf(objectAt(service, 'spec')?.['ports']).find(
    (entry) => same(entry['port'], wanted['number']) || same(entry['name'], wanted['name']),
  );
  return port && targetOf(port);
}

export function targetOf(port: JsonObject): TargetPort | undefined {
  const target = port['targetPort'] ?? port['port'];
  if (typeof target !== 'string' && typeof target !== 'number') return undefined;
  return { protocol: stringAt(port, 'protocol') ?? 'TCP', port: target };
}

/** The ports of its pods that a Service leads to; none of a headless one, whose callers see the pods themselves. */
export function targetPorts(service: KubeObject): TargetPort[] {
  if (stringAt(service, 'spec', 'clusterIP') === 'None') return [];
  return objectsOf(objectAt(service, 'spec')?.['ports']).flatMap((port) => targetOf(port) ?? []);
}

/** Pods that workloads make: their labels, and the ports that their containers name. */
export interface PodTemplate {
  readonly labels: ReadonlyMap<string, string>;
  readonly ports: readonly JsonObject[];
}

export function podTemplates(hostObjects: readonly KubeObject[]): PodTemplate[] {
  return hostObjects.flatMap((object) => {
    const row = kindRow(kindKey(apiVersionOf(object), kindOf(object)));
    if (row?.podSpec === undefined || row.podMeta === undefined) return [];
    const spec = objectAt(object, ...row.podSpec);
    const containers = ['initContainers', 'containers'].flatMap((list) => objectsOf(spec?.[list]));
    const labels = stringMap(objectAt(object, ...row.podMeta, 'labels'));
    return [{ labels, ports: containers.flatMap((container) => objectsOf(container['ports'])) }];
  });
}

/**
 * What a port's name stands for in the pods behind a Service: the one number that all of them give it, else undefined. Pods that
 * only the tenant's API knows are not seen, so a name may stand for something else there; a NetworkPolicy resolves it for each pod.
 */
export function portNumbers(
  { labels }: Backend,
  templates: readonly PodTemplate[],
): (name: string, protocol: string) => number | undefined {
  let known: Map<string, number | undefined> | undefined;
  return (name, protocol) => {
    known ??= numbersByName(templates.filter((template) => [...labels].every(([key, value]) => template.labels.get(key) === value)));
    return known.get(JSON.stringify([name, protocol]));
  };
}

/** undefined for a name of several numbers */
function numbersByName(templates: readonly PodTemplate[]): Map<string, number | undefined> {
  const numbers = new Map<string, number | undefined>();
  for (const port of templates.flatMap(({ ports }) => ports)) {
    const number = typeof port['containerPort'] === 'number' ? port['containerPort'] : undefined;
    const key = JSON.stringify([port['name'], port['protocol'] ?? 'TCP']);
    numbers.set(key, numbers.has(key) && numbers.get(key) !== number ? undefined : number);
  }
  return numbers;
}
