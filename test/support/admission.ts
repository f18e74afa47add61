import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { kindRow } from '../../src/core/kube/kinds.ts';
import { annotationsOf, labelsOf, nameOf, namespaceOf, stringMap } from '../../src/core/kube/object.ts';
import { parseQuantity } from '../../src/core/kube/quantity.ts';
import { containersOf, describe, type HostPod, type HostTree, keyOf, textAt } from './host-tree.ts';
import { namespaceLabels } from './network.ts';

const LABEL_KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** The API server at admission: names, labels, Pod Security, LimitRange and ResourceQuota. */
export function admissionProblems(tree: HostTree): string[] {
  return [
    ...tree.objects.flatMap((object) => metadataProblems(object)),
    ...tree.pods.flatMap((pod) => [...securityProblems(tree, pod), ...limitProblems(tree, pod)]),
    ...quotaProblems(tree),
  ];
}

function metadataProblems(object: JsonObject): string[] {
  const problems: string[] = [];
  const row = kindRow(keyOf(object));
  const legal = row?.dots === false ? /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/ : /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
  if (!legal.test(nameOf(object)) || nameOf(object).length > (row?.nameLimit ?? 253)) problems.push(`${describe(object)}: no legal name`);
  const labels = [labelsOf(object), ...(row?.podMeta === undefined ? [] : [stringMap(objectAt(object, ...row.podMeta, 'labels'))])];
  for (const [key, value] of labels.flatMap((map) => [...map])) {
    if (!LABEL_KEY.test(key) || !LABEL_VALUE.test(value)) problems.push(`${describe(object)}: no legal label ${key}: ${value}`);
  }
  const size = [...annotationsOf(object)].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  if (size > 262_144) problems.push(`${describe(object)}: annotations of ${size} bytes`);
  return problems;
}

/** Pod Security restricted and baseline, as far as these trees can break them. Written apart from the renderer's own rules. */
function securityProblems(tree: HostTree, pod: HostPod): string[] {
  const level = namespaceLabels(tree, pod.namespace).get('pod-security.kubernetes.io/enforce');
  if (level === undefined || level === 'privileged') return [];
  const problems: string[] = [];
  const say = (what: string): void => void problems.push(`${describe(pod.owner)}: Pod Security ${level} forbids ${what}`);
  const podContext = objectAt(pod.spec, 'securityContext');
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) if (pod.spec[field] === true) say(field);
  for (const volume of objectsOf(pod.spec['volumes']))
    if (volume['hostPath'] !== undefined) say(`hostPath volume ${textAt(volume, 'name')}`);
  for (const { container } of containersOf(pod.spec)) {
    const context = objectAt(container, 'securityContext');
    const name = `container ${textAt(container, 'name')}`;
    if (at(context, 'privileged') === true) say(`privileged ${name}`);
    for (const port of objectsOf(container['ports'])) if (Number(port['hostPort'] ?? 0) !== 0) say(`a host port of ${name}`);
    if (level !== 'restricted') continue;
    if (at(context, 'allowPrivilegeEscalation') !== false) say(`${name} without allowPrivilegeEscalation: false`);
    if ((at(context, 'runAsNonRoot') ?? at(podContext, 'runAsNonRoot')) !== true) say(`${name} without runAsNonRoot`);
    if ((at(context, 'runAsUser') ?? at(podContext, 'runAsUser')) === 0) say(`${name} as user 0`);
    const dropped = at(context, 'capabilities', 'drop');
    if (!Array.isArray(dropped) || !dropped.includes('ALL')) say(`${name} without drop ALL`);
    const seccomp = stringAt(context, 'seccompProfile', 'type') ?? stringAt(podContext, 'seccompProfile', 'type');
    if (seccomp !== 'RuntimeDefault' && seccomp !== 'Localhost') say(`${name} without a seccomp profile`);
  }
  return problems;
}

interface Resources {
  readonly requests: Map<string, bigint>;
  readonly limits: Map<string, bigint>;
}

/** Resources of a container after the LimitRange's defaults (LimitRanger: a limit without request is the request too). */
function effective(tree: HostTree, namespace: string, container: JsonObject): Resources {
  const requests = amounts(objectAt(container, 'resources', 'requests'));
  const limits = amounts(objectAt(container, 'resources', 'limits'));
  for (const [name, amount] of limits) if (!requests.has(name)) requests.set(name, amount);
  for (const limit of containerLimits(tree, namespace)) {
    for (const [name, amount] of amounts(objectAt(limit, 'default'))) if (!limits.has(name)) limits.set(name, amount);
    for (const [name, amount] of amounts(objectAt(limit, 'defaultRequest'))) if (!requests.has(name)) requests.set(name, amount);
  }
  return { requests, limits };
}

function containerLimits(tree: HostTree, namespace: string): JsonObject[] {
  return tree
    .all('LimitRange')
    .filter((range) => namespaceOf(range) === namespace)
    .flatMap((range) => objectsOf(at(range, 'spec', 'limits')).filter((limit) => limit['type'] === 'Container'));
}

function amounts(object: JsonObject | undefined): Map<string, bigint> {
  return new Map(
    Object.entries(object ?? {}).flatMap(([name, value]) =>
      parseQuantity(value) === undefined ? [] : [[name, parseQuantity(value) ?? 0n] as const],
    ),
  );
}

function limitProblems(tree: HostTree, pod: HostPod): string[] {
  const problems: string[] = [];
  for (const { container } of containersOf(pod.spec)) {
    const { requests, limits } = effective(tree, pod.namespace, container);
    const where = `${describe(pod.owner)}: container ${textAt(container, 'name')}`;
    for (const [name, amount] of requests) {
      const limit = limits.get(name);
      if (limit !== undefined && limit < amount) problems.push(`${where} asks for more ${name} than its limit`);
    }
    for (const range of containerLimits(tree, pod.namespace)) {
      for (const [name, max] of amounts(objectAt(range, 'max')))
        if ((limits.get(name) ?? max + 1n) > max) problems.push(`${where}: ${name} above the maximum`);
      for (const [name, min] of amounts(objectAt(range, 'min')))
        if ((requests.get(name) ?? 0n) < min) problems.push(`${where}: ${name} below the minimum`);
      for (const [name, ratio] of amounts(objectAt(range, 'maxLimitRequestRatio'))) {
        const [request, limit] = [requests.get(name) ?? 0n, limits.get(name) ?? 0n];
        // Both are in nano-units, so the product with the ratio is in nano-nano-units.
        if (request === 0n || limit * 1_000_000_000n > ratio * request) problems.push(`${where}: ${name} limit to request above the ratio`);
      }
    }
  }
  return problems;
}

/** Sums of what the tree itself asks for, one replica set of each workload, against the hard limits without scopes. */
function quotaProblems(tree: HostTree): string[] {
  const problems: string[] = [];
  for (const quota of tree.all('ResourceQuota')) {
    if (objectAt(quota, 'spec', 'scopeSelector') !== undefined || at(quota, 'spec', 'scopes') !== undefined) continue;
    const namespace = namespaceOf(quota) ?? '';
    const used = usage(tree, namespace);
    for (const [name, hard] of amounts(objectAt(quota, 'spec', 'hard'))) {
      const sum = used.get(name) ?? 0n;
      if (sum > hard) problems.push(`${describe(quota)}: ${name} adds up to ${sum / 1_000_000n}m and ${hard / 1_000_000n}m are allowed`);
    }
  }
  return problems;
}

function usage(tree: HostTree, namespace: string): Map<string, bigint> {
  const used = new Map<string, bigint>();
  const add = (name: string, amount: bigint): void => void used.set(name, (used.get(name) ?? 0n) + amount);
  for (const pod of tree.pods.filter((candidate) => candidate.namespace === namespace)) {
    const count = BigInt(pod.count);
    add('pods', count * 1_000_000_000n);
    add('count/pods', count * 1_000_000_000n);
    for (const { container, path } of containersOf(pod.spec)) {
      if (path[0] !== 'containers') continue;
      const { requests, limits } = effective(tree, namespace, container);
      for (const [name, amount] of requests) {
        add(`requests.${name}`, amount * count);
        add(name, amount * count);
      }
      for (const [name, amount] of limits) add(`limits.${name}`, amount * count);
    }
    for (const template of objectsOf(at(pod.owner, 'spec', 'volumeClaimTemplates'))) {
      add('persistentvolumeclaims', count * 1_000_000_000n);
      add('requests.storage', count * (parseQuantity(at(template, 'spec', 'resources', 'requests', 'storage')) ?? 0n));
    }
  }
  for (const object of tree.objects.filter((candidate) => namespaceOf(candidate) === namespace)) {
    const row = kindRow(keyOf(object));
    if (row !== undefined) add(`count/${row.plural}${row.group === '' ? '' : `.${row.group}`}`, 1_000_000_000n);
    if (keyOf(object) === 'Service') {
      add('services', 1_000_000_000n);
      const type = at(object, 'spec', 'type');
      if (type === 'LoadBalancer') add('services.loadbalancers', 1_000_000_000n);
      const nodePorts = type === 'NodePort' || (type === 'LoadBalancer' && at(object, 'spec', 'allocateLoadBalancerNodePorts') !== false);
      if (nodePorts) add('services.nodeports', BigInt(objectsOf(at(object, 'spec', 'ports')).length) * 1_000_000_000n);
    }
    if (keyOf(object) === 'PersistentVolumeClaim') {
      add('persistentvolumeclaims', 1_000_000_000n);
      add('requests.storage', parseQuantity(at(object, 'spec', 'resources', 'requests', 'storage')) ?? 0n);
    }
  }
  return used;
}
