import { describe, expect, test } from 'vitest';
import { immutableChanges } from '../../../src/core/controlplane/immutable-changes.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { DATASTORES, named, objectsFor } from './tenant-clusters.ts';

const set = (spec: JsonObject): KubeObject => named(objectsFor(spec), 'StatefulSet', 'control-plane');
const storage = (given: JsonObject): KubeObject => set({ controlPlane: { storage: given } });
const etcd = (replicas: number): KubeObject => set({ controlPlane: { replicas, datastore: { type: 'etcd' } } });

describe('what a control plane keeps for life', () => {
  test.each<[string, KubeObject, KubeObject, readonly unknown[]]>([
    ['nothing changed', storage({}), storage({}), []],
    ['the same size in other words', storage({ size: '1024Mi' }), storage({ size: '1Gi' }), []],
    ['what may change', storage({}), set({ controlPlane: { storage: { onDelete: 'Retain' }, resources: { limits: { cpu: '2' } } } }), []],
    ['more members', etcd(1), etcd(3), []],
    [
      'fewer servers on a database',
      set(DATASTORES.postgres),
      set({ controlPlane: { datastore: { type: 'postgres', secretRef: { name: 'other' } } } }),
      [],
    ],
    ['a size', storage({}), storage({ size: '2Gi' }), [{ setting: 'controlPlane.storage.size', live: '1Gi', desired: '2Gi' }]],
    [
      'a class',
      storage({}),
      storage({ className: 'fast' }),
      [{ setting: 'controlPlane.storage.className', live: 'the default', desired: 'fast' }],
    ],
    ['a datastore', storage({}), etcd(1), [{ setting: 'controlPlane.datastore.type', live: 'sqlite', desired: 'etcd' }]],
    ['fewer members', etcd(3), etcd(1), [{ setting: 'controlPlane.replicas', live: '3', desired: '1' }]],
  ])('%s', (_, live, desired, changes) => {
    expect(immutableChanges(live, desired)).toEqual(changes);
  });
});
