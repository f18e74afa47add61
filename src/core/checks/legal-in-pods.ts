import { isObject, type Json, type JsonObject, objectAt, objectsOf, own } from '../kube/json.ts';
import { parseQuantity } from '../kube/quantity.ts';
import { empty, type Illegal, labels, numberAt, oneFieldOf, type Rule, twice, unless } from './legal-rule.ts';

const HANDLERS = ['exec', 'grpc', 'httpGet', 'tcpSocket'] as const;
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** What is legal of several fields of pods and claims together. */
export const LEGAL_IN_PODS: Readonly<Record<string, Rule>> = {
  PodSpec: (spec) => [
    ...labels(own(spec, 'nodeSelector'), ['nodeSelector']),
    ...twice(spec, 'volumes', 'name'),
    ...initContainers(spec),
    ...spreadTwice(spec),
    unless(
      spec['dnsPolicy'] !== 'None' || !empty(own(objectAt(spec, 'dnsConfig'), 'nameservers')),
      ['dnsConfig', 'nameservers'],
      'missing',
      'a list of addresses, since dnsPolicy is None',
    ),
  ],
  Container: (container) => [
    ...twice(container, 'volumeMounts', 'mountPath'),
    ...twice(container, 'ports', 'name'),
    ...(['livenessProbe', 'startupProbe'] as const).map((probe) =>
      unless(numberAt(objectAt(container, probe), 'successThreshold', 1) <= 1, [probe, 'successThreshold'], 'more than 1', '1'),
    ),
  ],
  EnvVar: (variable) => [
    unless(empty(own(variable, 'value')) || empty(own(variable, 'valueFrom')), ['valueFrom'], 'set beside value', 'one of the two'),
  ],
  EnvVarSource: oneFieldOf('configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'),
  EnvFromSource: oneFieldOf('configMapRef', 'secretRef'),
  Probe: oneFieldOf(...HANDLERS),
  LifecycleHandler: oneFieldOf('exec', 'httpGet', 'sleep', 'tcpSocket'),
  Volume: (volume) => {
    const [first = '', second] = Object.keys(volume).filter((field) => field !== 'name' && (own(volume, field) ?? undefined) !== undefined);
    return [unless(second === undefined, [second ?? ''], `set beside ${first}`, 'the only source of the volume')];
  },
  ResourceRequirements: (resources) => [
    ...(['limits', 'requests'] as const).flatMap((list) =>
      Object.keys(objectAt(resources, list) ?? {})
        .filter((name) => !RESOURCE.test(name))
        .map(
          (name): Illegal => ({
            path: [list, name],
            found: 'no resource of a container',
            wanted: 'cpu, memory, ephemeral-storage or one of a domain',
          }),
        ),
    ),
    ...(['limits', 'requests'] as const).flatMap((list) =>
      Object.entries(objectAt(resources, list) ?? {}).map(([name, amount]) =>
        unless(!EXTENDED.test(name) || isWhole(amount), [list, name], 'a fraction', 'a whole number, since it cannot be divided'),
      ),
    ),
    ...Object.entries(objectAt(resources, 'requests') ?? {}).map(([name, amount]) =>
      unless(
        !(EXTENDED.test(name) || name.startsWith('hugepages-')) || sameAmount(amount, own(objectAt(resources, 'limits'), name)),
        ['limits', name],
        'not what is requested',
        'the same, since it cannot be shared',
      ),
    ),
  ],
  Toleration: (toleration) => [
    unless(
      empty(own(toleration, 'tolerationSeconds')) || toleration['effect'] === 'NoExecute',
      ['tolerationSeconds'],
      'set',
      'left out unless effect is NoExecute',
    ),
    unless(
      !empty(own(toleration, 'key')) || toleration['operator'] === 'Exists',
      ['operator'],
      'not Exists, without a key',
      'Exists, which tolerates every key',
    ),
    unless(toleration['operator'] !== 'Exists' || empty(own(toleration, 'value')), ['value'], 'set', 'left out beside operator Exists'),
  ],
  PersistentVolumeClaimSpec: (spec) => {
    const modes = own(spec, 'accessModes');
    const alone = !Array.isArray(modes) || modes.length < 2 || !modes.includes('ReadWriteOncePod');
    const size = own(objectAt(spec, 'resources', 'requests'), 'storage') ?? undefined;
    return [
      unless(alone, ['accessModes'], 'ReadWriteOncePod beside others', 'that alone'),
      unless(size !== undefined, ['resources', 'requests', 'storage'], 'missing', 'the size of the volume'),
      unless(
        size === undefined || (parseQuantity(size) ?? 1n) > 0n,
        ['resources', 'requests', 'storage'],
        'not above 0',
        'the size of the volume',
      ),
    ];
  },
};

/** Names without a domain are Kubernetes' own; those of containers are these (validation.go, validateContainerResourceName). */
const RESOURCE = /^(cpu|memory|ephemeral-storage|hugepages-.+|.+\/.+)$/;
/** Devices and the like, which are never promised twice. */
const EXTENDED = /^(?!([^/]*\.)?kubernetes\.io\/)[^/]+\/.+$/;

/** The server rounds up to thousandths and wants none of them (ValidateResourceQuantityValue). */
function isWhole(amount: Json | undefined): boolean {
  return (parseQuantity(amount) ?? 0n) % NANO === 0n;
}

const NANO = 1_000_000_000n;

/** One topology is spread over once in each way (validateTopologySpreadConstraints). */
function spreadTwice(spec: JsonObject): Illegal[] {
  const seen = new Set<string>();
  return objectsOf(own(spec, 'topologySpreadConstraints')).flatMap((constraint, index) => {
    const { topologyKey, whenUnsatisfiable } = constraint;
    if (typeof topologyKey !== 'string' || typeof whenUnsatisfiable !== 'string') return [];
    const key = `${whenUnsatisfiable} ${topologyKey}`;
    const again = seen.has(key);
    seen.add(key);
    const path = ['topologySpreadConstraints', index, 'topologyKey'];
    return again ? [{ path, found: 'said again with the same whenUnsatisfiable', wanted: 'said once in the list' }] : [];
  });
}

function sameAmount(request: Json | undefined, limit: Json | undefined): boolean {
  return limit !== undefined && limit !== null && parseQuantity(request) === parseQuantity(limit);
}

/** Containers that run to their end before the others have neither probes nor hooks. */
function initContainers(spec: JsonObject): readonly Illegal[] {
  return objectsOf(own(spec, 'initContainers')).flatMap((container, index) =>
    container['restartPolicy'] === 'Always'
      ? []
      : [...PROBES, 'lifecycle']
          .filter((field) => isObject(own(container, field)))
          .map((field) => ({
            path: ['initContainers', index, field],
            found: 'set',
            wanted: 'left out unless restartPolicy of the container is Always',
          })),
  );
}
