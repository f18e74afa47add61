import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiServer } from '../api-server.ts';
import type { Ran } from '../cluster.ts';
import { NODE_NAME } from './kubelet.ts';
import { type Watch, watchObjects } from './watch-objects.ts';

const PROVISIONER = 'tenantplane.io/bed';
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
const CLASS = 'local';

/** The default class. Its volumes are folders of this machine, which the kubelet gives to a pod's fsGroup. */
const STORAGE_CLASS = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: PROVISIONER,
  volumeBindingMode: 'Immediate',
  reclaimPolicy: 'Delete',
};

interface Claim {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly accessModes: readonly string[];
    readonly resources: { readonly requests: { readonly storage: string } };
  };
}

interface Volume {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly status?: { readonly phase?: string };
}

type Kubectl = (args: readonly string[], options?: { readonly input?: string }) => Promise<Ran>;

/** Makes a volume for each claim of the class, and removes it when its claim has gone: what a provisioner does. */
export async function provisionVolumes(api: ApiServer, kubectl: Kubectl, folder: string): Promise<Watch> {
  const create = async (object: object): Promise<void> => {
    const { status, stderr } = await kubectl(['create', '-f', '-'], { input: JSON.stringify(object) });
    if (status !== 0 && !stderr.includes('AlreadyExists')) throw new Error(stderr);
  };
  await create(STORAGE_CLASS);
  const claims = watchObjects<Claim>(api, '/api/v1/persistentvolumeclaims', async (claim) => {
    const { metadata, spec } = claim;
    if (spec.storageClassName !== CLASS || spec.volumeName !== undefined || metadata.deletionTimestamp !== undefined) return;
    const name = `pvc-${metadata.uid}`;
    // owned by root, as disks are: a pod that may write there has an fsGroup
    mkdirSync(join(folder, name), { recursive: true });
    await create(volumeFor(claim, name, join(folder, name)));
  });
  const volumes = watchObjects<Volume>(api, '/api/v1/persistentvolumes', async ({ metadata, status }) => {
    if (metadata.annotations?.[PROVISIONED_BY] !== PROVISIONER || status?.phase !== 'Released') return;
    rmSync(join(folder, metadata.name), { recursive: true, force: true });
    await kubectl(['delete', 'persistentvolume', metadata.name, '--wait=false', '--ignore-not-found']);
  });
  return {
    stop: () => {
      claims.stop();
      volumes.stop();
    },
  };
}

function volumeFor({ metadata, spec }: Claim, name: string, path: string): object {
  const here = { key: 'kubernetes.io/hostname', operator: 'In', values: [NODE_NAME] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [PROVISIONED_BY]: PROVISIONER } },
    spec: {
      capacity: spec.resources.requests,
      accessModes: spec.accessModes,
      storageClassName: CLASS,
      persistentVolumeReclaimPolicy: 'Delete',
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: metadata.name, namespace: metadata.namespace, uid: metadata.uid },
      local: { path },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [here] }] } },
    },
  };
}
