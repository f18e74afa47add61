/**
 * Rules over more than one field: as CEL for the API server, and as the same test in code for packages in Git. A test holds
 * the two against each other. Transition rules need the object as it was and hold where it is not known.
 */
import type { ResourceKind } from './config-kinds.ts';
import { isObject, type Json, type JsonObject, own } from './json.ts';

export interface FieldRule {
  readonly id: string;
  readonly kind: ResourceKind;
  /** dotted path of the object that the rule is about; `[]` is each item */
  readonly at: string;
  readonly cel: string;
  readonly message: string;
  readonly remedy: string;
  readonly holds: (self: JsonObject, old?: JsonObject) => boolean;
}

const has = (self: JsonObject, key: string): boolean => own(self, key) !== undefined && own(self, key) !== '';
const filled = (self: JsonObject, key: string): boolean => {
  const list = own(self, key);
  return Array.isArray(list) && list.length > 0;
};

/** The API server judges a default `{}` before it fills in the defaults of its fields, so CEL asks whether they are there. */
const replicasOf = (controlPlane: JsonObject): number => Number(own(controlPlane, 'replicas') ?? 1);
const datastoreOf = (controlPlane: JsonObject): Json => {
  const datastore = own(controlPlane, 'datastore');
  return (isObject(datastore) ? own(datastore, 'type') : undefined) ?? 'sqlite';
};

export const FIELD_RULES: readonly FieldRule[] = [
  {
    id: 'mode-change',
    kind: 'TenantCluster',
    at: 'spec',
    cel: 'self.mode == oldSelf.mode || (has(self.migration) && has(self.migration.allowModeChange) && self.migration.allowModeChange)',
    message: 'mode may change only where migration.allowModeChange is true',
    remedy: 'Set spec.migration.allowModeChange: true together with the new mode.',
    holds: (self, old) => {
      const migration = own(self, 'migration');
      if (old === undefined || (own(old, 'mode') ?? 'shared') === (own(self, 'mode') ?? 'shared')) return true;
      return isObject(migration) && own(migration, 'allowModeChange') === true;
    },
  },
  {
    id: 'replicas-share-datastore',
    kind: 'TenantCluster',
    at: 'spec.controlPlane',
    cel: "!has(self.replicas) || self.replicas <= 1 || (has(self.datastore) && has(self.datastore.type) && self.datastore.type != 'sqlite')",
    message: 'more than one replica needs a datastore that they share',
    remedy: 'Set spec.controlPlane.datastore.type: etcd or postgres, or replicas: 1.',
    holds: (self) => replicasOf(self) <= 1 || datastoreOf(self) !== 'sqlite',
  },
  {
    id: 'etcd-quorum',
    kind: 'TenantCluster',
    at: 'spec.controlPlane',
    cel: "!(has(self.datastore) && has(self.datastore.type) && self.datastore.type == 'etcd') || !has(self.replicas) || self.replicas in [1, 3, 5]",
    message: 'etcd needs 1, 3 or 5 replicas: a further one of an even number can only cost the quorum',
    remedy: 'Set spec.controlPlane.replicas to 1, 3 or 5.',
    holds: (self) => datastoreOf(self) !== 'etcd' || [1, 3, 5].includes(replicasOf(self)),
  },
  {
    id: 'postgres-secret',
    kind: 'TenantCluster',
    at: 'spec.controlPlane.datastore',
    cel: "!(has(self.type) && self.type == 'postgres') || has(self.secretRef)",
    message: 'type: postgres needs secretRef',
    remedy: 'Name the Secret that holds the URL of the database in spec.controlPlane.datastore.secretRef.name.',
    holds: (self) => own(self, 'type') !== 'postgres' || has(self, 'secretRef'),
  },
  {
    id: 'dns-server-ip',
    kind: 'TenantCluster',
    at: 'spec.networking',
    cel: "!(has(self.dns) && self.dns == 'server') || (has(self.dnsServiceIP) && self.dnsServiceIP != '')",
    message: 'dns: server needs dnsServiceIP',
    remedy: 'Set spec.networking.dnsServiceIP to a free address of the host’s service range, or use dns: aliases.',
    holds: (self) => own(self, 'dns') !== 'server' || has(self, 'dnsServiceIP'),
  },
  {
    id: 'toleration-exists',
    kind: 'TenantCluster',
    at: 'spec.nodePool.tolerations[]',
    cel: "!(has(self.operator) && self.operator == 'Exists' && has(self.value) && self.value != '')",
    message: 'operator Exists takes no value',
    remedy: 'Remove the value, or use operator Equal.',
    holds: (self) => own(self, 'operator') !== 'Exists' || !has(self, 'value'),
  },
  {
    id: 'toleration-any-key',
    kind: 'TenantCluster',
    at: 'spec.nodePool.tolerations[]',
    cel: "has(self.key) || (has(self.operator) && self.operator == 'Exists')",
    message: 'a toleration without key needs operator Exists',
    remedy: 'Set key, or operator: Exists to tolerate every taint.',
    holds: (self) => has(self, 'key') || own(self, 'operator') === 'Exists',
  },
  {
    id: 'toleration-seconds',
    kind: 'TenantCluster',
    at: 'spec.nodePool.tolerations[]',
    cel: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
    message: 'tolerationSeconds needs effect NoExecute',
    remedy: 'Remove tolerationSeconds, or set effect: NoExecute.',
    holds: (self) => !has(self, 'tolerationSeconds') || own(self, 'effect') === 'NoExecute',
  },
  {
    id: 'allowed-toleration-exists',
    kind: 'IsolationProfile',
    at: 'spec.allow.tolerations[]',
    cel: "!(has(self.operator) && self.operator == 'Exists' && has(self.value) && self.value != '')",
    message: 'operator Exists takes no value',
    remedy: 'Remove the value, or use operator Equal.',
    holds: (self) => own(self, 'operator') !== 'Exists' || !has(self, 'value'),
  },
  {
    id: 'custom-kind-scope',
    kind: 'SyncPolicy',
    at: 'spec.resources[]',
    cel: 'has(self.scope) || !(has(self.references) || has(self.selectors))',
    message: 'references and selectors are for custom kinds, which need scope',
    remedy: 'Add scope: Namespaced if the kind is a custom one, else remove references and selectors.',
    holds: (self) => has(self, 'scope') || !(has(self, 'references') || has(self, 'selectors')),
  },
  {
    id: 'expression-values',
    kind: 'SyncPolicy',
    at: 'spec.resources[].labelSelector.matchExpressions[]',
    cel: "(self.operator == 'In' || self.operator == 'NotIn') == (has(self.values) && size(self.values) > 0)",
    message: 'In and NotIn need values; Exists and DoesNotExist take none',
    remedy: 'Add values, or take them out.',
    holds: (self) => ['In', 'NotIn'].includes(String(own(self, 'operator'))) === filled(self, 'values'),
  },
];
