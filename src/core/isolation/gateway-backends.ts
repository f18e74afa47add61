import { asArray, isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import { matchesSelector } from '../kube/labels.ts';
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
  const target = port?.['targetPort'] ?? port?.['port'];
  if (typeof target !== 'string' && typeof target !== 'number') return undefined;
  return { protocol: stringAt(port, 'protocol') ?? 'TCP', port: target };
}

/**
 * What a port's name stands for in the pods behind a Service: the one number that all of them give it, else undefined. Pods that
 * only the tenant's API knows are not seen, so a name may stand for something else there; a NetworkPolicy resolves it for each pod.
 */
export function portNumbers(backend: Backend, hostObjects: readonly KubeObject[]): (name: string, protocol: string) => number | undefined {
  let ports: JsonObject[] | undefined;
  return (name, protocol) => {
    ports ??= hostObjects.flatMap((object) => containerPorts(object, backend));
    const numbers = new Set(
      ports.filter((port) => port['name'] === name && (port['protocol'] ?? 'TCP') === protocol).map((port) => port['containerPort']),
    );
    const [number] = numbers;
    return numbers.size === 1 && typeof number === 'number' ? number : undefined;
  };
}

function containerPorts(object: KubeObject, { labels }: Backend): JsonObject[] {
  const row = kindRow(kindKey(apiVersionOf(object), kindOf(object)));
  if (row?.podSpec === undefined || row.podMeta === undefined) return [];
  if (!matchesSelector({ matchLabels: Object.fromEntries(labels) }, stringMap(objectAt(object, ...row.podMeta, 'labels')))) return [];
  const spec = objectAt(object, ...row.podSpec);
  return [...(asArray(spec?.['initContainers']) ?? []), ...(asArray(spec?.['containers']) ?? [])].flatMap((container) =>
    isObject(container) ? objectsOf(container['ports']) : [],
  );
}
