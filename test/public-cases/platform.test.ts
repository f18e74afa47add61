import { describe, expect, it } from 'vitest';
import { decisionId } from '../../src/core/decision/decide.ts';
import { type JsonObject, objectAt, objectsOf } from '../../src/core/kube/json.ts';
import { devPackage, planFiles, policy, previousOf, profile, tenant, treeOf } from '../support/observe.ts';
import { decisionsOf, valueAt } from './case.ts';
import { configMap, pod } from './pods.ts';

const PLAN = (files: Readonly<Record<string, string>>): ReturnType<typeof planFiles> =>
  planFiles({ ...devPackage({ 'a.yaml': configMap('a') }), ...files });
const made = (kind: string, name: string, files: Readonly<Record<string, string>> = {}): JsonObject | undefined =>
  PLAN(files)
    .tenants.flatMap((row) => row.files)
    .find(({ object }) => object['kind'] === kind && valueAt(object, 'metadata name') === name)?.object;

describe('what platform input may not say', () => {
  const rows: readonly (readonly [title: string, files: Readonly<Record<string, string>>, reason: string])[] = [
    ...['kube-system', 'kube-public', 'kube-node-lease', 'default', 'argocd', 'flux-system', 'tenantplane-system'].map(
      (namespace) =>
        [
          `T-R10 E57 CVE-2024-39690, CVE-2025-55205: a tenant moves into ${namespace}`,
          { 'tenants/b/tenant.yaml': tenant('b', { namespace }) },
          'ReservedNamespace',
        ] as const,
    ),
    ...[
      'rbac.authorization.k8s.io/v1/ClusterRole',
      'v1/PersistentVolume',
      'v1/Namespace',
      'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
    ].map(
      (kind) =>
        [
          `T-K1 E53 CVE-2026-22872: a policy lists ${kind}, for which a tenant has no place`,
          { 'p.yaml': policy([kind], 'bad'), 'tenants/b/tenant.yaml': tenant('b', { policy: 'bad' }) },
          'EntryUnparseable',
        ] as const,
    ),
    ...['rbac.authorization.k8s.io/v1/RoleBinding', 'v1/ResourceQuota'].map(
      (kind) =>
        [
          `MTB-PL1-CC-TI-1, MTB-PL2-CC-TI-1: a policy lists ${kind}, which is the platform’s to set`,
          { 'p.yaml': policy([kind], 'bad'), 'tenants/b/tenant.yaml': tenant('b', { policy: 'bad' }) },
          'EntryUnparseable',
        ] as const,
    ),
  ];
  it.each(rows)('%s', (_title, files, reason) => {
    const result = PLAN(files);
    expect(result.findings.map((found) => found.reason)).toContain(reason);
    expect(result.tenants.find(({ name }) => name === 'b')?.files ?? []).toEqual([]);
    expect(result.tenants.find(({ name }) => name === 'dev')?.files.length).toBeGreaterThan(0);
  });

  it.each(['TenantCluster', 'IsolationProfile', 'SyncPolicy'])('T-F4 E56 CVE-2022-36035: a tenant brings a %s of its own', (kind) => {
    const evil = { TenantCluster: tenant('evil'), IsolationProfile: profile('restricted', 'baseline'), SyncPolicy: policy() }[kind] ?? '';
    const result = PLAN({ 'tenants/dev/objects/evil.yaml': evil });
    expect(decisionsOf(result).map(({ reason }) => reason)).toContain('ConfigFromTenant');
    expect(result.tenants.find(({ name }) => name === 'dev')?.frozen).toContain('tenants/dev/objects/evil.yaml');
    expect(result.tenants.some(({ name }) => name === 'evil')).toBe(false);
  });

  it('E62 T-F3: one object stands twice, and one of the two is swallowed', () => {
    const result = PLAN({ 'tenants/dev/objects/b.yaml': configMap('a') });
    const twice = decisionsOf(result).filter(({ reason }) => reason === 'SourceDuplicated');
    expect(twice).toHaveLength(2);
    for (const { message } of twice) expect(message).toMatch(/tenants\/dev\/objects\/a\.yaml:1, tenants\/dev\/objects\/b\.yaml:1/);
    expect(result.tenants[0]?.frozen).toBeDefined();
  });
});

describe('the sandbox', () => {
  it('E28: an empty runtime class, which the API takes for none said, leaves the pods of a sandbox without one', () => {
    const box = profile('restricted', 'sandboxed', '  controls: {runtimeClassName: ""}\n');
    const result = planFiles(devPackage({ 'p.yaml': pod() }, { profile: box }));
    expect(treeOf(result).get('team-dev/pod_p-x-default-x-dev.yaml')).toContain('runtimeClassName: kata-qemu');
  });
});

describe('the boundary that is compiled', () => {
  it('MTB-PL1-CC-FNS-1, MTB-PL1-CC-FNS-2: CPU and memory have a quota, storage and counts have none', () => {
    const files = { 'tenants/dev/tenant.yaml': tenant('dev', { spec: '  resources: {cpu: "4", memory: 8Gi}\n' }) };
    const hard = {
      ...objectAt(made('ResourceQuota', 'tenantplane-quota', files), 'spec', 'hard'),
      ...objectAt(made('ResourceQuota', 'tenantplane-counts', files), 'spec', 'hard'),
    };
    expect(Object.keys(hard)).toEqual(
      expect.arrayContaining([
        'requests.cpu',
        'limits.memory',
        'requests.storage',
        'persistentvolumeclaims',
        'pods',
        'services.nodeports',
        'services.loadbalancers',
      ]),
    );
    expect(hard).toMatchObject({ 'services.nodeports': '0', 'services.loadbalancers': '0' });
  });

  it('T-R7 CVE-2022-3294, CVE-2020-8561, CVE-2020-8562: the tenant’s API server calls what its tenant tells it to', () => {
    const deny = made('NetworkPolicy', 'tenantplane-cp-default-deny');
    expect(deny?.['spec']).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const egress = objectsOf(valueAt(made('NetworkPolicy', 'tenantplane-cp'), 'spec egress'));
    expect(egress.flatMap((rule) => objectsOf(rule['ports']).map(({ port }) => port))).toEqual([53, 53]);
    expect(JSON.stringify(egress)).not.toContain('ipBlock');
  });

  it('MTB-PL1-BC-CPI-2: the boundary is opened by a pod label, since the control plane lives among the tenant’s pods', () => {
    const result = PLAN({});
    const spaces = result.tenants.flatMap(({ files }) => files).filter(({ object }) => object['kind'] === 'Namespace');
    expect(new Set(spaces.map(({ object }) => valueAt(object, 'metadata name'))).size).toBe(2);
    for (const { object } of result.tenants.flatMap(({ files }) => files)) {
      expect(JSON.stringify(object)).not.toContain('isolation-exempt');
    }
    expect(valueAt(made('NetworkPolicy', 'tenantplane-default-deny'), 'spec podSelector')).toEqual({});
  });

  it('S70 PSA: the host admits what the render refuses, since its namespace has no Pod Security', () => {
    expect(valueAt(made('Namespace', 'team-dev'), 'metadata labels')).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    const low = PLAN({ 'platform/profile.yaml': profile('restricted', 'baseline') });
    expect(treeOf(low).get('team-dev/namespace_team-dev.yaml')).toContain('pod-security.kubernetes.io/enforce: baseline');
  });

  it('T-P17: the quota that stops high priorities is missing, so whoever gets past the render may preempt', () => {
    expect(valueAt(made('ResourceQuota', 'tenantplane-no-high-priority'), 'spec')).toMatchObject({ hard: { pods: '0' } });
    expect(valueAt(made('ResourceQuota', 'tenantplane-no-cross-ns-affinity'), 'spec')).toMatchObject({ hard: { pods: '0' } });
  });

  it('S59 vcluster PR#3357: a workload that calls kubernetes.default finds the host’s API, or none', () => {
    const server = PLAN({ 'tenants/dev/tenant.yaml': tenant('dev', { spec: '  networking: {dns: server, dnsServiceIP: 10.96.5.5}\n' }) });
    const corefile = [...treeOf(server)].map(([, text]) => text).find((text) => text.includes('Corefile')) ?? '';
    expect(corefile).toMatch(/kubernetes\\?\.default/);
  });
});

describe('a tenant over time', () => {
  it('S18 vcluster#119, vcluster#1084, vcluster#932: a tenant of another name takes over a namespace, and its volumes start empty', () => {
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: d}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
    const old = previousOf(planFiles(devPackage({ 'a.yaml': claim })));
    const renamed = { ...devPackage({ 'a.yaml': claim }), 'tenants/dev/tenant.yaml': tenant('new', { namespace: 'team-dev' }) };
    expect(planFiles(renamed, {}, old).findings.map(({ reason }) => reason)).toContain('RenameLosesData');
  });

  it('S18 vcluster#40: what a removed tenant leaves on the host is told to nobody', () => {
    const both = {
      ...devPackage({ 'a.yaml': configMap('a') }),
      'tenants/b/tenant.yaml': tenant('b'),
      'tenants/b/objects/a.yaml': configMap('a'),
    };
    const old = previousOf(planFiles(both));
    const result = planFiles(devPackage({ 'a.yaml': configMap('a') }), { maxDeletions: 100 }, old);
    const gone = decisionsOf(result).filter(({ action }) => action === 'Delete');
    expect(gone.length).toBe(result.removed.length);
    expect(gone.length).toBeGreaterThan(5);
    for (const { message } of gone) expect(message).toBe('TenantCluster team-b/b is gone.');
    for (const { reason, tenant: of } of gone) expect([reason, of.name]).toEqual(['TenantRemoved', 'b']);
    const left = gone
      .filter(({ notes }) => notes.some((note) => note.reason === 'DataLeftBehind'))
      .map(({ host }) => `${host?.kind} ${host?.name}`);
    expect(left).toContain('Namespace team-b');
  });

  it('T-R9 CVE-2024-7598: the policies go before the workloads that they close', () => {
    const deny = treeOf(PLAN({})).get('team-dev/networkpolicy.networking.k8s.io_tenantplane-default-deny.yaml');
    expect(deny).toContain('argocd.argoproj.io/sync-options: Prune=false,Delete=false');
    expect(deny).toContain('kustomize.toolkit.fluxcd.io/prune: disabled');
  });

  it('E68: order of files changes the bytes', () => {
    const objects = Object.fromEntries(['b', 'a', 'c', 'Ä', 'z'].map((name, index) => [`${name}.yaml`, configMap(`m${index}`)]));
    const files = devPackage(objects);
    const shuffled = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a.length % 3) - (b.length % 3) || (a < b ? 1 : -1)));
    expect([...treeOf(planFiles(shuffled))].sort()).toEqual([...treeOf(planFiles(files))].sort());
    expect(decisionsOf(planFiles(shuffled)).map(decisionId)).toEqual(decisionsOf(planFiles(files)).map(decisionId));
  });
});
