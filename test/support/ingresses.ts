import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { namespaceOf } from '../../src/core/kube/object.ts';
import { describe, type HostTree, textAt } from './host-tree.ts';
import { peerOf, reaches } from './network.ts';
import { secretMaker } from './references.ts';
import { podsBehind, targetPort } from './services.ts';

/** Packets of the ingress controller: the namespaces that the profiles in the tree name reach the pods behind each backend. */
export function gatewayProblems(tree: HostTree, ingress: JsonObject): string[] {
  const gateways = tree.all('IsolationProfile.tenantplane.io').flatMap((profile) => {
    const namespaces = at(profile, 'spec', 'allow', 'gatewayNamespaces');
    return Array.isArray(namespaces) ? namespaces.map(String) : [];
  });
  return backendsOf(ingress).flatMap((backend) => {
    const service = tree.find('Service', namespaceOf(ingress) ?? '', textAt(backend, 'name'));
    if (service === undefined) return [];
    const wanted = at(backend, 'port', 'name') ?? at(backend, 'port', 'number');
    const ports = objectsOf(at(service, 'spec', 'ports')).filter((port) => port['name'] === wanted || port['port'] === wanted);
    return podsBehind(tree, service).flatMap((pod) =>
      [...new Set(gateways)].flatMap((namespace) =>
        ports.every((port) => reaches(tree, { namespace, labels: new Map() }, peerOf(pod), targetPort(port, pod) ?? 0))
          ? []
          : [`${describe(ingress)}: network policies keep ${namespace} from ${describe(pod.owner)}`],
      ),
    );
  });
}

function backendsOf(ingress: JsonObject): JsonObject[] {
  const paths = objectsOf(at(ingress, 'spec', 'rules')).flatMap((rule) => objectsOf(at(rule, 'http', 'paths')));
  return [objectAt(ingress, 'spec', 'defaultBackend', 'service'), ...paths.map((path) => objectAt(path, 'backend', 'service'))].filter(
    (backend) => backend !== undefined,
  );
}

/** The ingress controller: backends and certificates. */
export function ingressProblems(
  tree: HostTree,
  ingress: JsonObject,
  expected: (kind: string, namespace: string, name: string) => boolean,
): string[] {
  const problems: string[] = [];
  const namespace = namespaceOf(ingress) ?? '';
  for (const backend of backendsOf(ingress)) {
    const service = tree.find('Service', namespace, textAt(backend, 'name'));
    const wanted = at(backend, 'port', 'name') ?? at(backend, 'port', 'number');
    const ports = objectsOf(at(service, 'spec', 'ports'));
    if (service === undefined) problems.push(`${describe(ingress)}: backend ${textAt(backend, 'name')} is not there`);
    else if (!ports.some((port) => port['name'] === wanted || port['port'] === wanted)) {
      problems.push(`${describe(ingress)}: ${describe(service)} has no port ${String(wanted)}`);
    }
  }
  for (const tls of objectsOf(at(ingress, 'spec', 'tls'))) {
    const name = stringAt(tls, 'secretName');
    if (name !== undefined && secretMaker(tree, namespace, name) === undefined && !expected('Secret', namespace, name)) {
      problems.push(`${describe(ingress)}: certificate ${name} is not there`);
    }
  }
  return problems;
}
