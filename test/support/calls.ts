import { at, type Json, type JsonObject, objectAt, objectsOf } from '../../src/core/kube/json.ts';
import { labelsOf, nameOf, namespaceOf, stringMap } from '../../src/core/kube/object.ts';
import { describe, type HostPod, type HostTree, textAt, virtualNameOf } from './host-tree.ts';
import { type Peer, peerOf, reaches } from './network.ts';
import { servesOf } from './service-names.ts';
import { podsBehind, targetPort } from './services.ts';

/** A call that the application makes: to one of the pods behind a Service, on the container's port. */
export interface Call {
  /** who calls what, and where that is written */
  readonly what: string;
  readonly service: JsonObject;
  readonly server: HostPod;
  readonly port: number;
}

/** The application: each `name:port` and URL in its environment and arguments is a Service it can reach. */
export function callProblems(tree: HostTree, pod: HostPod, hostDns: Peer & { readonly port: number }): string[] {
  const { calls, problems } = callsOf(tree, pod);
  for (const { what, server, port } of calls) {
    if (!reaches(tree, peerOf(pod), peerOf(server), port)) {
      problems.push(`${what}: network policies stand between it and ${describe(server.owner)} port ${port}`);
    }
  }
  if (!reachesTenantApi(tree, pod)) problems.push(`${describe(pod.owner)}: network policies keep it from the tenant's API`);
  if (!resolvesNames(tree, pod, hostDns)) problems.push(`${describe(pod.owner)}: network policies keep it from DNS`);
  return problems;
}

/** The calls of a pod, as its environment and arguments state them; problems are names and ports that lead nowhere. */
export function callsOf(tree: HostTree, pod: HostPod): { readonly calls: Call[]; readonly problems: string[] } {
  const calls: Call[] = [];
  const problems: string[] = [];
  for (const { text, where } of textsOf(tree, pod)) {
    for (const name of podNamesIn(tree, pod, text)) {
      const found = servesOf(tree, pod, name);
      if (found === undefined || found === 'outside') problems.push(`${describe(pod.owner)} ${where}: ${name} does not resolve`);
    }
    for (const { host, port } of addressesIn(text)) {
      const found = followed(tree, servesOf(tree, pod, host));
      if (found === 'outside') continue;
      const what = `${describe(pod.owner)} ${where}: ${host}:${port}`;
      if (found === undefined) {
        problems.push(`${what} does not resolve`);
        continue;
      }
      const entry = objectsOf(at(found, 'spec', 'ports')).find((candidate) => Number(candidate['port']) === port);
      // A headless Service has no ports of its own to the client: what the pod listens on is what is called.
      const headless = at(found, 'spec', 'clusterIP') === 'None';
      if (entry === undefined && !headless) {
        problems.push(`${what}: ${describe(found)} has no such port`);
        continue;
      }
      for (const server of podsBehind(tree, found)) {
        const number = headless || entry === undefined ? port : targetPort(entry, server);
        if (number !== undefined) calls.push({ what, service: found, server, port: number });
      }
    }
  }
  return { calls, problems };
}

/** A Service of type ExternalName is another name: of a Service in the same namespace, or of something outside. */
function followed(tree: HostTree, found: JsonObject | 'outside' | undefined): JsonObject | 'outside' | undefined {
  if (found === undefined || found === 'outside' || at(found, 'spec', 'type') !== 'ExternalName') return found;
  const [name = '', namespace = '', svc] = textAt(found, 'spec', 'externalName').split('.');
  return svc === 'svc' ? tree.find('Service', namespace, name) : 'outside';
}

/** Strings that a container reads: arguments, environment, and ConfigMaps it takes its environment or files from. */
function textsOf(tree: HostTree, pod: HostPod): { text: string; where: string }[] {
  const texts: { text: string; where: string }[] = [];
  const strings = (value: Json | undefined, where: string): void => {
    if (Array.isArray(value)) for (const item of value) if (typeof item === 'string') texts.push({ text: item, where });
  };
  const settings = (values: ReadonlyMap<string, string>, where: string): void => {
    for (const [key, text] of values) {
      texts.push({ text, where: `${where} ${key}` });
      // The tenant's API is no Service of the tree; whether it is in reach is asked apart.
      const pair = key.endsWith('_HOST') && key !== 'KUBERNETES_SERVICE_HOST';
      const port = pair ? values.get(key.replace(/HOST$/, 'PORT')) : undefined;
      if (port !== undefined) texts.push({ text: `${text}:${port}`, where: `${where} ${key}` });
    }
  };
  const configMap = (name: string): void =>
    settings(stringMap(objectAt(tree.find('ConfigMap', pod.namespace, name), 'data')), `ConfigMap ${name}`);
  for (const list of ['initContainers', 'containers']) {
    for (const container of objectsOf(pod.spec[list])) {
      const where = `container ${textAt(container, 'name')}`;
      strings(container['command'], where);
      strings(container['args'], where);
      settings(new Map(objectsOf(container['env']).map((entry) => [textAt(entry, 'name'), textAt(entry, 'value')])), where);
      for (const source of objectsOf(container['envFrom'])) configMap(textAt(source, 'configMapRef', 'name'));
    }
  }
  for (const volume of objectsOf(pod.spec['volumes'])) configMap(textAt(volume, 'configMap', 'name'));
  return texts;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, redis: 6379, amqp: 5672, postgres: 5432 };

/** `scheme://[user@]host[:port]` anywhere, and `host:port` that stands alone. */
export function addressesIn(text: string): { host: string; port: number }[] {
  const found: { host: string; port: number }[] = [];
  for (const match of text.matchAll(/\b([a-z][a-z0-9+]*):\/\/(?:[^\s/@"']*@)?([a-z0-9][a-z0-9.-]*)(?::(\d{1,5}))?/g)) {
    const port = match[3] === undefined ? DEFAULT_PORTS[match[1] ?? ''] : Number(match[3]);
    if (match[2] !== undefined && port !== undefined) found.push({ host: match[2], port });
  }
  const alone = /^(?:--?[\w-]+=)?([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*):(\d{2,5})$/.exec(text.trim());
  if (alone?.[1] !== undefined) found.push({ host: alone[1], port: Number(alone[2]) });
  return found.filter(({ host }) => host !== 'localhost' && !/^[\d.]+$/.test(host));
}

/** The control plane's pods, which the reconciler makes in the control-plane namespace of the tree. */
function reachesTenantApi(tree: HostTree, pod: HostPod): boolean {
  const home = tree.all('Namespace').find((namespace) => nameOf(namespace) === pod.namespace);
  const tenant = labelsOf(home ?? {}).get('tenantplane.io/tenant');
  const controlPlane = tree.all('Namespace').find((namespace) => {
    const labels = labelsOf(namespace);
    return (
      labels.get('tenantplane.io/role') === 'control-plane' &&
      labels.get('tenantplane.io/tenant-namespace') === pod.namespace &&
      labels.get('tenantplane.io/tenant') === tenant
    );
  });
  if (controlPlane === undefined || virtualNameOf(pod.owner) === undefined) return true;
  const server = { namespace: nameOf(controlPlane), labels: new Map([['app.kubernetes.io/name', 'tenantplane-control-plane']]) };
  return reaches(tree, peerOf(pod), server, 6443);
}

/** `db-0.db` and longer forms, anywhere in a text: names of single pods behind a Service of the tenant. */
function podNamesIn(tree: HostTree, pod: HostPod, text: string): string[] {
  const services = new Set(
    tree.all('Service').flatMap((service) => (namespaceOf(service) === pod.namespace ? (virtualNameOf(service)?.name ?? []) : [])),
  );
  return [...text.matchAll(/(?<![\w.-])[a-z][a-z0-9-]*-\d+\.([a-z0-9-]+)(?:\.[a-z0-9-]+)*/g)]
    .filter((match) => services.has(match[1] ?? ''))
    .map((match) => match[0]);
}

function resolvesNames(tree: HostTree, pod: HostPod, hostDns: Peer & { readonly port: number }): boolean {
  if (textAt(pod.spec, 'dnsPolicy') === 'None') {
    const addresses = at(pod.spec, 'dnsConfig', 'nameservers');
    const server = tree
      .all('Service')
      .find((service) => Array.isArray(addresses) && addresses.includes(at(service, 'spec', 'clusterIP') ?? null));
    if (server === undefined) return false;
    return podsBehind(tree, server).some((dns) =>
      objectsOf(at(server, 'spec', 'ports'))
        .filter((port) => Number(port['port']) === 53)
        .every((port) => reaches(tree, peerOf(pod), peerOf(dns), targetPort(port, dns) ?? 53, textAt(port, 'protocol') || 'TCP')),
    );
  }
  return ['UDP', 'TCP'].every((protocol) => reaches(tree, peerOf(pod), hostDns, hostDns.port, protocol));
}
