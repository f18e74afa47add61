import { isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../kube/object.ts';

/**
 * The pod ports that the tenant's Ingresses lead to, through the Services that they name: a gateway may call these and no
 * others. Ports of pods may be names, which NetworkPolicies take as well.
 */
export function gatewayPorts(hostObjects: readonly KubeObject[]): JsonObject[] {
  const services = new Map(hostObjects.filter((object) => kindOf(object) === 'Service').map((object) => [nameOf(object), object]));
  const ports = new Map<string, JsonObject>();
  for (const ingress of hostObjects) {
    if (kindOf(ingress) !== 'Ingress') continue;
    for (const backend of backendsOf(ingress)) {
      const service = services.get(stringAt(backend, 'name') ?? '');
      const port = service === undefined ? undefined : servicePort(service, objectAt(backend, 'port') ?? {});
      const target = port?.['targetPort'] ?? port?.['port'];
      if (port === undefined || target === undefined) continue;
      const row = { protocol: port['protocol'] ?? 'TCP', port: target };
      ports.set(JSON.stringify([row.protocol, String(target)]), row);
    }
  }
  return [...ports].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function backendsOf(ingress: KubeObject): JsonObject[] {
  const rules = objectsOf(objectAt(ingress, 'spec')?.['rules']);
  const paths = rules.flatMap((rule) => objectsOf(objectAt(rule, 'http')?.['paths']));
  return [objectAt(ingress, 'spec', 'defaultBackend'), ...paths.map((path) => objectAt(path, 'backend'))]
    .map((backend) => objectAt(backend, 'service'))
    .filter((service): service is JsonObject => isObject(service));
}

function servicePort(service: KubeObject, wanted: JsonObject): JsonObject | undefined {
  const same = (a: Json | undefined, b: Json | undefined): boolean => a !== undefined && b !== undefined && String(a) === String(b);
  return objectsOf(objectAt(service, 'spec')?.['ports']).find(
    (port) => same(port['port'], wanted['number']) || same(port['name'], wanted['name']),
  );
}
