import { isObject, type Json, type JsonObject, objectAt, own, stringAt } from '../kube/json.ts';
import { LEGAL_IN_PODS } from './legal-in-pods.ts';
import { empty, type Illegal, LABEL_KEY, LABEL_VALUE, labels, numberAt, oneFieldOf, type Rule, twice, unless } from './legal-rule.ts';
import { quoted, within } from './legal-value.ts';
import { isLabelValue, isQualifiedName } from './metadata-checks.ts';

/** What is legal of several fields together. */
export const LEGAL_TOGETHER: Readonly<Record<string, Rule>> = {
  ...LEGAL_IN_PODS,
  ReplicaSetSpec: endless,
  ReplicationControllerSpec: endless,
  StatefulSetSpec: endless,
  DaemonSetSpec: endless,
  JobSpec: (spec) => [
    unless(
      empty(own(spec, 'podFailurePolicy')) || stringAt(spec, 'template', 'spec', 'restartPolicy') !== 'OnFailure',
      ['template', 'spec', 'restartPolicy'],
      '"OnFailure"',
      'Never, since there is a podFailurePolicy',
    ),
  ],
  DeploymentSpec: (spec) => [
    ...endless(spec),
    // 600 seconds where it is left out (defaults.go)
    unless(
      numberAt(spec, 'minReadySeconds', 0) < numberAt(spec, 'progressDeadlineSeconds', 600) || numberAt(spec, 'minReadySeconds', 0) === 0,
      ['minReadySeconds'],
      'not below progressDeadlineSeconds (600 where it is not set)',
      'below it',
    ),
  ],
  DeploymentStrategy: (strategy) => [
    unless(
      strategy['type'] !== 'Recreate' || empty(own(strategy, 'rollingUpdate')),
      ['rollingUpdate'],
      'set',
      'left out beside type Recreate',
    ),
  ],
  RollingUpdateDeployment: (update) => [
    unless(
      !isNone(own(update, 'maxSurge')) || !isNone(own(update, 'maxUnavailable')),
      ['maxUnavailable'],
      '0 beside maxSurge 0',
      'more in one of the two',
    ),
  ],
  CronJobSpec: (spec) => {
    const job = objectAt(spec, 'jobTemplate', 'spec');
    // of a Job by itself it would be 1 (defaults.go), but not in a template
    const indexed = job?.['completionMode'] === 'Indexed';
    return [
      unless(
        !indexed || !empty(own(job, 'completions')),
        ['jobTemplate', 'spec', 'completions'],
        'missing',
        'a number, since completionMode is Indexed',
      ),
    ];
  },
  LabelSelector: (selector) => labels(own(selector, 'matchLabels'), ['matchLabels']),
  LabelSelectorRequirement: (requirement) => [...key(requirement), ...values(requirement, { labels: true })],
  NodeSelectorRequirement: (requirement) => values(requirement, { labels: false }),
  ServiceSpec: (spec) => [
    ...labels(own(spec, 'selector'), ['selector']),
    ...twice(spec, 'ports', 'name'),
    ...portsTwice(spec),
    unless(!noPorts(spec), ['ports'], 'empty', 'a list with at least one port'),
    ...unnamedPorts(spec),
    sessionTime(spec),
    unless(!isExternal(spec) || spec['clusterIP'] !== 'None', ['clusterIP'], '"None"', 'left out beside type LoadBalancer or NodePort'),
    unless(
      isExternal(spec) || !empty(own(spec, 'externalIPs')) || empty(own(spec, 'externalTrafficPolicy')),
      ['externalTrafficPolicy'],
      'set',
      'left out where the type is neither LoadBalancer nor NodePort',
    ),
    unless(
      spec['type'] === 'LoadBalancer' || empty(own(spec, 'loadBalancerSourceRanges')),
      ['loadBalancerSourceRanges'],
      'set',
      'left out where the type is not LoadBalancer',
    ),
  ],
  IngressBackend: oneFieldOf('service', 'resource'),
  ServiceBackendPort: (port) => {
    const [name, number] = [!empty(own(port, 'name')), !empty(own(port, 'number')) && own(port, 'number') !== 0];
    return [
      unless(name || number, [], 'without name and number', 'with one of them'),
      unless(!name || !number, ['number'], 'set beside name', 'the only one'),
    ];
  },
  NetworkPolicyPort: (rule) => {
    const [port, end] = [own(rule, 'port'), own(rule, 'endPort')];
    if (typeof end !== 'number') return [];
    return typeof port === 'number'
      ? [unless(end >= port, ['endPort'], `${end}, below port`, 'the last port of a range')]
      : [unless(false, ['endPort'], 'set', 'left out where port is no number')];
  },
  ConfigMap: (map) => {
    const binary = objectAt(map, 'binaryData');
    return Object.keys(objectAt(map, 'data') ?? {})
      .filter((name) => own(binary, name) !== undefined)
      .map((name) => ({ path: ['data', name], found: 'also under binaryData', wanted: 'in one of the two' }));
  },
  Secret: (secret) => [
    ...(SECRET_KEYS.get(stringAt(secret, 'type') ?? '') ?? []).flatMap((names) => secretKey(secret, names)),
    ...pullSecret(secret),
  ],
  HorizontalPodAutoscalerSpec: (spec) => [
    unless(numberAt(spec, 'maxReplicas', 1) >= numberAt(spec, 'minReplicas', 1), ['maxReplicas'], 'below minReplicas', 'at least that'),
  ],
  MetricTarget: oneFieldOf('averageUtilization', 'averageValue', 'value'),
};

/** Keys that a Secret of a type must have, each one of several (validation.go, ValidateSecret). */
const SECRET_KEYS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries({
    'kubernetes.io/tls': [['tls.crt'], ['tls.key']],
    'kubernetes.io/dockerconfigjson': [['.dockerconfigjson']],
    'kubernetes.io/dockercfg': [['.dockercfg']],
    'kubernetes.io/basic-auth': [['username', 'password']],
    'kubernetes.io/ssh-auth': [['ssh-privatekey']],
  }),
);

function secretKey(secret: JsonObject, names: readonly string[]): readonly Illegal[] {
  const there = names.some(
    (name) => own(objectAt(secret, 'data'), name) !== undefined || own(objectAt(secret, 'stringData'), name) !== undefined,
  );
  return there
    ? []
    : [{ path: ['data'], found: `without ${names.join(' and ')}`, wanted: `what type ${stringAt(secret, 'type') ?? ''} needs` }];
}

const PULL_SECRETS: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
  ['kubernetes.io/dockercfg', '.dockercfg'],
]);

/** Credentials of registries are JSON (ValidateSecret). The value is never shown, nor what a parser says of it. */
function pullSecret(secret: JsonObject): readonly Illegal[] {
  const name = PULL_SECRETS.get(stringAt(secret, 'type') ?? '');
  if (name === undefined) return [];
  // stringData is merged into data, and wins
  const list = own(objectAt(secret, 'stringData'), name) === undefined ? 'data' : 'stringData';
  const value = own(objectAt(secret, list), name);
  const text = typeof value !== 'string' ? undefined : list === 'data' ? decoded(value) : value;
  return [unless(text === undefined || isJsonMap(text), [list, name], 'no JSON', 'a map in JSON, as docker login writes it')].filter(
    (found) => found !== undefined,
  );
}

/** Bytes as characters, which is enough for the form of JSON; undefined where it is no base64, which is refused elsewhere. */
function decoded(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

function isJsonMap(text: string): boolean {
  try {
    const value: Json = JSON.parse(text);
    return value === null || isObject(value);
  } catch {
    return false;
  }
}

/** Beside None the server forgets what was configured (SetDefaults_Service). */
function sessionTime(spec: JsonObject): Illegal | undefined {
  const seconds = own(objectAt(spec, 'sessionAffinityConfig', 'clientIP'), 'timeoutSeconds') ?? 1;
  return unless(
    spec['sessionAffinity'] !== 'ClientIP' || within(1, 86_400)(seconds),
    ['sessionAffinityConfig', 'clientIP', 'timeoutSeconds'],
    'out of range',
    'a number from 1 to 86400',
  );
}

/** Pods that are kept running never come to an end. */
function endless(spec: JsonObject): readonly (Illegal | undefined)[] {
  return [
    unless(
      empty(own(objectAt(spec, 'template', 'spec'), 'activeDeadlineSeconds')),
      ['template', 'spec', 'activeDeadlineSeconds'],
      'set',
      'left out: only pods of a Job, and Pods by themselves, have a deadline',
    ),
  ];
}

function isNone(value: Json | undefined): boolean {
  return value === 0 || (typeof value === 'string' && /^0+%$/.test(value));
}

function isExternal(spec: JsonObject): boolean {
  return spec['type'] === 'LoadBalancer' || spec['type'] === 'NodePort';
}

/** A Service answers once at a port of a protocol. */
function portsTwice(spec: JsonObject): Illegal[] {
  const ports = own(spec, 'ports');
  if (!Array.isArray(ports)) return [];
  const seen = new Set<string>();
  return ports.flatMap((item, index) => {
    const port = isObject(item) ? own(item, 'port') : undefined;
    if (!isObject(item) || typeof port !== 'number') return [];
    const word = `${port}/${stringAt(item, 'protocol') || 'TCP'}`;
    const again = seen.has(word);
    seen.add(word);
    return again ? [{ path: ['ports', index, 'port'], found: `${word} again`, wanted: 'said once in the list' }] : [];
  });
}

function noPorts(spec: JsonObject): boolean {
  return empty(own(spec, 'ports')) && spec['type'] !== 'ExternalName' && spec['clusterIP'] !== 'None';
}

/** Ports of a Service need names once there are two. */
function unnamedPorts(spec: JsonObject): Illegal[] {
  const ports = spec['ports'];
  if (!Array.isArray(ports) || ports.length < 2) return [];
  return ports.flatMap((item, index) =>
    isObject(item) && empty(own(item, 'name'))
      ? [{ path: ['ports', index, 'name'], found: 'missing', wanted: 'a name, since there are several ports' }]
      : [],
  );
}

function key(requirement: JsonObject): Illegal[] {
  const name = own(requirement, 'key') ?? '';
  return typeof name === 'string' && !isQualifiedName(name) ? [{ path: ['key'], found: quoted(name), wanted: LABEL_KEY }] : [];
}

function values(requirement: JsonObject, options: { readonly labels: boolean }): Illegal[] {
  const { operator } = requirement;
  const list = own(requirement, 'values');
  const some = Array.isArray(list) && list.length > 0;
  if ((operator === 'In' || operator === 'NotIn') && !some) return [{ path: ['values'], found: 'empty', wanted: 'a list of values' }];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && some)
    return [{ path: ['values'], found: 'a list', wanted: `left out beside operator ${operator}` }];
  if (!options.labels || !Array.isArray(list)) return [];
  return list.flatMap((value, index) =>
    typeof value === 'string' && !isLabelValue(value) ? [{ path: ['values', index], found: quoted(value), wanted: LABEL_VALUE }] : [],
  );
}
