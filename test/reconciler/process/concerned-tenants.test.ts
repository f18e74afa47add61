import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { type Change, keyOf, objectStore } from '../../../src/kube/reflector/object-store.ts';
import { concernedTenants } from '../../../src/reconciler/process/concerned-tenants.ts';
import { ALL_TENANT_CLUSTERS, WATCHED_KINDS, type WatchedKind, watchedKinds } from '../../../src/reconciler/process/watched-kinds.ts';

function tenant(namespace: string, name: string, profile: string, policy: string): KubeObject {
  return { metadata: { namespace, name }, spec: { isolationProfileRef: { name: profile }, syncPolicyRef: { name: policy } } };
}

const TENANTS = objectStore();
TENANTS.replace([tenant('team-a', 'dev', 'restricted', 'default'), tenant('team-b', 'prod', 'sandboxed', 'default')]);
const [A, B] = ['team-a/dev', 'team-b/prod'] as const;

function kind(plural: string): WatchedKind {
  const found = WATCHED_KINDS.find(({ resource }) => resource.plural === plural);
  if (found === undefined) throw new Error(plural);
  return found;
}

function added(object: KubeObject): Change {
  return { type: 'added', key: keyOf(object), object };
}

function object(name: string, namespace?: string, tenantCluster?: string): KubeObject {
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(tenantCluster !== undefined && { annotations: { 'tenantplane.io/tenant-cluster': tenantCluster } }),
    },
  };
}

const keys = (plural: string, change: Change): readonly string[] => concernedTenants(kind(plural), change, TENANTS).keys;

describe('what a change calls for', () => {
  test.each<[plural: string, object: KubeObject, keys: readonly string[]]>([
    ['tenantclusters', object('dev', 'team-a'), [A]],
    ['isolationprofiles', object('sandboxed'), [B]],
    ['isolationprofiles', object('unused'), []],
    ['syncpolicies', object('default'), [A, B]],
    ['namespaces', object('team-a'), [A]],
    ['namespaces', object('cp-x-prod-x-team-b'), [B]],
    ['namespaces', object('kube-system'), []],
    ['networkpolicies', object('opens-everything', 'team-a'), [A]],
    ['rolebindings', object('foreign', 'cp-x-dev-x-team-a'), [A]],
    ['statefulsets', object('control-plane', 'cp-x-dev-x-team-a', A), [A]],
    // whoever writes another's key on his object has a pass more for that one, and none less for its own
    ['networkpolicies', object('x', 'team-a', B), [B, A]],
    ['networkpolicies', object('x', 'elsewhere', 'team-a/gone'), []],
    ['flowschemas', object('dev', undefined, A), [A]],
    ['validatingadmissionpolicies', object('restricted'), [A, B]],
    ['storageclasses', object('fast'), [A, B]],
  ])('%s %j', (plural, changed, expected) => {
    expect(keys(plural, added(changed))).toEqual(expected);
  });

  test('of a TenantCluster that goes are those that share its namespace: the next one has it now', () => {
    const gone = object('elder', 'team-a');
    expect(keys('tenantclusters', { type: 'deleted', key: 'team-a/elder', object: gone, finalStateUnknown: false })).toEqual([
      'team-a/elder',
      A,
    ]);
  });

  test('of a TenantCluster of another shard that comes or goes are those of its namespace: it may be the elder', () => {
    const neighbour = watchedKinds('team=a').find(({ store }) => store === ALL_TENANT_CLUSTERS);
    if (neighbour === undefined) throw new Error('no neighbours');
    const [other, key] = [object('elder', 'team-a'), 'team-a/elder'];
    const called = (change: Change): readonly string[] => concernedTenants(neighbour, change, TENANTS).keys;
    expect(called({ type: 'deleted', key, object: other, finalStateUnknown: false })).toEqual([A]);
    expect(called(added(other))).toEqual([A]);
    expect(called({ type: 'modified', key, object: object('elder', 'team-a', A), old: other })).toEqual([]);
  });

  test('for all at once waits behind what changes for one', () => {
    expect(concernedTenants(kind('storageclasses'), added(object('fast')), TENANTS).low).toBe(true);
    expect(concernedTenants(kind('flowschemas'), added(object('dev', undefined, A)), TENANTS).low).toBe(false);
  });

  test('is a pass where somebody claims a TenantCluster or lets it go', () => {
    const old: KubeObject = { metadata: { namespace: 'team-a', name: 'dev' }, status: { phase: 'Ready' } };
    const object: KubeObject = { ...old, status: { phase: 'Ready', leader: { lease: 'x/y', holderIdentity: 'z' } } };
    expect(keys('tenantclusters', { type: 'modified', key: A, object, old })).toEqual([A]);
  });

  test('is nothing where only a version, or a status that others keep, has changed', () => {
    const old: KubeObject = { metadata: { namespace: 'team-a', name: 'dev', resourceVersion: '1' }, spec: { a: 1 }, status: { used: 1 } };
    const change = (object: KubeObject): Change => ({ type: 'modified', key: A, object, old });
    const later: KubeObject = { ...old, metadata: { namespace: 'team-a', name: 'dev', resourceVersion: '2' } };
    for (const plural of ['tenantclusters', 'resourcequotas', 'statefulsets', 'namespaces'])
      expect(keys(plural, change(later))).toEqual([]);
    const status = { ...later, status: { used: 2 } };
    expect(keys('tenantclusters', change(status))).toEqual([]);
    expect(keys('resourcequotas', change(status))).toEqual([]);
    expect(keys('statefulsets', change(status))).toEqual([A]);
    expect(keys('resourcequotas', change({ ...later, spec: { a: 2 } }))).toEqual([A]);
    const annotated = { ...later, metadata: { namespace: 'team-a', name: 'dev', annotations: { a: 'b' } } };
    expect(keys('tenantclusters', change(annotated))).toEqual([A]);
  });

  test('is nothing for a workload’s pod, until it goes', () => {
    const pod: KubeObject = { metadata: { namespace: 'team-a', name: 'web', labels: { 'tenantplane.io/tenant': 'dev' } } };
    expect(keys('pods', added(pod))).toEqual([]);
    expect(keys('pods', { type: 'deleted', key: 'team-a/web', object: pod, finalStateUnknown: false })).toEqual([A]);
    const ours: KubeObject = {
      metadata: {
        namespace: 'cp-x-dev-x-team-a',
        name: 'control-plane-0',
        labels: { 'app.kubernetes.io/name': 'tenantplane-control-plane' },
      },
    };
    expect(keys('pods', added(ours))).toEqual([A]);
  });
});

test('who is for a shard has its TenantClusters whole, and of all others the metadata', () => {
  const of = (shard?: string) =>
    watchedKinds(shard)
      .filter(({ resource }) => resource.plural === 'tenantclusters')
      .map(({ store, labelSelector, metadataOnly }) => [store, labelSelector, metadataOnly]);
  expect(of()).toEqual([[undefined, undefined, undefined]]);
  expect(of('team=a')).toEqual([
    [undefined, 'team=a', undefined],
    [ALL_TENANT_CLUSTERS, undefined, true],
  ]);
  expect(watchedKinds('team=a').length).toBe(WATCHED_KINDS.length + 1);
});

test('no kind is watched twice, and none holds what is secret', () => {
  const plurals = WATCHED_KINDS.map(({ resource }) => resource.plural);
  expect(plurals.length).toBeGreaterThan(15);
  expect(new Set(plurals).size).toBe(plurals.length);
  expect(plurals.filter((plural) => ['secrets', 'configmaps'].includes(plural))).toEqual([]);
});
