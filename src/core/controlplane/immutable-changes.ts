import { at, equal, type Json, objectsOf, stringAt } from '../kube/json.ts';
import { annotationsOf, type KubeObject } from '../kube/object.ts';
import { parseQuantity } from '../kube/quantity.ts';
import { ANNOTATION, DATA } from './names.ts';

/** A setting that a control plane keeps for life, and that the TenantCluster now says otherwise. */
export interface ImmutableChange {
  /** field of the TenantCluster's spec */
  readonly setting: string;
  readonly live: string;
  readonly desired: string;
}

/**
 * What stands between a live StatefulSet and the desired one that no update can change: Kubernetes refuses another claim template, and data does
 * not move by itself to another datastore, or off an etcd member that is taken away.
 */
export function immutableChanges(live: KubeObject, desired: KubeObject): readonly ImmutableChange[] {
  return ROWS.flatMap(({ setting, read, same = equal }) => {
    const [was, is] = [read(live), read(desired)];
    return same(was, is) ? [] : [{ setting, live: shown(was), desired: shown(is) }];
  });
}

interface Row {
  readonly setting: string;
  readonly read: (set: KubeObject) => Json | undefined;
  readonly same?: (live: Json | undefined, desired: Json | undefined) => boolean;
}

const claim = (set: KubeObject): Json | undefined =>
  objectsOf(at(set, 'spec', 'volumeClaimTemplates')).find((entry) => at(entry, 'metadata', 'name') === DATA);
const etcdReplicas = (set: KubeObject): Json | undefined =>
  annotationsOf(set).get(ANNOTATION.datastore) === 'etcd' ? at(set, 'spec', 'replicas') : undefined;

const ROWS: readonly Row[] = [
  { setting: 'controlPlane.storage.className', read: (set) => stringAt(claim(set), 'spec', 'storageClassName') },
  {
    setting: 'controlPlane.storage.size',
    read: (set) => at(claim(set), 'spec', 'resources', 'requests', 'storage'),
    // the API server keeps 1024Mi as 1Gi
    same: (live, desired) => parseQuantity(live) === parseQuantity(desired),
  },
  { setting: 'controlPlane.datastore.type', read: (set) => annotationsOf(set).get(ANNOTATION.datastore) },
  {
    setting: 'controlPlane.replicas',
    read: etcdReplicas,
    same: (live, desired) => live === undefined || desired === undefined || Number(desired) >= Number(live),
  },
];

function shown(value: Json | undefined): string {
  return value === undefined ? 'the default' : String(value);
}
