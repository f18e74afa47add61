import type { Json, JsonObject } from '../../src/core/kube/json.ts';

/** An object that a person may write and that every API server refuses; `legal` is the same without the mistake. */
export interface RefusedObject {
  readonly what: string;
  readonly object: JsonObject;
  readonly legal: JsonObject;
  /** the field that is at fault, as our refusal names it */
  readonly pointer: string;
}

const META: JsonObject = { name: 'web', namespace: 'team-dev' };
const SAFE: JsonObject = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true };
const APP: JsonObject = { name: 'app', image: 'app:1', securityContext: SAFE };
const CLAIM: JsonObject = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

interface Parts {
  readonly container?: JsonObject;
  readonly pod?: JsonObject;
  readonly spec?: JsonObject;
}

function template({ container = {}, pod = {} }: Parts): JsonObject {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ ...APP, ...container }], ...pod } };
}

function deployment(parts: Parts = {}): JsonObject {
  const spec = { selector: { matchLabels: { app: 'web' } }, template: template(parts), ...parts.spec };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: META, spec };
}

function statefulSet(parts: Parts = {}): JsonObject {
  return { ...deployment({ ...parts, spec: { serviceName: 'web', ...parts.spec } }), kind: 'StatefulSet' };
}

function cronJob(spec: JsonObject = {}, job: JsonObject = {}): JsonObject {
  const jobTemplate = { spec: { template: template({ pod: { restartPolicy: 'Never' } }), ...job } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: META, spec: { schedule: '0 3 * * *', jobTemplate, ...spec } };
}

function pod(container: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: META, spec: template({ container })['spec'] ?? {} };
}

function of(apiVersion: string, kind: string, base: JsonObject): (fields?: JsonObject) => JsonObject {
  return (fields = {}) => ({ apiVersion, kind, metadata: META, spec: { ...base, ...fields } });
}

const service = of('v1', 'Service', { selector: { app: 'web' }, ports: [{ port: 80 }] });
const claim = of('v1', 'PersistentVolumeClaim', CLAIM);
const ingress = of('networking.k8s.io/v1', 'Ingress', { ingressClassName: 'nginx', rules: [rule()] });
const network = of('networking.k8s.io/v1', 'NetworkPolicy', { podSelector: {}, policyTypes: ['Ingress'] });
const utilization = { type: 'Utilization', averageUtilization: 80 };
const autoscaler = of('autoscaling/v2', 'HorizontalPodAutoscaler', {
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  maxReplicas: 3,
  metrics: [{ type: 'Resource', resource: { name: 'cpu', target: utilization } }],
});

function rule(path: JsonObject = { backend: { service: { name: 'web', port: { number: 80 } } } }): JsonObject {
  return { host: 'web.dev.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', ...path }] } };
}

type Row = readonly [what: string, pointer: string, value: JsonObject];

const IN_CONTAINER: readonly Row[] = [
  ['no image', 'image', { image: null }],
  ['an empty image', 'image', { image: '' }],
  ['a name in capitals', 'name', { name: 'App' }],
  ['a name with _', 'name', { name: 'my_app' }],
  ['a variable of two sources', 'env[0].valueFrom.secretKeyRef', from({ configMapKeyRef: key(), secretKeyRef: key() })],
  ['a variable of no source', 'env[0].valueFrom', from({})],
  ['a variable of no key', 'env[0].valueFrom.secretKeyRef.key', from({ secretKeyRef: { name: 'a' } })],
  ['a variable of no ConfigMap', 'env[0].valueFrom.configMapKeyRef.name', from({ configMapKeyRef: { key: 'b' } })],
  ['a variable of an unknown field', 'env[0].valueFrom.fieldRef.fieldPath', from({ fieldRef: { fieldPath: 'spec.image' } })],
  [
    'a variable of an unknown resource',
    'env[0].valueFrom.resourceFieldRef.resource',
    from({ resourceFieldRef: { resource: 'limits.disk' } }),
  ],
  ['variables from nowhere', 'envFrom[0]', { envFrom: [{}] }],
  ['variables from two', 'envFrom[0].secretRef', { envFrom: [{ configMapRef: { name: 'a' }, secretRef: { name: 'a' } }] }],
  ['variables from no name', 'envFrom[0].configMapRef.name', { envFrom: [{ configMapRef: {} }] }],
  ['a misspelt resource', 'resources.requests.memry', { resources: { requests: { memry: '1Gi' } } }],
  ['a device that is requested only', 'resources.limits["nvidia.com/gpu"]', { resources: { requests: { 'nvidia.com/gpu': 1 } } }],
  ['a probe of no handler', 'livenessProbe', { livenessProbe: { periodSeconds: 3 } }],
  ['a probe of two handlers', 'livenessProbe.httpGet', { livenessProbe: { exec: { command: ['a'] }, httpGet: { port: 80 } } }],
  ['a probe of no command', 'livenessProbe.exec.command', { livenessProbe: { exec: {} } }],
  ['a probe before the start', 'livenessProbe.initialDelaySeconds', { livenessProbe: { httpGet: { port: 80 }, initialDelaySeconds: -1 } }],
  ['a liveness that takes two', 'livenessProbe.successThreshold', { livenessProbe: { httpGet: { port: 80 }, successThreshold: 2 } }],
  ['a hook of no handler', 'lifecycle.preStop', { lifecycle: { preStop: {} } }],
  ['half a device', 'resources.limits["nvidia.com/gpu"]', { resources: { limits: { 'nvidia.com/gpu': '500m' } } }],
  [
    'large pages that are requested only',
    'resources.limits.hugepages-2Mi',
    { resources: { requests: { memory: '1Gi', 'hugepages-2Mi': '4Mi' } } },
  ],
  ['a user below 0', 'securityContext.runAsUser', { securityContext: { ...SAFE, runAsUser: -1 } }],
];

const SPREAD: JsonObject = { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' };

const IN_POD: readonly Row[] = [
  ['a volume in capitals', 'volumes[0].name', { volumes: [{ name: 'My_Volume', emptyDir: {} }] }],
  ['a volume of two sources', 'volumes[0].configMap', { volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'a' } }] }],
  ['a volume of no ConfigMap', 'volumes[0].configMap.name', { volumes: [{ name: 'v', configMap: {} }] }],
  ['a volume of no Secret', 'volumes[0].secret.secretName', { volumes: [{ name: 'v', secret: {} }] }],
  ['a volume of no claim', 'volumes[0].persistentVolumeClaim.claimName', { volumes: [{ name: 'v', persistentVolumeClaim: {} }] }],
  [
    'an item of no path',
    'volumes[0].configMap.items[0].path',
    { volumes: [{ name: 'v', configMap: { name: 'a', items: [{ key: 'x' }] } }] },
  ],
  ['mode 644', 'volumes[0].secret.defaultMode', { volumes: [{ name: 'v', secret: { secretName: 'a', defaultMode: 644 } }] }],
  [
    'a probe before the start of others',
    'initContainers[0].readinessProbe',
    { initContainers: [{ ...APP, name: 'init', readinessProbe: { httpGet: { port: 80 } } }] },
  ],
  ['a toleration of all values', 'tolerations[0].value', { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }],
  ['a toleration of no effect', 'tolerations[0].effect', { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoRun' }] }],
  [
    'spread over nothing',
    'topologySpreadConstraints[0].maxSkew',
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' }] },
  ],
  ['DNS policy None and no DNS', 'dnsConfig.nameservers', { dnsPolicy: 'None' }],
  ['a name server by name', 'dnsConfig.nameservers', { dnsConfig: { nameservers: ['dns.example.com'] } }],
  ['an alias of no address', 'hostAliases[0].ip', { hostAliases: [{ ip: 'db.example.com', hostnames: ['db'] }] }],
  ['an alias in capitals', 'hostAliases[0].hostnames', { hostAliases: [{ ip: '192.0.2.1', hostnames: ['DB_1'] }] }],
  ['a volume smaller than nothing', 'volumes[0].emptyDir.sizeLimit', { volumes: [{ name: 'v', emptyDir: { sizeLimit: '-1Gi' } }] }],
  [
    'a toleration for a time that evicts nothing',
    'tolerations[0].tolerationSeconds',
    { tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 60 }] },
  ],
  ['a toleration of no key', 'tolerations[0].operator', { tolerations: [{ value: 'a' }] }],
  ['the same spread twice', 'topologySpreadConstraints[1].topologyKey', { topologySpreadConstraints: [SPREAD, SPREAD] }],
  ['a deadline, in a template of pods that run on', 'activeDeadlineSeconds', { activeDeadlineSeconds: 60 }],
  ['a host name in capitals', 'hostname', { hostname: 'Web' }],
];

const FAILURE: JsonObject = { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] };

function session(sessionAffinity: string): JsonObject {
  return service({ sessionAffinity, sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } });
}

function pullSecret(type: string, fields: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: META, type: `kubernetes.io/${type}`, ...fields };
}

const backend = (value: Json): JsonObject => ({ rules: [rule({ backend: value })] });
const PATH = 'spec.rules[0].http.paths[0].backend';

const IN_OTHERS: readonly (readonly [what: string, pointer: string, object: JsonObject, legal: JsonObject])[] = [
  [
    'no surge and nothing unavailable',
    'spec.strategy.rollingUpdate.maxUnavailable',
    deployment({ spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } }),
    deployment(),
  ],
  [
    'a surge in quotes',
    'spec.strategy.rollingUpdate.maxSurge',
    deployment({ spec: { strategy: { rollingUpdate: { maxSurge: '1' } } } }),
    deployment(),
  ],
  ['no time to progress', 'spec.progressDeadlineSeconds', deployment({ spec: { progressDeadlineSeconds: 0 } }), deployment()],
  [
    'a deadline of its pods',
    'spec.template.spec.activeDeadlineSeconds',
    statefulSet({ pod: { activeDeadlineSeconds: 60 } }),
    statefulSet(),
  ],
  ['ready after the deadline', 'spec.minReadySeconds', deployment({ spec: { minReadySeconds: 700 } }), deployment()],
  [
    'a claim template of no size',
    'spec.volumeClaimTemplates[0].spec.resources.requests.storage',
    statefulSet({ spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }] } }),
    statefulSet(),
  ],
  ['an image with a space before it, in a Pod', 'spec.containers[0].image', pod({ image: ' app:1' }), pod()],
  ['an image with a line break, in a Pod', 'spec.containers[0].image', pod({ image: 'app:1\n' }), pod()],
  ['a claim of no mode', 'spec.accessModes', claim({ accessModes: null }), claim()],
  ['a claim of no size', 'spec.resources.requests.storage', claim({ resources: {} }), claim()],
  ['a claim of size 0', 'spec.resources.requests.storage', claim({ resources: { requests: { storage: '0' } } }), claim()],
  [
    'a port twice',
    'spec.ports[1].port',
    service({
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 80 },
      ],
    }),
    service(),
  ],
  ['a port name in capitals', 'spec.ports[0].name', service({ ports: [{ name: 'HTTP', port: 80 }] }), service()],
  ['external traffic of an internal Service', 'spec.externalTrafficPolicy', service({ externalTrafficPolicy: 'Local' }), service()],
  ['sources of an internal Service', 'spec.loadBalancerSourceRanges', service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }), service()],
  [
    'sources that are no ranges',
    'spec.loadBalancerSourceRanges',
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.1'] }),
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.0/24'] }),
  ],
  [
    'traffic that is not distributed so',
    'spec.trafficDistribution',
    service({ trafficDistribution: 'Close' }),
    service({ trafficDistribution: 'PreferClose' }),
  ],
  ['a family of addresses that is none', 'spec.ipFamilies', service({ ipFamilies: ['IPv5'] }), service({ ipFamilies: ['IPv4'] })],
  [
    'a policy of families that is none',
    'spec.ipFamilyPolicy',
    service({ ipFamilyPolicy: 'Dual' }),
    service({ ipFamilyPolicy: 'SingleStack' }),
  ],
  ['a session of no time', 'spec.sessionAffinityConfig.clientIP.timeoutSeconds', session('ClientIP'), session('None')],
  ['no backend', PATH, ingress({ rules: [rule({})] }), ingress()],
  ['an empty backend', PATH, ingress(backend({})), ingress()],
  ['no port', `${PATH}.service.port`, ingress(backend({ service: { name: 'web' } })), ingress()],
  [
    'a port of name and number',
    `${PATH}.service.port.number`,
    ingress(backend({ service: { name: 'web', port: { name: 'http', number: 80 } } })),
    ingress(),
  ],
  ['no paths', 'spec.rules[0].http.paths', ingress({ rules: [{ host: 'web.dev.example.com', http: { paths: [] } }] }), ingress()],
  [
    'a Secret in capitals',
    'spec.tls[0].secretName',
    ingress({ tls: [{ hosts: ['web.dev.example.com'], secretName: 'My_Cert' }] }),
    ingress(),
  ],
  ['an interval that is none', 'spec.schedule', cronJob({ schedule: '@every day' }), cronJob({ schedule: '@every 1h30m' })],
  ['the time zone of the machine', 'spec.timeZone', cronJob({ timeZone: 'Local' }), cronJob()],
  ['a time zone with a space', 'spec.timeZone', cronJob({ timeZone: 'Europe Berlin' }), cronJob({ timeZone: 'Europe/Berlin' })],
  ['an offset in place of a time zone', 'spec.timeZone', cronJob({ timeZone: 'UTC+2' }), cronJob({ timeZone: 'Etc/GMT-2' })],
  [
    'a policy for failed pods that are started again',
    'spec.jobTemplate.spec.template.spec.restartPolicy',
    cronJob({}, { template: template({ pod: { restartPolicy: 'OnFailure' } }), podFailurePolicy: FAILURE }),
    cronJob({}, { template: template({ pod: { restartPolicy: 'Never' } }), podFailurePolicy: FAILURE }),
  ],
  ['a deadline in the past', 'spec.startingDeadlineSeconds', cronJob({ startingDeadlineSeconds: -1 }), cronJob()],
  [
    'an index and no completions',
    'spec.jobTemplate.spec.completions',
    cronJob({}, { completionMode: 'Indexed' }),
    cronJob({}, { completionMode: 'Indexed', completions: 1 }),
  ],
  [
    'a range that ends before it begins',
    'spec.ingress[0].ports[0].endPort',
    network({ ingress: [{ ports: [{ port: 80, endPort: 79 }] }] }),
    network(),
  ],
  ['the end of no range', 'spec.ingress[0].ports[0].endPort', network({ ingress: [{ ports: [{ endPort: 79 }] }] }), network()],
  ['no most replicas', 'spec.maxReplicas', autoscaler({ maxReplicas: null }), autoscaler()],
  ['fewer at most than at least', 'spec.maxReplicas', autoscaler({ minReplicas: 5 }), autoscaler()],
  [
    'a key twice',
    'data.a',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: META, data: { a: 'b' }, binaryData: { a: 'Yg==' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: META, data: { a: 'b' } },
  ],
  [
    'credentials of a registry that are no JSON',
    'stringData[".dockerconfigjson"]',
    pullSecret('dockerconfigjson', { stringData: { '.dockerconfigjson': 'hunter2' } }),
    pullSecret('dockerconfigjson', { stringData: { '.dockerconfigjson': '{"auths":{}}' } }),
  ],
  [
    'credentials of a registry that are a list, in base64',
    'data[".dockercfg"]',
    pullSecret('dockercfg', { data: { '.dockercfg': 'W10=' } }),
    pullSecret('dockercfg', { data: { '.dockercfg': 'e30=' } }),
  ],
  [
    'a certificate and no key',
    'data',
    { apiVersion: 'v1', kind: 'Secret', metadata: META, type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: META },
  ],
];

export const REFUSED_OBJECTS: readonly RefusedObject[] = [
  ...IN_CONTAINER.map(([what, pointer, container]) => ({
    what: `a container with ${what}`,
    pointer: `spec.template.spec.containers[0].${pointer}`,
    object: deployment({ container }),
    legal: deployment(),
  })),
  ...IN_POD.map(([what, pointer, fields]) => ({
    what: `a pod with ${what}`,
    pointer: `spec.template.spec.${pointer}`,
    object: deployment({ pod: fields }),
    legal: deployment(),
  })),
  ...IN_OTHERS.map(([what, pointer, object, legal]) => ({ what: `${String(object['kind'])}: ${what}`, pointer, object, legal })),
];

function from(valueFrom: JsonObject): JsonObject {
  return { env: [{ name: 'A', valueFrom }] };
}

function key(): JsonObject {
  return { name: 'a', key: 'b' };
}
