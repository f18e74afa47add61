import { KEY } from '../../core/identity/metadata.ts';
import { controlPlaneNamespace } from '../../core/isolation/control-plane-namespace.ts';
import { asObject, equal, type JsonObject, objectAt, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { type Change, keyOf, type ObjectStore } from '../../kube/reflector/object-store.ts';
import type { WatchedKind } from './watched-kinds.ts';

/** Whose passes something calls for: keys of TenantClusters. */
export interface Concerned {
  readonly keys: readonly string[];
  /** many at once for one small thing need not go before what changes elsewhere */
  readonly low: boolean;
}

const NOBODY: Concerned = { keys: [], low: false };

export function concernedTenants(kind: WatchedKind, change: Change, tenants: ObjectStore): Concerned {
  if (change.type === 'modified' && !matters(change.old, change.object, kind.status)) return NOBODY;
  if (kind.counts?.(change) === false) return NOBODY;
  const { object, key } = change;
  const name = nameOf(object);
  switch (kind.concerns) {
    case 'self':
      // where two shared a namespace, the other one has it now
      return {
        keys: [...new Set([key, ...(change.type === 'deleted' ? inNamespaces(tenants, namespaceOf(object) ?? '') : [])])],
        low: false,
      };
    case 'neighbour':
      return { keys: change.type === 'modified' ? [] : inNamespaces(tenants, namespaceOf(object) ?? ''), low: false };
    case 'profile':
      return { keys: referring(tenants, 'isolationProfileRef', name), low: true };
    case 'policy':
      return { keys: referring(tenants, 'syncPolicyRef', name), low: true };
    case 'child':
      return { keys: [...new Set([...named(object, tenants), ...inNamespaces(tenants, namespaceOf(object) ?? name)])], low: false };
    case 'shared': {
      const keys = named(object, tenants);
      return keys.length > 0 ? { keys, low: false } : { keys: [...tenants.keys()], low: true };
    }
  }
}

/** Whether anything has changed that somebody decides on. */
function matters(old: KubeObject, object: KubeObject, status: WatchedKind['status']): boolean {
  return !equal(decisive(old, status), decisive(object, status));
}

function decisive({ status: whole, metadata, ...rest }: KubeObject, counts: WatchedKind['status']): JsonObject {
  const status = typeof counts === 'string' ? objectAt(whole, counts) : counts ? whole : undefined;
  // each write gives a version, and some a generation: neither says anything by itself
  const { resourceVersion: _, generation: __, ...meta } = asObject(metadata) ?? {};
  return { ...rest, metadata: meta, ...(status !== undefined && { status }) };
}

function referring(tenants: ObjectStore, field: 'isolationProfileRef' | 'syncPolicyRef', name: string): readonly string[] {
  return [...tenants.values()].filter((tenant) => stringAt(tenant, 'spec', field, 'name') === name).map(keyOf);
}

/** Anybody may write the annotation, so it only ever adds a pass to those that there would be. */
function named(object: KubeObject, tenants: ObjectStore): readonly string[] {
  const key = annotationsOf(object).get(KEY.tenantCluster);
  return key !== undefined && tenants.get(key) !== undefined ? [key] : [];
}

/** Whose namespace it is, by its name: a foreign one that a tenant needs concerns that tenant too. */
function inNamespaces(tenants: ObjectStore, namespace: string): readonly string[] {
  return [...tenants.values()]
    .filter((tenant) => {
      const own = namespaceOf(tenant) ?? '';
      return own === namespace || controlPlaneNamespace(nameOf(tenant), own) === namespace;
    })
    .map(keyOf);
}
