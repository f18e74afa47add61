import { CONTROL_PLANE_POD } from '../isolation/peers.ts';
import type { KubeObject } from '../kube/object.ts';
import { controlPlaneMetadata, identityLabels } from './control-plane-metadata.ts';
import { controlPlaneService } from './endpoint.ts';
import { ANNOTATION, CONTROL_PLANE, DATA } from './names.ts';
import type { ControlPlaneInput } from './objects.ts';
import { podTemplate } from './pod-template.ts';

/**
 * The servers of a control plane with their volumes. A change of the template rolls through them from the last to the first, each only when
 * the one before it is ready. The tenant's mode is about its workloads' nodes: it is written down, and changes nothing here.
 */
export function controlPlaneStatefulSet(input: ControlPlaneInput): KubeObject {
  const { settings, release } = input;
  const { storage, datastore } = settings;
  const etcd = datastore.type === 'etcd';
  const ordered = datastore.type === 'postgres';
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: controlPlaneMetadata(settings, CONTROL_PLANE, {
      [ANNOTATION.mode]: settings.mode,
      [ANNOTATION.kubernetesVersion]: release.version,
      [ANNOTATION.datastore]: datastore.type,
    }),
    spec: {
      serviceName: controlPlaneService(settings.tenant.name),
      replicas: settings.replicas,
      // Servers on one database need no other, and the first one settles what they share. In order, a pod that never gets ready is not
      // replaced when the template is mended (kubernetes/kubernetes#67250), and members of an etcd would wait for each other for ever.
      podManagementPolicy: ordered ? 'OrderedReady' : 'Parallel',
      updateStrategy: { type: 'RollingUpdate' },
      // a member that has just come back is given time to catch up before the next one goes
      ...(etcd && { minReadySeconds: 10 }),
      persistentVolumeClaimRetentionPolicy: { whenDeleted: storage.onDelete, whenScaled: 'Retain' },
      selector: { matchLabels: { ...CONTROL_PLANE_POD } },
      template: podTemplate(input),
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: DATA, labels: identityLabels(settings.tenant.name) },
          spec: {
            accessModes: ['ReadWriteOnce'],
            ...(storage.className !== undefined && { storageClassName: storage.className }),
            resources: { requests: { storage: storage.size } },
          },
        },
      ],
    },
  };
}
