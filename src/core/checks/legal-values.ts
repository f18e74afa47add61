import type { Json } from '../kube/json.ts';
import {
  AMOUNT,
  atLeastOne,
  COUNT,
  eachIn,
  eachOneOf,
  exactlyOneOf,
  FILE_MODE,
  FROM_1,
  ID,
  INSIDE,
  isAddress,
  isHostname,
  isRange,
  KEY,
  LABEL,
  type LegalValue,
  like,
  MOST_INT32,
  NAME,
  oneOf,
  PORT,
  PORT_NAME,
  PORT_OR_NAME,
  PROTOCOL,
  required,
  SIZE,
  SOME,
  TARGET_PORT,
  WEIGHT,
  within,
} from './legal-value.ts';
import { isQualifiedName } from './metadata-checks.ts';

/**
 * Legal values by type and field (facts of k8s.io/kubernetes, the validation packages of pkg/apis, 1.28 to 1.37). One object that the API server
 * refuses stops a whole apply. Only what every one of these versions refuses; where they differ, or in doubt, a value passes.
 */
export const LEGAL_VALUES: Readonly<Record<string, Readonly<Record<string, LegalValue>>>> = {
  PodSpec: {
    dnsPolicy: oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
    restartPolicy: oneOf('Always', 'OnFailure', 'Never'),
    hostname: LABEL,
    preemptionPolicy: oneOf('PreemptLowerPriority', 'Never'),
    activeDeadlineSeconds: FROM_1,
  },
  HostAlias: {
    hostnames: eachIn('a list of DNS names in small letters', isHostname),
    ip: { wanted: 'an IP address', required: true, legal: (value) => typeof value !== 'string' || isAddress(value) },
  },
  // how many there may be, the step that puts ours first sees to
  PodDNSConfig: { nameservers: eachIn('a list of IP addresses', isAddress) },
  EmptyDirVolumeSource: { sizeLimit: SIZE },
  Volume: { name: required(LABEL) },
  ConfigMapVolumeSource: { defaultMode: FILE_MODE, name: NAME },
  SecretVolumeSource: { defaultMode: FILE_MODE, secretName: NAME },
  PersistentVolumeClaimVolumeSource: { claimName: NAME },
  DownwardAPIVolumeSource: { defaultMode: FILE_MODE },
  ProjectedVolumeSource: { defaultMode: FILE_MODE },
  KeyToPath: { key: KEY, mode: FILE_MODE, path: required(INSIDE) },
  Container: {
    name: LABEL,
    imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
    terminationMessagePolicy: oneOf('File', 'FallbackToLogsOnError'),
  },
  EnvVar: { name: { wanted: 'a name without =', required: true, legal: (value) => typeof value !== 'string' || /^[^=]+$/.test(value) } },
  SecretKeySelector: { key: KEY, name: NAME },
  ConfigMapKeySelector: { key: KEY, name: NAME },
  ObjectFieldSelector: {
    fieldPath: like(
      /^(metadata\.(name|namespace|uid|(annotations|labels)(\['.+'\])?)|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$/,
      'a field that the downward API has, such as metadata.name or status.podIP',
    ),
  },
  ResourceFieldSelector: {
    resource: like(
      /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/,
      'limits or requests of cpu, memory or ephemeral-storage, such as limits.cpu',
    ),
  },
  ConfigMapEnvSource: { name: NAME },
  SecretEnvSource: { name: NAME },
  PodSecurityContext: { fsGroup: ID, runAsGroup: ID, runAsUser: ID },
  SecurityContext: { runAsGroup: ID, runAsUser: ID },
  Probe: {
    failureThreshold: COUNT,
    initialDelaySeconds: COUNT,
    periodSeconds: COUNT,
    successThreshold: COUNT,
    timeoutSeconds: COUNT,
  },
  ExecAction: { command: { ...SOME, wanted: 'a list with the command' } },
  GRPCAction: { port: PORT },
  HTTPHeader: { name: required(like(/^[-A-Za-z0-9]+$/, 'the name of an HTTP header')) },
  Toleration: {
    effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
    operator: oneOf('Equal', 'Exists', 'Lt', 'Gt'),
  },
  NodeSelector: { nodeSelectorTerms: SOME },
  PodAffinityTerm: { topologyKey: NAME },
  PreferredSchedulingTerm: { weight: WEIGHT },
  WeightedPodAffinityTerm: { weight: WEIGHT },
  ContainerPort: { containerPort: PORT, name: PORT_NAME, protocol: PROTOCOL },
  VolumeMount: { name: NAME, mountPath: { ...NAME, wanted: 'a path' }, subPath: INSIDE, subPathExpr: INSIDE },
  VolumeDevice: { name: NAME, devicePath: { ...NAME, wanted: 'a path' } },
  HTTPGetAction: { port: { ...PORT_OR_NAME, required: true }, scheme: oneOf('HTTP', 'HTTPS') },
  TCPSocketAction: { port: { ...PORT_OR_NAME, required: true } },
  TopologySpreadConstraint: {
    maxSkew: { wanted: 'a number from 1', required: true, legal: within(1, Number.MAX_SAFE_INTEGER) },
    whenUnsatisfiable: exactlyOneOf('DoNotSchedule', 'ScheduleAnyway'),
    topologyKey: NAME,
  },
  DeploymentSpec: { replicas: COUNT, minReadySeconds: COUNT, progressDeadlineSeconds: FROM_1, revisionHistoryLimit: COUNT },
  RollingUpdateDeployment: {
    maxUnavailable: AMOUNT,
    maxSurge: { wanted: 'a number that is not negative, or a percentage', legal: isSurge },
  },
  DeploymentStrategy: { type: oneOf('Recreate', 'RollingUpdate') },
  ReplicaSetSpec: { replicas: COUNT, minReadySeconds: COUNT },
  ReplicationControllerSpec: { replicas: COUNT, minReadySeconds: COUNT },
  StatefulSetSpec: { replicas: COUNT, podManagementPolicy: oneOf('OrderedReady', 'Parallel') },
  RollingUpdateStatefulSetStrategy: { partition: COUNT },
  StatefulSetUpdateStrategy: { type: oneOf('RollingUpdate', 'OnDelete') },
  DaemonSetUpdateStrategy: { type: oneOf('RollingUpdate', 'OnDelete') },
  JobSpec: {
    activeDeadlineSeconds: COUNT,
    backoffLimit: COUNT,
    completionMode: oneOf('NonIndexed', 'Indexed'),
    completions: COUNT,
    parallelism: COUNT,
    ttlSecondsAfterFinished: COUNT,
  },
  CronJobSpec: {
    startingDeadlineSeconds: COUNT,
    timeZone: {
      wanted: 'the name of a time zone, such as Europe/Berlin',
      legal: (value) => typeof value !== 'string' || isTimeZone(value),
    },
    concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'),
    failedJobsHistoryLimit: COUNT,
    successfulJobsHistoryLimit: COUNT,
  },
  LabelSelectorRequirement: { operator: exactlyOneOf('In', 'NotIn', 'Exists', 'DoesNotExist') },
  NodeSelectorRequirement: { operator: exactlyOneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt') },
  PersistentVolumeClaimSpec: {
    accessModes: atLeastOne(eachOneOf('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod')),
    volumeMode: oneOf('Filesystem', 'Block'),
  },
  ServiceSpec: {
    externalTrafficPolicy: oneOf('Cluster', 'Local'),
    internalTrafficPolicy: oneOf('Cluster', 'Local'),
    ipFamilies: eachOneOf('IPv4', 'IPv6'),
    ipFamilyPolicy: oneOf('SingleStack', 'PreferDualStack', 'RequireDualStack'),
    loadBalancerSourceRanges: eachIn('a list of ranges such as 192.0.2.0/24', isRange),
    sessionAffinity: oneOf('None', 'ClientIP'),
    // older servers drop the field, whatever its value
    trafficDistribution: oneOf('PreferClose', 'PreferSameZone', 'PreferSameNode'),
  },
  ServicePort: {
    appProtocol: {
      wanted: 'a protocol such as http or kubernetes.io/h2c',
      legal: (value) => typeof value !== 'string' || isQualifiedName(value),
    },
    name: LABEL,
    port: PORT,
    protocol: PROTOCOL,
    targetPort: TARGET_PORT,
  },
  HTTPIngressRuleValue: { paths: { ...SOME, wanted: 'a list with at least one path' } },
  HTTPIngressPath: { backend: { wanted: 'a backend', required: true, legal: () => true } },
  IngressServiceBackend: { name: required(LABEL), port: { wanted: 'a port by name or number', required: true, legal: () => true } },
  ServiceBackendPort: { name: PORT_NAME, number: { wanted: PORT.wanted, legal: within(0, 65_535) } },
  IngressTLS: { secretName: like(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/, 'the name of a Secret') },
  HorizontalPodAutoscalerSpec: {
    maxReplicas: { wanted: 'a number from 1', required: true, legal: within(1, MOST_INT32) },
    minReplicas: COUNT,
  },
  MetricTarget: {
    averageUtilization: { wanted: 'a percentage from 1', legal: within(1, MOST_INT32) },
    type: exactlyOneOf('Utilization', 'Value', 'AverageValue'),
  },
  EndpointPort: { protocol: PROTOCOL },
  EndpointSlice: { addressType: exactlyOneOf('IPv4', 'IPv6', 'FQDN') },
  NetworkPolicySpec: { policyTypes: eachOneOf('Ingress', 'Egress') },
  NetworkPolicyPort: { endPort: { ...PORT_OR_NAME, wanted: 'a port from 1 to 65535' }, port: PORT_OR_NAME, protocol: PROTOCOL },
  PodDisruptionBudgetSpec: { maxUnavailable: AMOUNT, minAvailable: AMOUNT },
};

/** What needs no table of zones to be none: no zone of IANA is called UTC+2 (validateTimeZone of pkg/apis/batch/validation). */
function isTimeZone(name: string): boolean {
  const parts = name.split('/').every((part) => /^(?!-|\.{1,2}$)[A-Za-z.\-_0-9+]{1,14}$/.test(part));
  return parts && !/^local$/i.test(name) && !/^UTC[+-]|^GMT[+-][^0]/.test(name);
}

/** Unlike what may be unavailable, what comes on top may be more than all. */
function isSurge(value: Json): boolean {
  return typeof value === 'string' ? /^\d+%$/.test(value) : within(0, MOST_INT32)(value);
}
