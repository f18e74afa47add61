import { type AdmissionCase, claim, claimSpec, pod, secret, workload } from './case.ts';

const SNAPSHOT = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } as const;

/** The annotation that named a class before there was a field. */
const OLD_CLASS = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'host-fast' } } as const;

function set(spec: object, metadata: object = {}): AdmissionCase['object'] {
  const object = workload('StatefulSet');
  const templates = [{ metadata: { name: 'data', ...metadata }, spec: claimSpec({ ...spec }) }];
  return { ...object, spec: { ...(object['spec'] as object), serviceName: 'web', volumeClaimTemplates: templates } };
}

/** Claims on volumes of the host, and Secrets that the host fills. */
export const STORAGE_CASES: readonly AdmissionCase[] = [
  {
    name: 'a claim names another’s volume',
    threats: 'P14, CVE-2025-13281',
    object: claim({ volumeName: 'pv-of-other' }),
    rules: ['pvc-volume'],
    tenant: 'VolumeNamePinned',
  },
  {
    name: 'a claim selects volumes by label',
    threats: 'P14',
    object: claim({ selector: { matchLabels: { team: 'other' } } }),
    rules: ['pvc-volume'],
    tenant: 'VolumeNamePinned',
  },
  {
    name: 'a pending claim is given another’s volume',
    threats: 'P14',
    profile: 'edge',
    operation: 'UPDATE',
    before: claim({ storageClassName: 'fast' }),
    object: claim({ storageClassName: 'fast', volumeName: 'pv-of-other' }),
    rules: ['pvc-volume'],
    tenant: 'VolumeNamePinned',
  },
  {
    name: 'a claim names a class of the host',
    threats: 'P14',
    object: claim({ storageClassName: 'host-fast' }),
    rules: ['pvc-class'],
    tenant: 'StorageClassBlocked',
  },
  {
    name: 'a claim names a class of the host by the old annotation',
    threats: 'P14',
    object: claim({}, { ...OLD_CLASS }),
    rules: ['pvc-old-class'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'delivery brings a claim with the old annotation',
    threats: 'P14',
    by: 'argocd',
    object: claim({ storageClassName: 'fast' }, { ...OLD_CLASS }),
    profile: 'edge',
    rules: ['pvc-old-class'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'a claim is given the old annotation later',
    threats: 'P14',
    profile: 'edge',
    operation: 'UPDATE',
    before: claim({ storageClassName: 'fast' }),
    object: claim({ storageClassName: 'fast' }, { ...OLD_CLASS }),
    rules: [],
    first: 'the API itself',
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'a set’s claims name a class of the host by the old annotation',
    threats: 'P14, K3',
    object: set({}, { ...OLD_CLASS }),
    rules: ['tpl-claim'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'an ephemeral volume claims a class of the host by the old annotation',
    threats: 'P12, P14',
    object: pod({ volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { metadata: { ...OLD_CLASS }, spec: claimSpec() } } }] }),
    rules: ['vol-claim'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'a claim names another class than the allowed one',
    threats: 'P14',
    profile: 'edge',
    object: claim({ storageClassName: 'slow' }),
    rules: ['pvc-class'],
    tenant: 'StorageClassBlocked',
  },
  {
    name: 'a claim asks for a volume made by hand',
    threats: 'P14',
    object: claim({ storageClassName: '' }),
    rules: ['pvc-class'],
    tenant: 'StorageClassBlocked',
  },
  {
    name: 'a claim picks attributes of the host’s volumes',
    threats: 'P14',
    object: claim({ volumeAttributesClassName: 'gold' }),
    rules: ['pvc-class'],
    tenant: 'StorageClassBlocked',
    since: 34,
  },
  {
    name: 'a claim restores a snapshot',
    threats: 'P14',
    object: claim({ dataSource: { ...SNAPSHOT } }),
    rules: ['pvc-source'],
    tenant: 'VolumeNamePinned',
  },
  {
    name: 'a claim is filled by a populator',
    threats: 'P14',
    object: claim({ dataSourceRef: { ...SNAPSHOT, apiGroup: 'populators.example.com', kind: 'Import' } }),
    rules: ['pvc-source'],
    tenant: 'VolumeNamePinned',
  },
  {
    name: 'a set’s claims name a class of the host',
    threats: 'P14, K3',
    object: set({ storageClassName: 'host-fast' }),
    rules: ['tpl-claim'],
    tenant: 'StorageClassBlocked',
  },
  {
    name: 'a set’s claims name another’s volume',
    threats: 'P14, K3',
    object: set({ volumeName: 'pv-of-other' }),
    rules: ['tpl-claim'],
    tenant: 'VolumeNamePinned',
  },
  {
    name: 'a volume of the host is made',
    threats: 'P15',
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-of-host' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } },
    },
    rules: [],
    first: 'RBAC',
    tenant: 'KindIsClusterScoped',
  },
  {
    name: 'a Secret asks for a token of the host',
    threats: 'P8',
    object: secret({ type: 'kubernetes.io/service-account-token' }, { annotations: { 'kubernetes.io/service-account.name': 'default' } }),
    rules: ['sec'],
    tenant: { rendered: 'AnnotationBlocked' },
  },
  {
    name: 'a Secret lets its holder join a node',
    threats: 'P8',
    object: secret({ type: 'bootstrap.kubernetes.io/token', stringData: { 'token-id': 'abcdef' } }),
    rules: ['sec'],
    tenant: 'SecretTypeBlocked',
  },
];
