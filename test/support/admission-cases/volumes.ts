import { type AdmissionCase, claimSpec, pod } from './case.ts';

const ephemeral = (spec: object): AdmissionCase['object'] =>
  pod({ volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claimSpec({ ...spec }) } } }] });

const CSI = { name: 'v', csi: { driver: 'secrets-store.csi.example.com' } } as const;

/** Volumes that read what is the host's. At `restricted` Pod Security takes the most part of them, at `baseline` only hostPath. */
export const VOLUME_CASES: readonly AdmissionCase[] = [
  ...(['baseline', 'restricted'] as const).map(
    (profile): AdmissionCase => ({
      name: `a pod mounts the root of its node (${profile})`,
      threats: 'P1, MTB-PL1-BC-HI-1, CVE-2017-1002101, CVE-2021-25741',
      profile,
      object: pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      rules: [profile === 'baseline' ? 'vol' : 'host-path'],
      first: 'Pod Security',
      tenant: 'HostPathBlocked',
    }),
  ),
  {
    name: 'a CSI driver of the host is named inline',
    threats: 'P12, CVE-2025-13281',
    object: pod({ volumes: [{ ...CSI }] }),
    rules: ['vol'],
    tenant: 'VolumeTypeBlocked',
  },
  {
    name: 'another CSI driver than the allowed one',
    threats: 'P12',
    profile: 'edge',
    object: pod({ volumes: [{ ...CSI }] }),
    rules: ['vol'],
    tenant: 'VolumeTypeBlocked',
  },
  ...(
    [
      ['a file server that only nodes should reach', 'nfs', { server: '10.0.0.1', path: '/' }, 'P12, CVE-2020-8555'],
      ['a target of the storage network', 'iscsi', { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:a', lun: 0 }, 'P12'],
      ['the cluster’s own storage', 'cephfs', { monitors: ['10.0.0.1:6789'] }, 'P12'],
      ['a share with a Secret of another namespace', 'azureFile', { secretName: 'admin', shareName: 's' }, 'P12, CVE-2025-13281'],
      ['a driver’s program on the node', 'flexVolume', { driver: 'example.com/any' }, 'P12'],
      ['another’s volume by its id', 'portworxVolume', { volumeID: 'other' }, 'P12'],
      [
        'a repository, cloned as root on the node',
        'gitRepo',
        { repository: 'https://example.com/a.git' },
        'P13, CVE-2024-10220, CVE-2025-1767',
      ],
    ] as const
  ).map(
    ([what, type, source, threats]): AdmissionCase => ({
      name: `a pod mounts ${what}`,
      threats,
      profile: 'baseline',
      object: pod({ volumes: [{ name: 'v', [type]: structuredClone(source) as object as { readonly [key: string]: string } }] }),
      rules: ['vol'],
      tenant: 'VolumeTypeBlocked',
    }),
  ),
  {
    name: 'an image is mounted as a volume',
    threats: 'P12, KEP-4639',
    object: pod({ volumes: [{ name: 'v', image: { reference: 'registry.example/data:1' } }] }),
    rules: ['vol'],
    tenant: 'ImageVolumeBlocked',
    since: 36,
  },
  {
    name: 'an ephemeral volume claims another’s volume',
    threats: 'P12, P14, CVE-2025-13281',
    object: ephemeral({ volumeName: 'pv-of-other' }),
    rules: ['vol-claim'],
    tenant: 'VolumeNamePinned',
  },
  {
    name: 'an ephemeral volume claims a class of the host',
    threats: 'P12, P14',
    object: ephemeral({ storageClassName: 'host-fast' }),
    rules: ['vol-claim'],
    tenant: 'StorageClassBlocked',
  },
  {
    name: 'an ephemeral volume restores a snapshot',
    threats: 'P12, P14',
    object: ephemeral({ dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } }),
    rules: ['vol-claim'],
    tenant: 'VolumeNamePinned',
  },
];
