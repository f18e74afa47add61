import { describe } from 'vitest';
import { type Case, cases } from './case.ts';
import { deployment, pod, podWith } from './pods.ts';

/** Pods that would act as the node or read what is the host's. */
const NODE: readonly Case[] = [
  {
    id: 'T-P1 E1 S70',
    refs: 'CVE-2017-1002101, CVE-2021-25741, MTB-PL1-BC-HI-1',
    wrong: 'a pod mounts the disk of its node',
    input: pod('volumes:\n- {name: root, hostPath: {path: /}}'),
    refused: 'HostPathBlocked',
    pointer: 'spec.volumes[0].hostPath',
  },
  {
    id: 'T-P1 S70',
    refs: 'CVE-2017-1002101',
    wrong: 'the node’s disk opens to a pod because the level is the lowest',
    level: 'baseline',
    input: pod('volumes:\n- {name: root, hostPath: {path: /}}'),
    refused: 'HostPathBlocked',
  },
  {
    id: 'T-P1',
    refs: 'CVE-2017-1002101',
    wrong: 'a profile that leaves the control off opens the node’s disk',
    level: 'baseline',
    profile: '  controls: {blockHostPathVolumes: false}\n',
    input: pod('volumes:\n- {name: root, hostPath: {path: /}}'),
    refused: 'HostPathBlocked',
  },
  {
    id: 'T-P2 S70',
    refs: 'CVE-2019-5736, CVE-2024-21626, MTB-PL1-BC-CPI-5',
    wrong: 'a privileged container reaches the host',
    level: 'baseline',
    input: podWith('securityContext: {privileged: true}', 'containers', false),
    refused: 'PrivilegedBlocked',
    pointer: 'spec.containers[0].securityContext.privileged',
  },
  {
    id: 'T-P2 E2',
    refs: 'CVE-2019-5736, MTB-PL1-BC-CPI-5',
    wrong: 'only the ordinary containers are looked at, and an init container is privileged',
    level: 'baseline',
    input: podWith('securityContext: {privileged: true}', 'initContainers', false),
    refused: 'PrivilegedBlocked',
    pointer: 'spec.initContainers[0].securityContext.privileged',
  },
  {
    id: 'T-P2 T-P16',
    refs: 'CVE-2023-2727',
    wrong: 'an ephemeral container hides what the others may not ask for',
    level: 'baseline',
    input: podWith('securityContext: {privileged: true}', 'ephemeralContainers', false),
    refused: 'PrivilegedBlocked',
    pointer: 'spec.ephemeralContainers[0].securityContext.privileged',
  },
  {
    id: 'T-P2 E6',
    refs: 'PSS baseline, MTB-PL1-BC-CPI-3',
    wrong: 'a pod adds a capability that opens the network of the node',
    level: 'baseline',
    input: podWith('securityContext: {capabilities: {add: [NET_ADMIN]}}', 'containers', false),
    refused: 'PodSecurityViolation',
    says: /NET_ADMIN/,
  },
  {
    id: 'T-P2',
    refs: 'PSS baseline',
    wrong: '/proc is shown unmasked',
    level: 'baseline',
    input: podWith('securityContext: {procMount: Unmasked}', 'containers', false),
    refused: 'PodSecurityViolation',
    says: /procMount/,
  },
  {
    id: 'T-P2',
    refs: 'PSS baseline',
    wrong: 'a sysctl changes the node for everyone on it',
    level: 'baseline',
    input: pod('securityContext: {sysctls: [{name: kernel.msgmax, value: "65536"}]}'),
    refused: 'PodSecurityViolation',
    says: /kernel\.msgmax/,
  },
  {
    id: 'T-P2 E7',
    refs: 'PSS restricted, MTB-PL1-BC-CPI-4, MTB-PL1-BC-CPI-6',
    wrong: 'the first failing check hides the others, and a person fixes one at a time',
    input: podWith('command: [sleep]', 'containers', false),
    refused: 'PodSecurityViolation',
    says: /^(?=.*allowPrivilegeEscalation)(?=.*capabilities)(?=.*runAsNonRoot)/,
  },
  {
    id: 'T-P3 S70',
    refs: 'CVE-2020-15257, MTB-PL1-BC-HI-3',
    wrong: 'a pod shares the network of its node',
    level: 'baseline',
    input: pod('hostNetwork: true'),
    refused: 'HostNamespaceBlocked',
    pointer: 'spec.hostNetwork',
  },
  {
    id: 'T-P3',
    refs: 'MTB-PL1-BC-HI-5',
    wrong: 'a pod shares the IPC namespace of its node',
    level: 'baseline',
    input: pod('hostIPC: true'),
    refused: 'HostNamespaceBlocked',
    pointer: 'spec.hostIPC',
  },
  {
    id: 'T-K3 E4',
    refs: 'MTB-PL1-BC-HI-4',
    wrong: 'a workload’s template hides what a Pod may not ask for',
    level: 'baseline',
    input: deployment('hostPID: true'),
    refused: 'HostNamespaceBlocked',
    pointer: 'spec.template.spec.hostPID',
  },
  {
    id: 'T-K3',
    refs: 'PSS baseline',
    wrong: 'the template of a CronJob, four levels down, is not looked at',
    level: 'baseline',
    input: `apiVersion: batch/v1
kind: CronJob
metadata: {name: c}
spec:
  schedule: "@daily"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          hostPID: true
          containers: [{name: a, image: a:1}]
`,
    refused: 'HostNamespaceBlocked',
    pointer: 'spec.jobTemplate.spec.template.spec.hostPID',
  },
  {
    id: 'T-P3 E5',
    refs: 'MTB-PL1-BC-HI-3',
    wrong: 'a pod takes a port of its node',
    level: 'baseline',
    input: podWith('ports: [{containerPort: 80, hostPort: 80}]'),
    refused: 'HostPortBlocked',
    pointer: 'spec.containers[0].ports[0].hostPort',
  },
  {
    id: 'E5',
    refs: 'PSS baseline',
    wrong: 'a host port of 0, which is none, is refused',
    input: podWith('ports: [{containerPort: 80, hostPort: 0}]'),
    fields: { 'spec containers 0 ports 0 containerPort': 80 },
  },
  {
    id: 'T-P4 E24 S73',
    refs: 'MTB host isolation',
    wrong: 'a pod picks its node and goes past scheduler, taints and quota',
    input: pod('nodeName: cp-1'),
    refused: 'NodeNamePinned',
    pointer: 'spec.nodeName',
  },
  {
    id: 'T-P4 S73',
    refs: 'MTB host isolation',
    wrong: 'the node is pinned in a Deployment’s template',
    input: deployment('nodeName: cp-1'),
    refused: 'NodeNamePinned',
    pointer: 'spec.template.spec.nodeName',
  },
  {
    id: 'T-P21',
    refs: 'MTB host isolation',
    wrong: 'a scheduler of somebody’s own places the pod',
    input: pod('schedulerName: evil'),
    refused: 'SchedulerBlocked',
    pointer: 'spec.schedulerName',
  },
  {
    id: 'T-P21',
    refs: 'CVE-2025-4563',
    wrong: 'a device claim asks for administrative access to the node’s devices',
    input: pod('resourceClaims: [{name: gpu, resourceClaimName: admin}]'),
    refused: 'SchedulerBlocked',
    pointer: 'spec.resourceClaims',
  },
  {
    id: 'T-P21',
    refs: 'KEP-3521',
    wrong: 'a scheduling gate waits for a controller of the host',
    input: pod('schedulingGates: [{name: example.com/wait}]'),
    refused: 'SchedulerBlocked',
  },
  {
    id: 'T-P22',
    refs: 'KEP-4940',
    wrong: 'a probe makes the node call the cloud’s metadata service',
    level: 'baseline',
    config: { host: { version: '1.28' } },
    input: podWith('livenessProbe: {httpGet: {host: 169.254.169.254, port: 80, path: /}}'),
    refused: 'ProbeHostBlocked',
    pointer: 'spec.containers[0].livenessProbe.httpGet.host',
  },
  {
    id: 'T-P22',
    refs: 'KEP-4940',
    wrong: 'a lifecycle hook makes the node call an address of the tenant’s choice',
    level: 'baseline',
    config: { host: { version: '1.28' } },
    input: podWith('lifecycle: {preStop: {httpGet: {host: 169.254.169.254, port: 80}}}'),
    refused: 'ProbeHostBlocked',
  },
];

/** Volumes that read what is the host's, or a credential of the host. */
const VOLUMES: readonly Case[] = [
  {
    id: 'S1 S75 T-P7 E11',
    refs: 'vcluster#969, vcluster#1579, vcluster#3574, k3k#968',
    wrong: 'a token with an audience of the tenant’s choice is minted by the host',
    input: pod('volumes:\n- name: t\n  projected: {sources: [{serviceAccountToken: {audience: vault, expirationSeconds: 3600, path: t}}]}'),
    refused: 'ProjectedTokenBlocked',
    pointer: 'spec.volumes[0].projected.sources[0].serviceAccountToken',
    says: /issues its tokens/,
  },
  {
    id: 'T-P7',
    refs: 'KEP-3257, KEP-4317',
    wrong: 'a trust bundle or certificate of the host is projected',
    input: pod(
      'volumes:\n- name: t\n  projected:\n    sources:\n    - clusterTrustBundle: {name: host, path: ca}\n    - podCertificate: {signerName: a/b, keyType: ED25519}',
    ),
    refused: 'ProjectedTokenBlocked',
  },
  ...(
    [
      ['an inline CSI volume names any driver of the host', 'csi', '{driver: secrets-store.csi.k8s.io}', 'T-P12 E22', 'CVE-2025-13281'],
      [
        'a volume clones a repository as root on the node',
        'gitRepo',
        '{repository: "https://example.com/a.git"}',
        'T-P13',
        'CVE-2024-10220, CVE-2025-1767',
      ],
      ['a pod mounts a file server that only nodes should reach', 'nfs', '{server: 10.0.0.1, path: /}', 'T-P12', 'CVE-2020-8555'],
      [
        'a pod names a target of the storage network',
        'iscsi',
        '{targetPortal: "10.0.0.1:3260", iqn: iqn.2001-04.com.example, lun: 0}',
        'T-P12',
        'CVE-2020-8555',
      ],
      ['a driver’s program runs on the node', 'flexVolume', '{driver: example.com/any}', 'T-P12', 'CVE-2020-8555'],
      ['a share is opened with a Secret of another namespace', 'azureFile', '{secretName: admin, shareName: s}', 'T-P12', 'CVE-2025-13281'],
      ['a cluster’s own storage is mounted directly', 'cephfs', '{monitors: ["10.0.0.1:6789"]}', 'T-P12', 'CVE-2020-8555'],
      ['a volume of another is attached by its id', 'portworxVolume', '{volumeID: other}', 'T-P12', 'CVE-2025-13281'],
    ] as const
  ).map(
    ([wrong, type, source, id, refs]): Case => ({
      id,
      refs,
      wrong,
      input: pod(`volumes:\n- {name: v, ${type}: ${source}}`),
      refused: 'VolumeTypeBlocked',
      pointer: `spec.volumes[0].${type}`,
    }),
  ),
  {
    id: 'T-P12',
    refs: 'KEP-4639',
    wrong: 'an image is mounted as a volume where nobody allowed it',
    input: pod('volumes:\n- {name: v, image: {reference: "registry.example/data:1"}}'),
    refused: 'ImageVolumeBlocked',
  },
  {
    id: 'T-P12',
    refs: 'CVE-2025-13281',
    wrong: 'the claim inside an ephemeral volume escapes the rules for claims',
    input: pod(
      'volumes:\n- name: v\n  ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], storageClassName: host-fast, volumeName: pv-of-other, resources: {requests: {storage: 1Gi}}}}}',
    ),
    refused: ['VolumeNamePinned', 'StorageClassBlocked'],
  },
  {
    id: 'E6',
    refs: 'PSS restricted',
    wrong: 'the one capability that restricted leaves open is refused',
    input: podWith(
      'securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}',
      'containers',
      false,
    ),
    fields: { 'spec containers 0 securityContext capabilities': { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } },
  },
];

describe('a pod that would act as its node', () => cases(NODE));
describe('a pod that would read what is the host’s', () => cases(VOLUMES));
