import type { JsonObject } from '../../../src/core/kube/json.ts';
import {
  type AdmissionCase,
  claim,
  claimSpec,
  configMap,
  container,
  networkPolicy,
  OURS,
  owned,
  POOL,
  POOLED,
  pod,
  podWith,
  secret,
  service,
  workload,
} from './case.ts';

/** What the DaemonSet controller adds to its pods. */
const DAEMON_TOLERATIONS = ['not-ready', 'unreachable', 'disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map(
  (name) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: name === 'not-ready' || name === 'unreachable' ? 'NoExecute' : 'NoSchedule',
  }),
);
const AFFINITY: JsonObject = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
    },
  },
};
const PROJECTED = { ...OURS, 'tenantplane.io/kind': 'configmap', 'app.kubernetes.io/managed-by': 'tenantplane' } as const;
const DNS_POD = pod({}, { name: 'tenantplane-dns-abc-1', labels: { 'tenantplane.io/tenant': 'dev', 'tenantplane.io/role': 'dns' } });

const EVICTION: JsonObject & { apiVersion: string; kind: string } = {
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name: 'web' },
};
const DNS_EVICTION = { ...EVICTION, metadata: { name: 'tenantplane-dns-abc-1' } };

const fine = (name: string, object: AdmissionCase['object'], fields: Partial<AdmissionCase> = {}): AdmissionCase => ({
  name,
  threats: '',
  object,
  rules: [],
  ...fields,
});

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const HANDLER = { httpGet: { port: 80, path: '/' } } as const;

/** As large as objects get: what a policy costs grows with them, and past its budget the API server would refuse them. */
const LARGE_CASES: readonly AdmissionCase[] = [
  fine(
    'a pod of 300 containers, 300 volumes and 300 tolerations',
    pod(
      {
        containers: many(200, (index) =>
          container({ name: `c${index}`, livenessProbe: { ...HANDLER }, lifecycle: { preStop: { ...HANDLER } } }),
        ),
        initContainers: many(100, (index) => container({ name: `i${index}` })),
        volumes: many(300, (index) => ({
          name: `v${index}`,
          projected: { sources: many(5, (part) => ({ configMap: { name: `s${part}`, items: [{ key: 'a', path: `p${part}` }] } })) },
        })),
        tolerations: many(300, (index) => ({
          key: 'node.kubernetes.io/not-ready',
          operator: 'Equal',
          value: `v${index}`,
          effect: 'NoSchedule',
        })),
      },
      { annotations: Object.fromEntries(many(2000, (index) => [`example.com/a-rather-long-key-${index}`, 'a'.repeat(80)])) },
    ),
  ),
  fine(
    'a policy of 2,500 peers',
    networkPolicy({
      policyTypes: ['Ingress', 'Egress'],
      ingress: many(50, () => ({ from: many(25, (index) => ({ podSelector: { matchLabels: { app: `a${index}` } } })) })),
      egress: many(50, () => ({ to: many(25, (index) => ({ podSelector: { matchLabels: { app: `a${index}` } } })) })),
    }),
  ),
  fine('a Secret of half a megabyte', secret({ stringData: Object.fromEntries(many(500, (index) => [`k${index}`, 'a'.repeat(1000)])) })),
];

/** What people, tools and Kubernetes do every day, and no policy may stop. */
export const BENIGN_CASES: readonly AdmissionCase[] = [
  ...LARGE_CASES,
  fine('a compliant pod', pod()),
  fine('an allowed device', podWith({ resources: { limits: { cpu: '1', 'nvidia.com/gpu': '1' } } }), { profile: 'edge' }),
  fine(
    'an allowed class of load balancers',
    service({ type: 'LoadBalancer', loadBalancerClass: 'example.com/internal', allocateLoadBalancerNodePorts: false }),
    { profile: 'edge' },
  ),
  fine(
    'a pod that prefers some nodes, and spreads over them',
    pod({
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] }] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } },
          ],
        },
      },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app: 'web', ...OURS } },
        },
      ],
    }),
  ),
  fine(
    'a pod with every list of containers and ordinary probes',
    pod({
      initContainers: [
        container({ name: 'init' }),
        container({ name: 'side', restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 80 } } }),
      ],
      containers: [
        container({ livenessProbe: { httpGet: { port: 80, path: '/' } }, lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } } }),
      ],
    }),
  ),
  fine(
    'a pod with every ordinary volume',
    pod({
      volumes: [
        { name: 'a', configMap: { name: 'settings' } },
        { name: 'b', secret: { secretName: 'keys' } },
        { name: 'c', emptyDir: {} },
        { name: 'd', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
        { name: 'e', projected: { sources: [{ secret: { name: 'keys' } }, { configMap: { name: 'settings' } }] } },
        { name: 'f', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'g', ephemeral: { volumeClaimTemplate: { spec: claimSpec() } } },
      ],
    }),
  ),
  fine(
    'a pod that waits out troubles of its node',
    pod({ tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }] }),
  ),
  fine('a ReplicaSet’s pod', owned(pod(), 'ReplicaSet', 'web'), { by: 'replicaset' }),
  fine('a ReplicaSet’s pod, by a manager with one account', owned(pod(), 'ReplicaSet', 'web'), { by: 'single-manager' }),
  fine(
    'a Job’s pod',
    owned(pod({ restartPolicy: 'Never' }, { labels: { ...OURS, 'job-name': 'web', 'batch.kubernetes.io/job-name': 'web' } }), 'Job', 'web'),
    { by: 'job' },
  ),
  fine('a CronJob’s Job', owned(workload('Job'), 'CronJob', 'web'), { by: 'cronjob' }),
  fine('a StatefulSet’s pod', owned(pod({}, { labels: { ...OURS, 'apps.kubernetes.io/pod-index': '0' } }), 'StatefulSet', 'web'), {
    by: 'statefulset',
  }),
  fine('a StatefulSet’s claim', claim(), { by: 'statefulset' }),
  fine('a StatefulSet’s claim, with the host’s default class filled in', claim({ storageClassName: 'standard' }), { by: 'statefulset' }),
  fine('a claim from Git, with the host’s default class filled in', claim({ storageClassName: 'standard' }), { by: 'argocd' }),
  fine('a DaemonSet', workload('DaemonSet'), { profile: 'edge' }),
  fine('a DaemonSet’s pod', owned(pod({ affinity: structuredClone(AFFINITY), tolerations: DAEMON_TOLERATIONS }), 'DaemonSet', 'web'), {
    profile: 'edge',
    by: 'daemonset',
  }),
  fine('a sandboxed pod', pod({ runtimeClassName: 'kata-qemu' }), { profile: 'sandboxed' }),
  fine('a pod in a user namespace of its own', pod({ hostUsers: false }), { profile: 'apart' }),
  fine('a pod of the node pool', pod({ tolerations: [{ ...POOL }] }), { profile: 'edge' }),
  fine('a pod on its tenant’s own nodes', pod({ nodeSelector: { ...POOLED.nodeSelector } }), { profile: 'pooled' }),
  fine('a ReplicaSet’s pod on its tenant’s own nodes', owned(pod({ nodeSelector: { ...POOLED.nodeSelector } }), 'ReplicaSet', 'web'), {
    profile: 'pooled',
    by: 'replicaset',
  }),
  fine('the template of a pod that chooses no node', workload('Deployment'), { profile: 'pooled' }),
  fine(
    'allowed tolerations',
    pod({
      tolerations: [
        { key: 'dedicated', value: 'edge', effect: 'NoSchedule' },
        { key: 'spot', operator: 'Exists' },
        { key: 'spot', value: 'a', effect: 'NoExecute' },
      ],
    }),
    { profile: 'edge' },
  ),
  fine('an allowed priority class', pod({ priorityClassName: 'batch' }), { profile: 'edge' }),
  fine('an allowed CSI driver', pod({ volumes: [{ name: 'v', csi: { driver: 'files.csi.example.com' } }] }), { profile: 'edge' }),
  fine('an allowed image volume', pod({ volumes: [{ name: 'v', image: { reference: 'registry.example/data:1' } }] }), {
    profile: 'edge',
    since: 36,
  }),
  fine('a debugger in a pod of the tenant’s', pod({ ephemeralContainers: [container({ name: 'debug' })] }), {
    operation: 'UPDATE',
    subresource: 'ephemeralcontainers',
    before: pod(),
  }),
  fine(
    'a kubelet reports on a pod',
    { ...DNS_POD, status: { phase: 'Running' } },
    { operation: 'UPDATE', subresource: 'status', before: DNS_POD, by: 'kubelet' },
  ),
  fine('a pod of our DNS, by its ReplicaSet', owned(DNS_POD, 'ReplicaSet', 'tenantplane-dns-abc'), { by: 'replicaset' }),
  fine('a pod of our DNS is deleted by its ReplicaSet', DNS_POD, { operation: 'DELETE', before: DNS_POD, by: 'replicaset' }),
  fine('a pod of the tenant’s is evicted', EVICTION, { subresource: 'eviction' }),
  fine('a node is drained, by an administrator', DNS_EVICTION, { subresource: 'eviction', by: 'administrator' }),
  fine('a name that only begins like ours', configMap({ name: 'tenantplanet' })),
  fine('our DNS, by delivery', workload('Deployment', {}, 'tenantplane-dns', { 'tenantplane.io/role': 'dns' }), { by: 'argocd' }),
  fine(
    'a projected ConfigMap, by delivery',
    configMap({ labels: { ...PROJECTED }, annotations: { 'argocd.argoproj.io/tracking-id': 'a:/ConfigMap:b/c' } }),
    { by: 'argocd' },
  ),
  fine('a projected ConfigMap is changed by a person', configMap({ labels: { ...PROJECTED } }, { a: 'c' }), {
    operation: 'UPDATE',
    before: configMap({ labels: { ...PROJECTED } }),
  }),
  fine(
    'a large object, applied on the client’s side',
    configMap({ annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'a'.repeat(60_000) } }),
  ),
  fine('a Secret that an operator makes of an ExternalSecret', owned(secret({}, { labels: { ...PROJECTED } }), 'ExternalSecret', 'keys'), {
    by: 'operator',
  }),
  fine(
    'an autoscaler scales a Deployment',
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 2 } },
    {
      operation: 'UPDATE',
      subresource: 'scale',
      before: workload('Deployment'),
      by: 'autoscaler',
    },
  ),
  fine('a Deployment rolls', workload('Deployment', { containers: [container({ image: 'registry.example/app:2' })] }), {
    operation: 'UPDATE',
    before: workload('Deployment'),
  }),
  fine('a ReplicaSet of a Deployment with our labels', owned(workload('ReplicaSet'), 'Deployment', 'web'), { by: 'deployment' }),
  fine('a Service', service()),
  fine('a headless Service', service({ clusterIP: 'None' })),
  fine('a name for a Service of the namespace', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'db' },
    spec: { type: 'ExternalName', externalName: 'web.team-dev.svc.cluster.local' },
  }),
  fine('a name for the tenant’s API', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'api' },
    spec: { type: 'ExternalName', externalName: 'dev-control-plane.cp-x-dev-x-team-dev.svc.cluster.local' },
  }),
  fine(
    'an allowed external name',
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'ext' },
      spec: { type: 'ExternalName', externalName: 'api.partner.example.com' },
    },
    { profile: 'edge' },
  ),
  fine('an allowed load balancer', service({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }), { profile: 'edge' }),
  fine(
    'an allowed Service without a selector',
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } },
    { profile: 'edge' },
  ),
  fine(
    'an EndpointSlice by its controller',
    owned(
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'web-abc', labels: { ...PROJECTED, 'kubernetes.io/service-name': 'web' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.5'] }],
        ports: [{ port: 80 }],
      },
      'Service',
      'web',
    ),
    { by: 'endpointslice' },
  ),
  fine('an allowed class', claim({ storageClassName: 'fast' }), { profile: 'edge' }),
  fine('a clone of a claim', claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'old' } })),
  // as the API server passes it on
  fine('a clone of a claim that names no group', claim({ dataSource: { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'old' } })),
  fine('a claim is bound', claim({ storageClassName: 'fast', volumeName: 'pv-1' }), {
    profile: 'edge',
    operation: 'UPDATE',
    before: claim({ storageClassName: 'fast' }),
    by: 'volume-binder',
  }),
  fine('a Secret', secret({ stringData: { a: 'b' } })),
  fine(
    'a policy that narrows',
    networkPolicy({ policyTypes: ['Ingress', 'Egress'], ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }] }] }),
  ),
  fine(
    'a policy of ours opens the internet, by delivery',
    networkPolicy(
      { policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] },
      { name: 'tenantplane-allow-egress-internet' },
    ),
    { by: 'argocd' },
  ),
  fine('a policy that admits everyone, where the profile leaves ingress open', networkPolicy({ policyTypes: ['Ingress'], ingress: [{}] }), {
    profile: 'baseline',
  }),
  fine('a pod at baseline without a security context', podWith({ securityContext: {} }), { profile: 'baseline' }),
  fine(
    'a namespace that is no tenant’s gets a label',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'host-test', labels: { team: 'b' } } },
    {
      by: 'namespace-editor',
      operation: 'UPDATE',
      before: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'host-test', labels: { team: 'a' } } },
    },
  ),
  fine(
    'a namespace that is no tenant’s chooses its Pod Security',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other-test', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
    { by: 'namespace-editor' },
  ),
];
