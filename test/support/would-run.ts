import { at, isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { matchesSelector } from '../../src/core/kube/labels.ts';
import { kindOf, nameOf, namespaceOf, stringMap } from '../../src/core/kube/object.ts';
import { admissionProblems } from './admission.ts';
import { describe, type HostPod, type HostTree, hostTree, textAt, virtualNameOf } from './host-tree.ts';
import { namedPort, type Peer, peerOf, reaches } from './network.ts';
import { referenceProblems, secretMaker } from './references.ts';
import { servesOf } from './service-names.ts';

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
    ...tree.all('Ingress.networking.k8s.io').flatMap((ingress) => ingressProblems(tree, ingress, expected)),
  ];
}

/** The endpoint controller: which pods stand behind a Service, and on which port. */
function serviceProblems(tree: HostTree, service: JsonObject): string[] {
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
function targetPort(port: JsonObject, pod: HostPod): number | undefined {
  const target = port['targetPort'] ?? port['port'];
  if (typeof target === 'string' && !/^\d+$/.test(target)) return namedPort(pod.spec, target);
  const number = Number(target);
  const declared = objectsOf(pod.spec['containers']).flatMap((container) =>
    objectsOf(container['ports']).map((entry) => Number(entry['containerPort'])),
  );
  return declared.length === 0 || declared.includes(number) ? number : undefined;
}

/** The application: each `name:port` and URL in its environment and arguments is a Service it can reach. */
function callProblems(tree: HostTree, pod: HostPod, hostDns: Peer & { readonly port: number }): string[] {
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
        if (number !== undefined && !reaches(tree, peerOf(pod), peerOf(server), number)) {
          problems.push(`${what}: network policies stand between it and ${describe(server.owner)} port ${number}`);
        }
      }
    }
  }
  if (!resolvesNames(tree, pod, hostDns)) problems.push(`${describe(pod.owner)}: network policies keep it from DNS`);
  return problems;
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
  const configMap = (name: string): void => {
    const found = tree.find('ConfigMap', pod.namespace, name);
    for (const [key, text] of stringMap(objectAt(found, 'data'))) texts.push({ text, where: `ConfigMap ${name} ${key}` });
  };
  for (const list of ['initContainers', 'containers']) {
    for (const container of objectsOf(pod.spec[list])) {
      const where = `container ${textAt(container, 'name')}`;
      strings(container['command'], where);
      strings(container['args'], where);
      for (const entry of objectsOf(container['env']))
        texts.push({ text: textAt(entry, 'value'), where: `${where} ${textAt(entry, 'name')}` });
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

/** Controllers: selectors match their own templates, budgets and autoscalers have something to act on. */
function workloadProblems(tree: HostTree): string[] {
  const problems: string[] = [];
  for (const pod of tree.pods) {
    const selector = objectAt(pod.owner, 'spec', 'selector');
    const needs = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].includes(kindOf(pod.owner));
    if (needs && (selector === undefined || !matchesSelector(selector, pod.labels))) {
      problems.push(`${describe(pod.owner)}: its selector does not match its own template`);
    }
    if (kindOf(pod.owner) === 'StatefulSet') problems.push(...statefulSetProblems(tree, pod));
  }
  for (const budget of tree.all('PodDisruptionBudget.policy')) {
    const selector = objectAt(budget, 'spec', 'selector');
    const covered = tree.pods.filter(
      (pod) => pod.namespace === namespaceOf(budget) && selector !== undefined && matchesSelector(selector, pod.labels),
    );
    if (covered.length === 0) problems.push(`${describe(budget)}: covers no pod`);
  }
  for (const autoscaler of tree.all('HorizontalPodAutoscaler.autoscaling')) {
    const target = objectAt(autoscaler, 'spec', 'scaleTargetRef');
    const group = textAt(target, 'apiVersion').split('/').slice(0, -1).join('/');
    const key = group === '' ? textAt(target, 'kind') : `${textAt(target, 'kind')}.${group}`;
    const found = tree.find(key, namespaceOf(autoscaler) ?? '', textAt(target, 'name'));
    if (found === undefined) problems.push(`${describe(autoscaler)}: its target ${key} ${textAt(target, 'name')} is not there`);
    else if (at(found, 'spec', 'replicas') !== undefined)
      problems.push(`${describe(found)}: a re-apply would reset what ${describe(autoscaler)} scaled`);
  }
  return problems;
}

function statefulSetProblems(tree: HostTree, pod: HostPod): string[] {
  const problems: string[] = [];
  const set = pod.owner;
  const serviceName = stringAt(set, 'spec', 'serviceName');
  const service = serviceName === undefined ? undefined : tree.find('Service', pod.namespace, serviceName);
  if (serviceName !== undefined && service === undefined) problems.push(`${describe(set)}: its Service ${serviceName} is not there`);
  if (service !== undefined && !podsBehind(tree, service).includes(pod))
    problems.push(`${describe(set)}: ${describe(service)} does not select its pods`);
  if (`${nameOf(set)}-${pod.count - 1}`.length > 63) problems.push(`${describe(set)}: the names of its pods are no host names`);
  for (const template of objectsOf(at(set, 'spec', 'volumeClaimTemplates'))) {
    const labels = objectAt(template, 'metadata', 'annotations');
    if (isObject(labels) && Object.keys(labels).some((key) => key.startsWith('tenantplane.io/'))) {
      problems.push(
        `${describe(set)}: claim template ${textAt(template, 'metadata', 'name')} holds decision metadata, which cannot change later`,
      );
    }
  }
  return problems;
}

/** The ingress controller: backends and certificates. */
function ingressProblems(
  tree: HostTree,
  ingress: JsonObject,
  expected: (kind: string, namespace: string, name: string) => boolean,
): string[] {
  const problems: string[] = [];
  const namespace = namespaceOf(ingress) ?? '';
  const backends = [
    objectAt(ingress, 'spec', 'defaultBackend', 'service'),
    ...objectsOf(at(ingress, 'spec', 'rules')).flatMap((rule) =>
      objectsOf(at(rule, 'http', 'paths')).map((path) => objectAt(path, 'backend', 'service')),
    ),
  ];
  for (const backend of backends) {
    if (backend === undefined) continue;
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
