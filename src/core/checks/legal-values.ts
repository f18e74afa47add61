import { isObject, type Json, type JsonObject, own, type Path } from '../kube/json.ts';
import { isLabelValue, isQualifiedName } from './metadata-checks.ts';

/** What is legal of a value that has its field's type; a value of another type is none of its business. */
export interface LegalValue {
  readonly wanted: string;
  /** the field must be there */
  readonly required?: true;
  legal(value: Json): boolean;
}

const LABEL_KEY = 'a label key: an optional domain and /, then at most 63 letters, digits and -_.';
const LABEL_VALUE = 'a label value: at most 63 letters, digits and -_., beginning and ending with a letter or digit';

/** The API server reads "" as unset where the field has a default. */
function oneOf(...values: readonly string[]): LegalValue {
  return { wanted: listOf(values), legal: (value) => typeof value !== 'string' || value === '' || values.includes(value) };
}

function exactlyOneOf(...values: readonly string[]): LegalValue {
  return { wanted: listOf(values), required: true, legal: (value) => typeof value !== 'string' || values.includes(value) };
}

function eachOneOf(...values: readonly string[]): LegalValue {
  const legal = (item: Json): boolean => typeof item !== 'string' || values.includes(item);
  return { wanted: `a list of ${values.join(', ')}`, legal: (value) => !Array.isArray(value) || value.every(legal) };
}

function listOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function within(least: number, most: number): (value: Json) => boolean {
  return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || (value >= least && value <= most);
}

const MOST_INT32 = 2_147_483_647;
const PORT: LegalValue = { wanted: 'a port from 1 to 65535', required: true, legal: within(1, 65_535) };
const COUNT: LegalValue = { wanted: 'a number from 0 to 2147483647', legal: within(0, MOST_INT32) };
const NAME: LegalValue = { wanted: 'a name', required: true, legal: (value) => value !== '' };
const PROTOCOL = oneOf('TCP', 'UDP', 'SCTP');

/** IANA_SVC_NAME (apimachinery, IsValidPortName). */
function isPortName(text: string): boolean {
  return text.length <= 15 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && /[a-z]/.test(text);
}

function port(least: number): LegalValue {
  const number = within(least, 65_535);
  return {
    wanted: 'a port from 1 to 65535, or the name of one',
    legal: (value) => (typeof value === 'string' ? isPortName(value) || (least === 0 && value === '') : number(value)),
  };
}

const PORT_OR_NAME = port(1);
/** Of a Service 0 and "" mean the Service's own port (defaults.go, SetDefaults_Service). */
const TARGET_PORT = port(0);
const PORT_NAME: LegalValue = {
  wanted: 'the name of a port: at most 15 small letters, digits and -, with a letter',
  legal: (value) => typeof value !== 'string' || value === '' || isPortName(value),
};
const AMOUNT: LegalValue = {
  wanted: 'a number that is not negative, or a percentage up to 100%',
  legal: (value) => (typeof value === 'string' ? /^0*(100|\d{1,2})%$/.test(value) : within(0, MOST_INT32)(value)),
};

/**
 * Legal values by type and field (facts of k8s.io/kubernetes, the validation packages of pkg/apis, 1.28 to 1.37). One object that the API server
 * refuses stops a whole apply. Only what every one of these versions refuses; where they differ, or in doubt, a value passes.
 */
export const LEGAL_VALUES: Readonly<Record<string, Readonly<Record<string, LegalValue>>>> = {
  PodSpec: {
    dnsPolicy: oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
    restartPolicy: oneOf('Always', 'OnFailure', 'Never'),
    preemptionPolicy: oneOf('PreemptLowerPriority', 'Never'),
  },
  Volume: { name: NAME },
  Container: {
    imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
    terminationMessagePolicy: oneOf('File', 'FallbackToLogsOnError'),
  },
  EnvVar: { name: { wanted: 'a name without =', required: true, legal: (value) => typeof value !== 'string' || /^[^=]+$/.test(value) } },
  ContainerPort: { containerPort: PORT, name: PORT_NAME, protocol: PROTOCOL },
  VolumeMount: { name: NAME, mountPath: { ...NAME, wanted: 'a path' } },
  VolumeDevice: { name: NAME, devicePath: { ...NAME, wanted: 'a path' } },
  HTTPGetAction: { port: { ...PORT_OR_NAME, required: true }, scheme: oneOf('HTTP', 'HTTPS') },
  TCPSocketAction: { port: { ...PORT_OR_NAME, required: true } },
  TopologySpreadConstraint: { whenUnsatisfiable: exactlyOneOf('DoNotSchedule', 'ScheduleAnyway'), topologyKey: NAME },
  DeploymentSpec: { replicas: COUNT, minReadySeconds: COUNT, revisionHistoryLimit: COUNT },
  DeploymentStrategy: { type: oneOf('Recreate', 'RollingUpdate') },
  ReplicaSetSpec: { replicas: COUNT, minReadySeconds: COUNT },
  ReplicationControllerSpec: { replicas: COUNT, minReadySeconds: COUNT },
  StatefulSetSpec: { replicas: COUNT, podManagementPolicy: oneOf('OrderedReady', 'Parallel') },
  StatefulSetUpdateStrategy: { type: oneOf('RollingUpdate', 'OnDelete') },
  DaemonSetUpdateStrategy: { type: oneOf('RollingUpdate', 'OnDelete') },
  JobSpec: {
    backoffLimit: COUNT,
    completionMode: oneOf('NonIndexed', 'Indexed'),
    completions: COUNT,
    parallelism: COUNT,
    ttlSecondsAfterFinished: COUNT,
  },
  CronJobSpec: { concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'), failedJobsHistoryLimit: COUNT, successfulJobsHistoryLimit: COUNT },
  LabelSelectorRequirement: { operator: exactlyOneOf('In', 'NotIn', 'Exists', 'DoesNotExist') },
  NodeSelectorRequirement: { operator: exactlyOneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt') },
  PersistentVolumeClaimSpec: {
    accessModes: eachOneOf('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'),
    volumeMode: oneOf('Filesystem', 'Block'),
  },
  ServiceSpec: {
    externalTrafficPolicy: oneOf('Cluster', 'Local'),
    internalTrafficPolicy: oneOf('Cluster', 'Local'),
    sessionAffinity: oneOf('None', 'ClientIP'),
  },
  ServicePort: { port: PORT, protocol: PROTOCOL, targetPort: TARGET_PORT },
  EndpointPort: { protocol: PROTOCOL },
  EndpointSlice: { addressType: exactlyOneOf('IPv4', 'IPv6', 'FQDN') },
  NetworkPolicySpec: { policyTypes: eachOneOf('Ingress', 'Egress') },
  NetworkPolicyPort: { endPort: { ...PORT_OR_NAME, wanted: 'a port from 1 to 65535' }, port: PORT_OR_NAME, protocol: PROTOCOL },
  PodDisruptionBudgetSpec: { maxUnavailable: AMOUNT, minAvailable: AMOUNT },
};

interface Illegal {
  /** below the object that was looked at */
  readonly path: Path;
  readonly found: string;
  readonly wanted: string;
}

type Rule = (object: JsonObject) => readonly (Illegal | undefined)[];

/** What is legal of several fields together. */
export const LEGAL_TOGETHER: Readonly<Record<string, Rule>> = {
  PodSpec: (spec) => [...labels(own(spec, 'nodeSelector'), ['nodeSelector']), ...twice(spec, 'volumes', 'name')],
  Container: (container) => [...twice(container, 'volumeMounts', 'mountPath'), ...twice(container, 'ports', 'name')],
  EnvVar: (variable) => [
    !empty(own(variable, 'value')) && !empty(own(variable, 'valueFrom'))
      ? { path: ['valueFrom'], found: 'set beside value', wanted: 'one of the two' }
      : undefined,
  ],
  DeploymentStrategy: (strategy) => [
    strategy['type'] === 'Recreate' && !empty(own(strategy, 'rollingUpdate'))
      ? { path: ['rollingUpdate'], found: 'set', wanted: 'left out beside type Recreate' }
      : undefined,
  ],
  LabelSelector: (selector) => labels(own(selector, 'matchLabels'), ['matchLabels']),
  LabelSelectorRequirement: (requirement) => [...key(requirement), ...values(requirement, { labels: true })],
  NodeSelectorRequirement: (requirement) => values(requirement, { labels: false }),
  ServiceSpec: (spec) => [
    ...labels(own(spec, 'selector'), ['selector']),
    ...twice(spec, 'ports', 'name'),
    noPorts(spec) ? { path: ['ports'], found: 'empty', wanted: 'a list with at least one port' } : undefined,
    ...unnamedPorts(spec),
  ],
};

function empty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
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

function labels(map: Json | undefined, path: Path): Illegal[] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([name, value]) => {
    if (!isQualifiedName(name)) return [{ path: [...path, name], found: 'under an illegal key', wanted: LABEL_KEY }];
    return typeof value === 'string' && !isLabelValue(value) ? [{ path: [...path, name], found: quoted(value), wanted: LABEL_VALUE }] : [];
  });
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

/** Items of a list that say what one before them says. */
function twice(holder: JsonObject, list: string, field: string): Illegal[] {
  const items = own(holder, list);
  if (!Array.isArray(items)) return [];
  const seen = new Set<Json>();
  return items.flatMap((item, index) => {
    const value = isObject(item) ? own(item, field) : undefined;
    if (typeof value !== 'string' || value === '') return [];
    if (seen.has(value)) return [{ path: [list, index, field], found: `${quoted(value)} again`, wanted: 'said once in the list' }];
    seen.add(value);
    return [];
  });
}

/** A value as a message shows it; these fields hold words of the API, names and labels. */
export function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 80));
}
