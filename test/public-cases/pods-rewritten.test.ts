import { describe, expect, it } from 'vitest';
import { type Case, cases, decisionOf, hostObject, planCase, valueAt } from './case.ts';
import { configMap, deployment, pod, podWith, service } from './pods.ts';

const SERVER = '  networking: {dns: server, dnsServiceIP: 10.96.5.5, egressPolicy: allow-same-tenant}\n';
const HOST = { host: { version: '1.34', serviceCIDRs: ['10.96.0.0/16'] } };

const CREDENTIALS: readonly Case[] = [
  {
    id: 'T-P5 E9',
    refs: 'CIS 5.1.5, CIS 5.1.6',
    wrong: 'a pod that says nothing gets a token of the host’s API',
    input: pod(),
    fields: {
      'spec automountServiceAccountToken': false,
      'spec serviceAccountName': 'tenantplane-workload',
      'metadata labels': {
        'app.kubernetes.io/managed-by': 'tenantplane',
        'tenantplane.io/kind': 'pod',
        'tenantplane.io/tenant': 'dev',
        'tenantplane.io/virtual-namespace': 'default',
      },
    },
  },
  {
    id: 'T-P6 E10',
    refs: 'CVE-2022-46167',
    wrong: 'a pod runs as an account of the host that the tenant only knows the name of',
    input: pod(
      'serviceAccountName: argocd-application-controller\nserviceAccount: argocd-application-controller\nautomountServiceAccountToken: true',
    ),
    fields: {
      'spec serviceAccountName': 'tenantplane-workload',
      'spec serviceAccount': undefined,
      'spec automountServiceAccountToken': false,
    },
    notes: ['NoApiCredentials'],
  },
  {
    id: 'T-P10 S72',
    refs: 'CVE-2024-3177, CVE-2023-2728',
    wrong: 'a pod reads a Secret of the host by a name that means something there',
    input: podWith('envFrom:\n- secretRef: {name: dev-control-plane-kubeconfig}'),
    fields: { 'spec containers 0 envFrom 0 secretRef name': 'dev-control-plane-kubeconfig-x-default-x-dev' },
    notes: ['ReferenceUnresolved'],
  },
  {
    id: 'T-P11',
    refs: 'MTB-PL1-CC-DI-1',
    wrong: 'a pod pulls with the registry credentials of somebody else',
    input: pod('imagePullSecrets: [{name: registry-admin}]'),
    fields: { 'spec imagePullSecrets': [{ name: 'registry-admin-x-default-x-dev' }] },
  },
  {
    id: 'E17',
    refs: 'vcluster translates env of init and ordinary containers only',
    wrong: 'one of the places that name a ConfigMap is forgotten',
    input: pod(
      `volumes:
- {name: a, configMap: {name: cfg}}
- {name: b, projected: {sources: [{configMap: {name: cfg}}]}}
initContainers:
- name: init
  image: i:1
  securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}}
  env: [{name: A, valueFrom: {configMapKeyRef: {name: cfg, key: a}}}]
  envFrom: [{configMapRef: {name: cfg}}]`,
    ),
    beside: configMap('cfg'),
    fields: {
      'spec volumes 0 configMap name': 'cfg-x-default-x-dev',
      'spec volumes 1 projected sources 0 configMap name': 'cfg-x-default-x-dev',
      'spec initContainers 0 envFrom 0 configMapRef name': 'cfg-x-default-x-dev',
      'spec initContainers 0 env 3 valueFrom configMapKeyRef name': 'cfg-x-default-x-dev',
    },
  },
];

const SCHEDULING: readonly Case[] = [
  {
    id: 'S27 T-P17 E26',
    refs: 'vcluster#22, vcluster#1718, k3k#182',
    wrong: 'the class goes but its integer and preemption policy stay, and the host’s admission refuses the pod',
    input: pod('priorityClassName: system-node-critical\npriority: 2000000000\npreemptionPolicy: PreemptLowerPriority'),
    fields: { 'spec priorityClassName': undefined, 'spec priority': undefined, 'spec preemptionPolicy': undefined },
    notes: ['PriorityDropped'],
  },
  {
    id: 'S27',
    refs: 'vcluster#1718',
    wrong: 'an allowed class is handed on together with an integer of the tenant’s own',
    profile: '  allow: {priorityClasses: [tenant-high]}\n',
    input: pod('priorityClassName: tenant-high\npriority: 1000'),
    fields: { 'spec priorityClassName': 'tenant-high', 'spec priority': undefined },
  },
  {
    id: 'T-P18 E27',
    refs: 'sandbox escape by choosing the ordinary runtime',
    wrong: 'a tenant leaves its sandbox by naming another runtime class',
    level: 'sandboxed',
    input: pod('runtimeClassName: runc'),
    fields: { 'spec runtimeClassName': 'kata-qemu' },
    notes: ['RuntimeClassForced'],
    says: /kata-qemu; the tenant asked for runc/,
  },
  {
    id: 'T-P19',
    refs: 'kyverno restrict-controlplane-scheduling',
    wrong: 'a toleration of everything lets pods onto the control plane’s nodes',
    input: pod('tolerations:\n- {operator: Exists}\n- {key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}'),
    fields: { 'spec tolerations': undefined },
    notes: ['TolerationDropped'],
  },
  {
    id: 'S39 T-P19',
    refs: 'vcluster PR#3627',
    wrong: 'a toleration that the platform allows does not arrive',
    profile: '  allow: {tolerations: [{key: gpu, effect: NoSchedule}]}\n',
    input: pod('tolerations:\n- {key: gpu, value: a, effect: NoSchedule}\n- {key: other, operator: Exists}'),
    fields: { 'spec tolerations': [{ key: 'gpu', value: 'a', effect: 'NoSchedule' }] },
    notes: ['TolerationDropped'],
  },
  {
    id: 'T-P20',
    refs: 'ResourceQuota scope CrossNamespacePodAffinity',
    wrong: 'anti-affinity to all namespaces keeps other tenants off the nodes',
    input: pod(
      'affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {}, namespaceSelector: {}}]}}',
    ),
    fields: {
      'spec affinity podAntiAffinity requiredDuringSchedulingIgnoredDuringExecution 0 labelSelector': {
        matchLabels: { 'tenantplane.io/tenant': 'dev' },
      },
      'spec affinity podAntiAffinity requiredDuringSchedulingIgnoredDuringExecution 0 namespaceSelector': undefined,
    },
  },
  {
    id: 'T-P20',
    refs: 'vcluster and k3k pass topologySpreadConstraints on',
    wrong: 'spreading counts the pods of other tenants',
    input: pod(
      'topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]',
    ),
    fields: {
      'spec topologySpreadConstraints 0 labelSelector matchLabels': {
        app: 'web',
        'tenantplane.io/tenant': 'dev',
        'tenantplane.io/virtual-namespace': 'default',
      },
    },
  },
];

const VIEW: readonly Case[] = [
  {
    id: 'S5 T-P23',
    refs: 'vcluster#1120, vcluster PR#4105, k3k#354',
    wrong: 'the resolver options and name servers that a pod asks for are lost',
    spec: SERVER,
    config: HOST,
    input: pod(
      'dnsPolicy: ClusterFirst\ndnsConfig: {nameservers: [1.1.1.1], options: [{name: ndots, value: "2"}, {name: single-request-reopen}]}',
    ),
    fields: {
      'spec dnsPolicy': 'None',
      'spec dnsConfig': {
        nameservers: ['10.96.5.5', '1.1.1.1'],
        searches: ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'],
        options: [{ name: 'ndots', value: '2' }, { name: 'single-request-reopen' }],
      },
    },
  },
  {
    id: 'S5',
    refs: 'vcluster#1120',
    wrong: 'a pod with three name servers gets a fourth, and the host refuses it',
    spec: SERVER,
    config: HOST,
    input: pod('dnsConfig: {nameservers: [1.1.1.1, 8.8.8.8, 9.9.9.9]}'),
    fields: { 'spec dnsConfig nameservers': ['10.96.5.5', '1.1.1.1', '8.8.8.8'] },
  },
  {
    id: 'S5',
    refs: 'k3k#354',
    wrong: 'a pod that chose the node’s resolver is moved to the cluster’s',
    spec: SERVER,
    config: HOST,
    input: pod('dnsPolicy: Default'),
    fields: { 'spec dnsPolicy': 'Default', 'spec dnsConfig': undefined },
  },
  {
    id: 'T-P23',
    refs: 'hosts file entries are the pod’s own',
    wrong: 'host aliases, which only the pod sees, are taken away',
    input: pod('hostAliases: [{ip: 10.1.2.3, hostnames: [db.example.com]}]'),
    fields: { 'spec hostAliases': [{ ip: '10.1.2.3', hostnames: ['db.example.com'] }] },
  },
  {
    id: 'S55 T-P24',
    refs: 'cluster-api-provider-nested#297, multi-tenancy PR#288',
    wrong: 'environment from labels, annotations and the namespace shows the host’s names',
    profile: '  allow: {annotations: [example.com/team]}\n',
    input: `apiVersion: v1
kind: Pod
metadata: {name: p, labels: {app.kubernetes.io/instance: blue}, annotations: {example.com/team: red}}
spec:
  containers:
  - name: app
    image: a:1
    securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}}
    env:
    - {name: NS, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
    - {name: TEAM, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['example.com/team']"}}}
    - {name: RELEASE, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app.kubernetes.io/instance']"}}}
`,
    fields: {
      'spec containers 0 env 3 valueFrom fieldRef fieldPath': "metadata.labels['tenantplane.io/virtual-namespace']",
      'spec containers 0 env 4 valueFrom fieldRef fieldPath': "metadata.annotations['example.com/team']",
      'metadata annotations example.com/team': 'red',
      'spec containers 0 env 5 valueFrom fieldRef fieldPath': "metadata.labels['t.tenantplane.io/app.kubernetes.io_instance']",
      'metadata labels t.tenantplane.io/app.kubernetes.io_instance': 'blue',
    },
  },
  {
    id: 'S55 T-P24',
    refs: 'vcluster translateFieldRef, k3k provider',
    wrong: 'a pod’s own name and account in its environment are the host’s',
    input: podWith(
      'env:\n- {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}\n- {name: SA, valueFrom: {fieldRef: {fieldPath: spec.serviceAccountName}}}',
    ),
    fields: {
      'spec containers 0 env 3 valueFrom fieldRef fieldPath': "metadata.annotations['tenantplane.io/virtual-name']",
      'metadata annotations tenantplane.io/virtual-name': 'p',
      'spec containers 0 env 4 value': 'default',
    },
  },
  {
    id: 'T-P24',
    refs: 'internal annotations of a syncer',
    wrong: 'a pod reads annotations that only the host’s object has',
    input: podWith(`env: [{name: TC, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['tenantplane.io/tenant-cluster']"}}}]`),
    fields: { 'spec containers 0 env 3 valueFrom': undefined, 'spec containers 0 env 3 value': '' },
  },
  {
    id: 'T-P20',
    refs: 'kubernetes matchLabelKeys, vcluster#3684',
    wrong: 'keys that spreading compares by are not those under which the labels stand',
    input: deployment(
      'topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [pod-template-hash, app.kubernetes.io/instance]}]',
      'app: web, app.kubernetes.io/instance: a',
    ),
    fields: {
      'spec template spec topologySpreadConstraints 0 matchLabelKeys': ['pod-template-hash', 't.tenantplane.io/app.kubernetes.io_instance'],
    },
  },
  {
    id: 'S59',
    refs: 'vcluster PR#3357',
    wrong: 'the API that a client library finds in its environment is the host’s',
    input: podWith('command: [app]'),
    fields: {
      'spec containers 0 env': [
        { name: 'KUBERNETES_SERVICE_HOST', value: expect.stringMatching(/^dev\S*\.\S+\.svc\.cluster\.local$/) },
        { name: 'KUBERNETES_SERVICE_PORT', value: '6443' },
        { name: 'KUBERNETES_SERVICE_PORT_HTTPS', value: '6443' },
      ],
      'spec enableServiceLinks': false,
    },
  },
  {
    id: 'S56',
    refs: 'vcluster#3267',
    wrong: 'a host whose domain is not cluster.local gets names that do not resolve there',
    config: { host: { clusterDomain: 'corp.local' } },
    input: pod(),
    fields: { 'spec containers 0 env 0 value': expect.stringMatching(/\.svc\.corp\.local$/) },
  },
  {
    id: 'S28',
    refs: 'vcluster#619, cluster-api-provider-nested#281',
    wrong: 'readiness gates are lost, so conditions of the tenant’s controllers count for nothing',
    input: pod('readinessGates: [{conditionType: custom.io/ready}]'),
    fields: { 'spec readinessGates': [{ conditionType: 'custom.io/ready' }] },
  },
  {
    id: 'T-P16 S21',
    refs: 'vcluster#585, vcluster#2073',
    wrong: 'a manifest read from a running pod brings its debug container along, which no create accepts',
    input: podWith('image: busybox', 'ephemeralContainers').replace(
      '    image: registry.example/app:1\n    securityContext',
      '    securityContext',
    ),
    fields: { 'spec ephemeralContainers': undefined },
    notes: ['EphemeralContainersDropped'],
  },
  {
    id: 'S61',
    refs: 'vcluster#273',
    wrong: 'owner references of another API server reach the host, and garbage collection or a drain acts on them',
    input: pod('', 'p', 'ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, uid: a-b, controller: true}]'),
    fields: { 'metadata ownerReferences': undefined },
  },
  {
    id: 'MTB-DI-1',
    refs: 'MTB-PL1-CC-DI-1',
    wrong: 'a pull policy that the tenant set is changed without a word',
    input: pod().replace('image: registry.example/app:1', 'image: registry.example/app:1, imagePullPolicy: Always'),
    fields: { 'spec containers 0 imagePullPolicy': 'Always' },
  },
];

describe('a pod gets no credential of the host', () => {
  cases(CREDENTIALS);

  it('E10 CIS 5.1.6: the decision says both that the account was replaced and that the token is off', () => {
    const row = { id: '', refs: '', wrong: '', input: pod('serviceAccountName: default\nautomountServiceAccountToken: true') };
    const fields = decisionOf(planCase(row))?.fields.filter(({ rule }) => rule === 'rw.service-account');
    expect(fields?.map(({ path, before, after }) => [path.join('.'), before, after])).toEqual([
      ['spec.serviceAccountName', 'default', 'tenantplane-workload'],
      ['spec.automountServiceAccountToken', true, false],
    ]);
  });
});
describe('a pod is scheduled by the host’s rules', () => cases(SCHEDULING));
describe('a pod sees the tenant’s world', () => cases(VIEW));

describe('pods of one application find each other', () => {
  it('S19 vcluster#2887, vcluster#2353, vcluster#2368, k3k#592: labels of pods and selectors of Services are translated by different rules, so a Service has no endpoints', () => {
    for (const labels of [
      'app: web',
      'app.kubernetes.io/instance: web',
      'app.kubernetes.io/managed-by: Helm, helm.sh/chart: web-1.0',
      'argocd.argoproj.io/instance: web',
    ]) {
      const row = { id: '', refs: '', wrong: '' };
      const selector = valueAt(
        hostObject(planCase({ ...row, input: service(`selector: {${labels}}\nports: [{port: 80}]`) })),
        'spec selector',
      );
      const workload = hostObject(planCase({ ...row, input: deployment('', labels) }));
      expect(selector).toMatchObject({ 'tenantplane.io/tenant': 'dev' });
      expect(valueAt(workload, 'spec template metadata labels')).toMatchObject(selector as object);
      expect(valueAt(workload, 'spec template metadata labels')).toMatchObject(valueAt(workload, 'spec selector matchLabels') as object);
    }
  });
});
