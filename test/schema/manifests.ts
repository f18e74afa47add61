import type { JsonObject } from '../../src/schema/json.ts';

type Fields = Record<string, unknown>;

const object = (kind: string, metadata: Fields, rest: Fields): JsonObject =>
  ({ apiVersion: 'tenantplane.io/v1alpha1', kind, metadata, ...rest }) as JsonObject;

const refs = (): Fields => ({ isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'default' } });

/** A TenantCluster with `spec` beside its two references. */
export const tenantCluster = (spec: Fields = {}, metadata: Fields = {}): JsonObject =>
  object('TenantCluster', { name: 'dev', namespace: 'team-dev', ...metadata }, { spec: { ...refs(), ...spec } });

export const isolationProfile = (spec: Fields = {}): JsonObject =>
  object('IsolationProfile', { name: 'restricted' }, { spec: { level: 'restricted', ...spec } });

export const syncPolicy = (spec: Fields = {}): JsonObject =>
  object('SyncPolicy', { name: 'default' }, { spec: { resources: [], ...spec } });

export const syncDecision = (status?: Fields): JsonObject =>
  object('SyncDecision', { name: 'dev', namespace: 'team-dev' }, status === undefined ? {} : { status });

export const functionObject = (kind: string, spec?: Fields): JsonObject =>
  ({ apiVersion: 'fn.tenantplane.io/v1alpha1', kind, metadata: { name: 'config' }, ...(spec === undefined ? {} : { spec }) }) as JsonObject;

/** Manifests as people wrote them for the public API before there was this edition: every field and value of its reference. */
export const PUBLIC_MANIFESTS: Readonly<Record<string, JsonObject>> = {
  'a tenant with what its first reference required': tenantCluster({
    mode: 'shared',
    kubernetesVersion: 'v1.30.4',
    controlPlane: { replicas: 1, datastore: { type: 'sqlite' } },
  }),
  'a tenant with every field of the reference': tenantCluster({
    mode: 'private',
    kubernetesVersion: 'v1.35.0',
    controlPlane: {
      replicas: 3,
      datastore: { type: 'etcd' },
      storage: { className: 'gp3', size: '2Gi' },
      expose: { loadBalancer: true, annotations: { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' } },
      extraTLSSANs: ['tenants.example.com', '203.0.113.7', '*.api.example.com', '2001:db8::7'],
    },
    networking: { podCIDR: '10.42.0.0/16', serviceCIDR: 'fd00:43::/112', egressPolicy: 'unrestricted' },
    migration: { allowModeChange: true },
    resources: { cpu: '2', memory: '2Gi' },
  }),
  'a tenant on postgres on nodes of its own': tenantCluster({
    mode: 'dedicated',
    controlPlane: { replicas: 2, datastore: { type: 'postgres', secretRef: { name: 'database' } } },
    networking: { egressPolicy: 'allow-same-tenant' },
  }),
  'a tenant whose optional fields are written empty': tenantCluster({
    kubernetesVersion: '',
    controlPlane: {
      replicas: 1,
      datastore: { type: 'sqlite' },
      storage: { className: '', size: '' },
      expose: { annotations: {} },
      extraTLSSANs: [],
    },
    networking: { podCIDR: '', serviceCIDR: '', egressPolicy: 'deny-by-default' },
    migration: {},
    resources: { cpu: '', memory: '' },
  }),
  'a tenant as kubectl get -o yaml prints it': {
    ...tenantCluster(
      { mode: 'shared', kubernetesVersion: 'v1.30.4', controlPlane: { replicas: 1, datastore: { type: 'sqlite' } } },
      {
        creationTimestamp: '2026-01-02T03:04:05Z',
        generation: 3,
        resourceVersion: '812',
        uid: '7c2a',
        finalizers: ['tenantplane.io/cleanup'],
        labels: { team: 'dev' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'Example.com/Anything_at.all': 'yes' },
        managedFields: [{ manager: 'kubectl', operation: 'Apply' }],
      },
    ),
    status: { phase: 'Ready', endpoint: 'https://dev.team-dev.svc:6443', conditions: [{ type: 'Synced', status: 'True' }] },
  },
  'a profile with every control': isolationProfile({
    controls: {
      podSecurity: 'restricted',
      defaultDenyNetworkPolicy: true,
      requireResourceRequests: true,
      runtimeClassName: '',
      blockHostPathVolumes: true,
      blockPrivilegedContainers: true,
      apiFairness: 'tenant',
    },
  }),
  'a sandboxed profile': isolationProfile({ level: 'sandboxed', controls: { runtimeClassName: 'gvisor', apiFairness: 'tenant-strict' } }),
  'a profile below its level': isolationProfile({ controls: { podSecurity: 'baseline', blockHostPathVolumes: false } }),
  'a policy with every field': syncPolicy({
    conflictPolicy: 'host-wins',
    driftDetection: { enabled: true, interval: '1m30s' },
    explain: { recordDecisions: true, retain: 1000 },
    resources: [
      { apiVersion: 'v1', kind: 'Pod', direction: 'toHost' },
      { apiVersion: 'v1', kind: 'ConfigMap', direction: 'bidirectional' },
      { apiVersion: 'v1', kind: 'Secret', direction: 'fromHost' },
      { apiVersion: 'apps/v1', kind: 'Deployment', direction: 'toHost' },
      { apiVersion: 'v1', kind: 'Pod', direction: 'toHost' },
    ],
  }),
  'a policy that records nothing': syncPolicy({
    conflictPolicy: 'tenant-wins',
    driftDetection: {},
    explain: { recordDecisions: false, retain: 0 },
  }),
  'a record of the first shape': syncDecision({
    entries: [
      {
        time: '2026-01-02T03:04:05Z',
        action: 'Skip',
        kind: 'ConfigMap',
        tenantNamespace: 'default',
        tenantName: 'app',
        hostNamespace: 'team-dev',
        hostName: 'app-x-default-x-dev',
        reason: 'both sides changed',
      },
    ],
    lastConverged: { 'app-x-default-x-dev': { tenantResourceVersion: '1', hostResourceVersion: '2' } },
  }),
};
