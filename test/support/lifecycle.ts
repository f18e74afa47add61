import type { KubernetesRelease } from '../../src/core/controlplane/kubernetes-versions.ts';
import { configState } from '../../src/core/controlplane/lifecycle/config-state.ts';
import type { LifecycleObservation, Settled } from '../../src/core/controlplane/lifecycle/observation.ts';
import { type JsonObject, objectAt } from '../../src/core/kube/json.ts';
import type { KubeObject } from '../../src/core/kube/object.ts';
import { resolveHost } from '../../src/core/plan/host-facts.ts';

export const NOW: number = Date.parse('2026-03-01T12:00:00Z');

export const RELEASES: readonly KubernetesRelease[] = ['1.33.1', '1.34.2', '1.35.0', '1.36.1'].map((version) => ({
  version,
  image: `docker.io/rancher/k3s:v${version}-k3s1`,
}));

export function tenantCluster(spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'tenantplane.io/v1alpha1',
    kind: 'TenantCluster',
    metadata: {
      name: 'shop',
      namespace: 'team-shop',
      uid: 'u-1',
      generation: 1,
      resourceVersion: '1',
      creationTimestamp: '2026-03-01T11:00:00Z',
      finalizers: ['tenantplane.io/control-plane'],
      // as host/config has it
      labels: { 'app.kubernetes.io/managed-by': 'tenantplane' },
      ...metadata,
      annotations: { 'tenantplane.io/origin': 'git', ...objectAt(metadata, 'annotations') },
    },
    spec: { kubernetesVersion: '1.34', isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'applications' }, ...spec },
  };
}

export const PROFILE: KubeObject = {
  apiVersion: 'tenantplane.io/v1alpha1',
  kind: 'IsolationProfile',
  metadata: { name: 'restricted' },
  spec: { level: 'restricted' },
};

export const POLICY: KubeObject = {
  apiVersion: 'tenantplane.io/v1alpha1',
  kind: 'SyncPolicy',
  metadata: { name: 'applications' },
  spec: { resources: [{ apiVersion: 'v1', kind: 'ConfigMap', direction: 'toHost' }] },
};

/** A tenant of which nothing is there yet but what Git brings. */
export function observation(changes: Partial<LifecycleObservation> = {}): LifecycleObservation {
  const object = changes.tenantCluster ?? tenantCluster();
  return {
    now: NOW,
    tenantCluster: object,
    elders: [],
    config: configState(object, PROFILE, POLICY, resolveHost({})),
    namespaces: { workload: 'ours', controlPlane: 'ours' },
    boundary: { kind: 'verified', enforced: true, missing: 0, problems: [] },
    secrets: {
      authorities: { state: 'absent' },
      token: { state: 'absent', ours: false },
      kubeconfig: { state: 'absent', ours: false },
      datastore: 'absent',
    },
    access: { missing: [] },
    live: { services: [], configMaps: [], pods: [], claims: [], workloads: 0 },
    storageClasses: { names: new Set(['standard']), hasDefault: true },
    api: { kind: 'not-asked' },
    releases: RELEASES,
    release: RELEASES[1],
    ...changes,
  };
}

export const MATERIAL: LifecycleObservation['secrets'] = {
  authorities: {
    state: 'present',
    ours: true,
    digest: 'd1',
    lifetimes: [{ name: 'server-ca', notBefore: NOW - 1000, notAfter: NOW + 3650 * 86_400_000 }],
  },
  token: { state: 'present', ours: true },
  kubeconfig: { state: 'absent', ours: false },
  datastore: 'absent',
};

export function settled(o: LifecycleObservation): Settled {
  if (!o.config.ready) throw new Error(o.config.message);
  return { ...o, config: o.config };
}
