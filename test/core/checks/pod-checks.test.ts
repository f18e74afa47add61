import { describe, expect, it } from 'vitest';
import { fill, reasonOf } from '../../../src/core/decision/reasons.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { dotted } from '../../../src/core/kube/pointer.ts';
import type { Refusal } from '../../../src/core/translate/edit.ts';
import { testContext } from '../context.ts';
import { container, pod, podSpec, reasonsOf, refusalsOf, SAFE, WORKLOADS, workload } from '../pods.ts';

const restricted = testContext();
const baseline = testContext({
  profile: { level: 'baseline', name: 'base', podSecurity: 'baseline', blockHostPath: false, blockPrivileged: false },
});
const sandboxed = testContext({ profile: { level: 'sandboxed', runtimeClassName: 'kata-qemu' } });
const LEVELS = [baseline, restricted, sandboxed] as const;
const LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;

const CLAIM: JsonObject = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volume = (source: JsonObject): JsonObject => podSpec({ volumes: [{ name: 'v', ...source }] });
const inList = (list: string, fields: JsonObject): JsonObject => {
  const item = container({ name: 'odd', ...fields });
  return list === 'containers' ? { containers: [item] } : podSpec({ [list]: [item] });
};
const sentence = (refusal: Refusal | undefined): string =>
  refusal === undefined ? '' : fill(reasonOf(refusal.reason).message, refusal.params);

/** id, what goes wrong, the pod spec, the reason that decides, the path that it names. Every row holds at every level. */
const FORBIDDEN: readonly (readonly [string, string, JsonObject, string, string])[] = [
  ['P1', 'the disk of the node', volume({ hostPath: { path: '/' } }), 'HostPathBlocked', 'spec.volumes[0].hostPath'],
  ['P1', 'the disk of the node, as an empty object', volume({ hostPath: {} }), 'HostPathBlocked', 'spec.volumes[0].hostPath'],
  ...LISTS.map(
    (list) =>
      [
        'P2',
        `privileged in ${list}`,
        inList(list, { securityContext: { ...SAFE, privileged: true } }),
        'PrivilegedBlocked',
        `spec.${list}[0].securityContext.privileged`,
      ] as const,
  ),
  ['P3', 'the network of the node', podSpec({ hostNetwork: true }), 'HostNamespaceBlocked', 'spec.hostNetwork'],
  ['P3', 'the processes of the node', podSpec({ hostPID: true }), 'HostNamespaceBlocked', 'spec.hostPID'],
  ['P3', 'the memory of the node', podSpec({ hostIPC: true }), 'HostNamespaceBlocked', 'spec.hostIPC'],
  ...LISTS.map(
    (list) =>
      [
        'P3',
        `a port of the node in ${list}`,
        inList(list, { ports: [{ containerPort: 80, hostPort: 80 }] }),
        'HostPortBlocked',
        `spec.${list}[0].ports[0].hostPort`,
      ] as const,
  ),
  ['P4', 'a node by name', podSpec({ nodeName: 'cp-1' }), 'NodeNamePinned', 'spec.nodeName'],
  [
    'P7',
    'a token of the host',
    volume({ projected: { sources: [{ configMap: { name: 'c' } }, { serviceAccountToken: { audience: 'vault', path: 't' } }] } }),
    'ProjectedTokenBlocked',
    'spec.volumes[0].projected.sources[1].serviceAccountToken',
  ],
  [
    'P14',
    'a trust bundle',
    volume({ projected: { sources: [{ clusterTrustBundle: { path: 'c' } }] } }),
    'ProjectedTokenBlocked',
    'spec.volumes[0].projected.sources[0].clusterTrustBundle',
  ],
  [
    'P14',
    'a certificate',
    volume({ projected: { sources: [{ podCertificate: { signerName: 'a/b' } }] } }),
    'ProjectedTokenBlocked',
    'spec.volumes[0].projected.sources[0].podCertificate',
  ],
  [
    'P12',
    'a CSI driver that nobody allowed',
    volume({ csi: { driver: 'secrets-store.csi.k8s.io' } }),
    'VolumeTypeBlocked',
    'spec.volumes[0].csi',
  ],
  ['P12', 'an image as a volume', volume({ image: { reference: 'a:1' } }), 'ImageVolumeBlocked', 'spec.volumes[0].image'],
  ...(
    [
      'nfs',
      'iscsi',
      'cephfs',
      'rbd',
      'glusterfs',
      'flexVolume',
      'azureFile',
      'portworxVolume',
      'fc',
      'cinder',
      'scaleIO',
      'storageos',
      'quobyte',
      'flocker',
      'vsphereVolume',
      'awsElasticBlockStore',
      'gcePersistentDisk',
      'azureDisk',
      'photonPersistentDisk',
    ] as const
  ).map((type) => ['P12', `a volume of type ${type}`, volume({ [type]: {} }), 'VolumeTypeBlocked', `spec.volumes[0].${type}`] as const),
  [
    'P13',
    'a repository cloned by the node',
    volume({ gitRepo: { repository: 'https://example.com/a' } }),
    'VolumeTypeBlocked',
    'spec.volumes[0].gitRepo',
  ],
  [
    'P14',
    'an ephemeral volume that names a volume of the host',
    volume({ ephemeral: { volumeClaimTemplate: { spec: { ...CLAIM, volumeName: 'pv-of-other' } } } }),
    'VolumeNamePinned',
    'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.volumeName',
  ],
  [
    'P14',
    'an ephemeral volume of a foreign class',
    volume({ ephemeral: { volumeClaimTemplate: { spec: { ...CLAIM, storageClassName: 'gold' } } } }),
    'StorageClassBlocked',
    'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.storageClassName',
  ],
  ['P21', 'a scheduler of its own', podSpec({ schedulerName: 'evil' }), 'SchedulerBlocked', 'spec.schedulerName'],
  ['P21', 'a gate that somebody must lift', podSpec({ schedulingGates: [{ name: 'a/b' }] }), 'SchedulerBlocked', 'spec.schedulingGates'],
  ['P21', 'a device', podSpec({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }), 'SchedulerBlocked', 'spec.resourceClaims'],
  ['P21', 'a group of pods', podSpec({ workloadRef: { name: 'w' } }), 'SchedulerBlocked', 'spec.workloadRef'],
  ['P21', 'a scheduling group', podSpec({ schedulingGroup: { podGroupName: 'w' } }), 'SchedulerBlocked', 'spec.schedulingGroup'],
  ...(['livenessProbe', 'readinessProbe', 'startupProbe'] as const).flatMap((probe) =>
    (['httpGet', 'tcpSocket'] as const).map(
      (handler) =>
        [
          'P22',
          `a ${probe} by ${handler} that the node makes to another host`,
          inList('containers', { [probe]: { [handler]: { port: 80, host: '169.254.169.254' } } }),
          'ProbeHostBlocked',
          `spec.containers[0].${probe}.${handler}.host`,
        ] as const,
    ),
  ),
  ...(['postStart', 'preStop'] as const).flatMap((hook) =>
    LISTS.map(
      (list) =>
        [
          'P22',
          `a ${hook} hook in ${list} that the node makes to another host`,
          inList(list, {
            ...(list === 'initContainers' && { restartPolicy: 'Always' }),
            lifecycle: { [hook]: { httpGet: { port: 80, host: 'metadata' } } },
          }),
          'ProbeHostBlocked',
          `spec.${list}[0].lifecycle.${hook}.httpGet.host`,
        ] as const,
    ),
  ),
];

describe('a pod that asks for a part of the node', () => {
  for (const [id, title, spec, reason, path] of FORBIDDEN)
    it(`${id}: ${title}`, () => {
      for (const ctx of LEVELS) {
        const [first] = refusalsOf(pod(spec), ctx);
        expect(first?.reason).toBe(reason);
        expect(dotted(first?.path ?? [])).toBe(path);
        expect(sentence(first)).not.toMatch(/\{\w+\}/);
      }
    });

  it('K3: is found in every kind that holds a template, whole object refused', () => {
    for (const kind of WORKLOADS) {
      const [first] = refusalsOf(workload(kind, podSpec({ hostPID: true })), restricted);
      expect({ kind, reason: first?.reason }).toEqual({ kind, reason: 'HostNamespaceBlocked' });
      expect(dotted(first?.path ?? [])).toMatch(/template\.spec\.hostPID$/);
    }
  });

  it('names the control that forbids it', () => {
    const spec = { containers: [container({ securityContext: { privileged: true } })], volumes: [{ name: 'v', hostPath: { path: '/' } }] };
    const controls = (ctx: typeof baseline) =>
      refusalsOf(pod(spec), ctx)
        .slice(0, 2)
        .map(({ params }) => params['control']);
    expect(controls(restricted)).toEqual([
      'controls.blockHostPathVolumes of IsolationProfile restricted',
      'controls.blockPrivilegedContainers of IsolationProfile restricted',
    ]);
    expect(controls(baseline)).toEqual(['Pod Security baseline', 'Pod Security baseline']);
  });

  it('gets every reason at once, not the first only', () => {
    const spec = podSpec({ hostPID: true, hostIPC: true, nodeName: 'n', volumes: [{ name: 'v', hostPath: { path: '/' } }] });
    expect(reasonsOf(pod(spec), restricted)).toEqual(['HostPathBlocked', 'HostNamespaceBlocked', 'HostNamespaceBlocked', 'NodeNamePinned']);
  });
});

/** What looks like one of the above and is allowed. */
const ALLOWED: readonly (readonly [string, JsonObject])[] = [
  ['a host port of 0, which is none', inList('containers', { ports: [{ containerPort: 80, hostPort: 0 }] })],
  ['privileged false', inList('containers', { securityContext: { ...SAFE, privileged: false } })],
  ['namespaces of the node that are not shared', podSpec({ hostNetwork: false, hostPID: false, hostIPC: false })],
  ['nulls, which are nothing to the API server', podSpec({ hostNetwork: null, nodeName: null, volumes: null, initContainers: null })],
  ['a volume that is null of a bad type', volume({ hostPath: null, emptyDir: {} })],
  ['a volume without a type, which is an emptyDir', volume({})],
  ['an empty node name', podSpec({ nodeName: '' })],
  ['the default scheduler by name', podSpec({ schedulerName: 'default-scheduler' })],
  ['an empty list of gates', podSpec({ schedulingGates: [] })],
  ['a probe of the pod itself', inList('containers', { livenessProbe: { httpGet: { port: 'http', host: '' } } })],
  [
    'a Host header, which the pod answers',
    inList('containers', { livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'Host', value: 'a' }] } } }),
  ],
  [
    'volumes of every ordinary type',
    podSpec({
      volumes: [
        { name: 'a', configMap: { name: 'c' } },
        { name: 'b', secret: { secretName: 's' } },
        { name: 'c', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
        { name: 'd', downwardAPI: { items: [] } },
        { name: 'e', projected: { sources: [{ configMap: { name: 'c' } }, { secret: { name: 's' } }, { downwardAPI: { items: [] } }] } },
        { name: 'f', persistentVolumeClaim: { claimName: 'data' } },
        {
          name: 'g',
          ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
        },
      ],
    }),
  ],
  ['host aliases', podSpec({ hostAliases: [{ ip: '10.0.0.1', hostnames: ['a.example.com'] }] })],
  ['a shared process namespace of the pod', podSpec({ shareProcessNamespace: true })],
];

describe('a pod that asks for nothing of the node', () => {
  for (const [title, spec] of ALLOWED)
    it(`passes: ${title}`, () => {
      for (const ctx of [baseline, restricted]) expect(refusalsOf(pod(spec), ctx)).toEqual([]);
    });

  it('may use what the profile opts in to', () => {
    const ctx = testContext({ allow: { csiDrivers: ['a.csi'], imageVolumes: true, storageClasses: ['gold'] } });
    for (const source of [
      { csi: { driver: 'a.csi' } },
      { image: { reference: 'a:1' } },
      { ephemeral: { volumeClaimTemplate: { spec: { ...CLAIM, storageClassName: 'gold' } } } },
    ])
      expect(refusalsOf(pod(volume(source)), ctx)).toEqual([]);
    expect(reasonsOf(pod(volume({ csi: { driver: 'b.csi' } })), ctx)).toEqual(['VolumeTypeBlocked']);
  });
});

describe('a pod spec of the wrong shape', () => {
  const rows: readonly (readonly [string, JsonObject, string, string, string])[] = [
    ['containers that are no list', { containers: { name: 'a' } }, 'spec.containers', 'an object', 'a list'],
    ['containers that are missing', {}, 'spec.containers', 'missing', 'a list with at least one container'],
    ['containers that are empty', { containers: [] }, 'spec.containers', 'missing', 'a list with at least one container'],
    ['a container that is a string', { containers: ['a'] }, 'spec.containers[0]', 'a string', 'an object (Container)'],
    ['a container that is null', { containers: [null] }, 'spec.containers[0]', 'null', 'an item'],
    ['a container without a name', { containers: [{ image: 'a' }] }, 'spec.containers[0].name', 'missing', 'the name of a container'],
    [
      'privileged as text',
      podSpec({ containers: [container({ securityContext: { ...SAFE, privileged: 'true' } })] }),
      'spec.containers[0].securityContext.privileged',
      'a string',
      'true or false',
    ],
    ['runAsUser as text', podSpec({ securityContext: { runAsUser: '0' } }), 'spec.securityContext.runAsUser', 'a string', 'an integer'],
    [
      'runAsUser past int64',
      podSpec({ securityContext: { runAsUser: 12345678901234567890n } }),
      'spec.securityContext.runAsUser',
      'a number',
      'an integer',
    ],
    ['env as a map', podSpec({ containers: [container({ env: { A: 'b' } })] }), 'spec.containers[0].env', 'an object', 'a list'],
    [
      'a number as the value of a variable',
      podSpec({ containers: [container({ env: [{ name: 'A', value: 1 }] })] }),
      'spec.containers[0].env[0].value',
      'a number',
      'a string',
    ],
    [
      'a size that is none',
      podSpec({ containers: [container({ resources: { limits: { cpu: 'much' } } })] }),
      'spec.containers[0].resources.limits.cpu',
      '"much" in container "app"',
      'a quantity such as 500m, 2 or 128Mi',
    ],
    [
      'sizes that are no map',
      podSpec({ containers: [container({ resources: { limits: 'much' } })] }),
      'spec.containers[0].resources.limits',
      'a string',
      'a map of quantities',
    ],
    [
      'a limit of a volume that is none',
      podSpec({ volumes: [{ name: 'a', emptyDir: { sizeLimit: 'big' } }] }),
      'spec.volumes[0].emptyDir.sizeLimit',
      '"big"',
      'a quantity such as 500m, 2 or 128Mi',
    ],
    [
      'a field that is misspelt',
      podSpec({ hostPid: true }),
      'spec.hostPid',
      'an unknown field',
      'a field of PodSpec in Kubernetes 1.28 to 1.37',
    ],
    [
      'a field that no version has',
      podSpec({ volumes: [{ name: 'a', nodeDisk: {} }] }),
      'spec.volumes[0].nodeDisk',
      'an unknown field',
      'a field of Volume in Kubernetes 1.28 to 1.37',
    ],
  ];
  for (const [title, spec, pointer, found, wanted] of rows)
    it(`is refused: ${title}`, () => {
      const [first] = refusalsOf(pod(spec), restricted);
      expect(first?.reason).toBe('ObjectMalformed');
      expect(first?.params).toEqual({ pointer, found, wanted });
    });

  it('is refused where there is no pod spec at all', () => {
    expect(reasonsOf({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }, restricted)[0]).toBe('ObjectMalformed');
    expect(reasonsOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: 'x' }, restricted)[0]).toBe('ObjectMalformed');
  });

  it('is refused where two containers have one name', () => {
    expect(reasonsOf(pod(podSpec({ initContainers: [container()] })), restricted)).toEqual(['ObjectMalformed']);
  });

  it('says no value: it may be a secret in the wrong place', () => {
    const found = refusalsOf(pod(podSpec({ containers: [container({ env: 'hunter2' })] })), restricted);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });
});

describe('pods of a second virtual namespace in DNS mode aliases', () => {
  const other = pod(podSpec(), { namespace: 'shop' });

  it('are refused, with the remedy', () => {
    const [first] = refusalsOf(other, testContext({ tenant: { mainNamespace: 'default' } }));
    expect(first?.reason).toBe('DnsOtherNamespace');
    expect(sentence(first)).toContain('namespace shop');
    // dns: server alone freezes the tenant, and a pod of a headless Service has no short name
    for (const reason of ['DnsOtherNamespace', 'DnsNameUnresolvable'] as const)
      expect(reasonOf(reason).remedy).toContain('networking.dns: server and a free networking.dnsServiceIP');
    expect(reasonOf('DnsNameUnresolvable').remedy).toContain('a pod of a headless Service (mysql-0.mysql) has none');
  });

  it('pass with a DNS server of the tenant, and in the main namespace', () => {
    expect(refusalsOf(other, testContext({ tenant: { dns: 'server', dnsServiceIP: '10.96.0.50' } }))).toEqual([]);
    expect(refusalsOf(other, testContext({ tenant: { mainNamespace: 'shop' } }))).toEqual([]);
  });

  it('do not stop a PodTemplate, which runs nothing', () => {
    const template = { ...workload('PodTemplate'), metadata: { name: 'web', namespace: 'shop' } };
    expect(refusalsOf(template, testContext({ tenant: { mainNamespace: 'default' } }))).toEqual([]);
  });
});
