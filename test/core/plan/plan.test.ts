import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/decision/decision.ts';
import { controlPlaneNamespace } from '../../../src/core/isolation/control-plane-namespace.ts';
import type { Finding, Plan } from '../../../src/core/plan/plan-types.ts';
import { readDocuments } from '../../../src/krm/yaml/read.ts';
import { devPackage, planFiles, policy, previousOf, profile, tenant, treeOf } from '../../support/observe.ts';

const configMap = (name: string, namespace = 'default', data = 'a: b'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {${data}}\n`;
const service = (name: string, namespace = 'default'): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {selector: {app: ${name}}, ports: [{port: 80}]}\n`;

function decisionsOf(result: Plan): readonly Decision[] {
  return [...result.decisions, ...result.tenants.flatMap((row) => row.decisions)];
}

function reasonsOf(result: Plan, kind: string, name: string): string[] {
  return decisionsOf(result)
    .filter(({ source }) => source?.kind === kind && source.name === name)
    .map(({ reason }) => reason);
}

/** Findings but the standing one that no FlowSchema enforces apiFairness, which level restricted declares. */
function problemsOf(result: Plan): readonly Finding[] {
  return result.findings.filter(({ reason }) => reason !== 'NotEnforced');
}

describe('plan', () => {
  it('projects a listed kind under its host name, with identity and the decision on it', () => {
    const result = planFiles(devPackage({ 'settings.yaml': configMap('settings') }));
    expect(problemsOf(result)).toEqual([]);
    expect(treeOf(result).get('team-dev/configmap_settings-x-default-x-dev.yaml')).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-x-default-x-dev
  namespace: team-dev
  labels:
    app.kubernetes.io/managed-by: tenantplane
    tenantplane.io/kind: configmap
    tenantplane.io/tenant: dev
    tenantplane.io/virtual-namespace: default
  annotations:
    tenantplane.io/caused-by: SyncPolicy/default[v1/ConfigMap]
    tenantplane.io/decision: tp1/Project/TP2001
    tenantplane.io/isolation: IsolationProfile/restricted
    tenantplane.io/origin: git
    tenantplane.io/rewrites: rw.identity
    tenantplane.io/source-path: tenants/dev/objects/settings.yaml
    tenantplane.io/tenant-cluster: team-dev/dev
    tenantplane.io/virtual-name: settings
    tenantplane.io/virtual-namespace: default
data:
  a: b
`);
  });

  it('takes an object that says it is rendered for the tenant’s all the same, in an objects/ folder', () => {
    const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, annotations: {tenantplane.io/origin: git}}\n';
    const result = planFiles({ ...devPackage({ 'settings.yaml': settings }), 'out/settings.yaml': settings });
    const reasons = decisionsOf(result).flatMap(({ source, reason }) =>
      source?.name === 'settings' ? [`${source.file.path} ${reason}`] : [],
    );
    expect(reasons.sort()).toEqual(['out/settings.yaml PlatformObject', 'tenants/dev/objects/settings.yaml PolicyMatched']);
    expect(treeOf(result).has('team-dev/configmap_settings-x-default-x-dev.yaml')).toBe(true);
  });

  const scope: readonly (readonly [what: string, object: string, reason: string])[] = [
    [
      'a kind that the policy does not list',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: nx}\nspec: {podSelector: {}}\n',
      'KindNotListed',
    ],
    ['the tenant’s kube-system', configMap('coredns', 'kube-system'), 'SystemNamespace'],
    ['ConfigMap kube-root-ca.crt', configMap('kube-root-ca.crt'), 'ControlPlaneInfrastructure'],
    ['Service default/kubernetes', service('kubernetes'), 'ControlPlaneInfrastructure'],
    ['a ClusterRole', 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: nx}\n', 'KindIsClusterScoped'],
    [
      'a PersistentVolume that names a namespace',
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: nx, namespace: x}\n',
      'KindIsClusterScoped',
    ],
    ['a RoleBinding', 'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: nx}\n', 'KindNeverProjected'],
    ['a ResourceQuota', 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: nx}\n', 'KindNeverProjected'],
    ['an unknown kind', 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: nx}\n', 'KindUnknown'],
    ['a kind in the wrong case', 'apiVersion: v1\nkind: secret\nmetadata: {name: nx}\n', 'KindNotServed'],
    [
      'a known kind of an unknown version',
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: nx}\n',
      'KindNotServed',
    ],
    ['a fact of a version that no host has', 'apiVersion: v2\nkind: ServiceAccount\nmetadata: {name: nx}\n', 'KindNotServed'],
    ['an object without apiVersion', 'kind: Deployment\nmetadata: {name: nx}\n', 'ObjectMalformed'],
    ['an object without kind', 'apiVersion: apps/v1\nmetadata: {name: nx}\n', 'ObjectMalformed'],
    ['a ServiceAccount, which is a fact', 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: nx}\n', 'FactRead'],
    ['a Namespace, which is a fact', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: nx}\n', 'FactRead'],
    ['a name with a path in it', configMap('../../kube-system/x'), 'InvalidName'],
    ['a name in upper case', configMap('Settings'), 'InvalidName'],
    ['a Service name that begins with a digit', service('1web'), 'InvalidName'],
    ['a namespace with a dot', configMap('a', 'a.b'), 'InvalidName'],
    ['a name that YAML reads as a boolean', configMap('n'), 'ObjectMalformed'],
    ['a namespace that YAML reads as a number', configMap('a', '456'), 'ObjectMalformed'],
    ['generateName alone', 'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: job-}\nspec: {}\n', 'NameMissing'],
    [
      'a function annotation',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f, annotations: {config.kubernetes.io/function: "exec: {path: x}"}}\n',
      'FunctionInTenant',
    ],
    [
      'a label value that is no string',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f, labels: {version: 1.0}}\n',
      'ObjectMalformed',
    ],
    [
      'an annotation value that is no string',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f, annotations: {n: 1}}\n',
      'ObjectMalformed',
    ],
    [
      'a label key that Kubernetes refuses',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f, labels: {__proto__: x}}\n',
      'InvalidName',
    ],
    [
      '300 KiB of annotations',
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f, annotations: {a: "${'x'.repeat(300_000)}"}}\n`,
      'AnnotationsTooLarge',
    ],
    ['a ConfigMap of 1.1 MiB', configMap('f', 'default', `a: "${'x'.repeat(1_100_000)}"`), 'ObjectTooLarge'],
    [
      'an object that opts out',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f, annotations: {tenantplane.io/project: "false"}}\n',
      'TenantOptOut',
    ],
    ['a SOPS file', 'apiVersion: v1\nkind: Secret\nmetadata: {name: f}\nsops: {mac: x, version: 3.9.0}\n', 'EncryptedFile'],
  ];
  it.each(scope)('keeps %s off the host, and says why', (_what, object, reason) => {
    const listed = ['v1/ConfigMap', 'v1/Service', 'v1/Secret', 'batch/v1/Job', 'policy/v1/PodDisruptionBudget'];
    const result = planFiles(devPackage({ 'x.yaml': object }, { policy: policy(listed) }));
    const found = decisionsOf(result).filter(({ source }) => source?.file.path === 'tenants/dev/objects/x.yaml');
    expect(found.map((decision) => decision.reason)).toEqual([reason]);
    expect(found[0]?.action).toBe('Skip');
    expect([...treeOf(result).keys()].filter((path) => path.includes('-x-default') || path.includes('_f-'))).toEqual([]);
    expect(`${found[0]?.message} ${found[0]?.remedy}`).not.toMatch(/\{\w+\}/);
  });

  const rejected: readonly (readonly [what: string, files: Readonly<Record<string, string>>, reason: string])[] = [
    ['an IsolationProfile among tenant objects', { 'x.yaml': profile('mine', 'baseline') }, 'ConfigFromTenant'],
    ['a TenantCluster in a folder objects/objects', { 'objects/tenant.yaml': tenant('evil') }, 'ConfigFromTenant'],
    [
      'a CRD',
      { 'x.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x.y.z}\n' },
      'ConfigFromTenant',
    ],
    ['one object twice', { 'a.yaml': configMap('a'), 'b.yaml': configMap('a') }, 'SourceDuplicated'],
    [
      'an annotation of another tenant',
      { 'x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f, annotations: {tenantplane.io/tenant-cluster: team-prod/prod}}\n' },
      'TenantMismatch',
    ],
  ];
  it.each(rejected)('freezes the tenant for %s, and no other', (_what, objects, reason) => {
    const files = { ...devPackage(objects), 'tenants/ok/tenant.yaml': tenant('ok'), 'tenants/ok/objects/a.yaml': configMap('a') };
    const result = planFiles(files);
    const dev = result.tenants.find(({ name }) => name === 'dev');
    const ok = result.tenants.find(({ name }) => name === 'ok');
    expect(dev?.decisions.map((decision) => decision.reason)).toContain(reason);
    expect(dev?.frozen).toMatch(/tenants\/dev\/objects\//);
    expect(dev?.files).toEqual([]);
    expect(ok?.frozen).toBeUndefined();
    expect(ok?.files.length).toBeGreaterThan(0);
    expect(result.stopped).toBe(false);
  });

  it('the CRD of a chart is told where it belongs', () => {
    const crd = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x.y.z}\n';
    const told = planFiles(devPackage({ 'x.yaml': crd })).tenants.flatMap(({ decisions }) => decisions);
    const { remedy } = told.find(({ reason }) => reason === 'ConfigFromTenant') ?? {};
    expect(remedy).toMatch(/install it with the CRDs of the platform.*--include-crds/);
  });

  const stopping: readonly (readonly [what: string, files: Readonly<Record<string, string>>, reason: string])[] = [
    ['two tenants in one namespace', { 'tenants/b/tenant.yaml': tenant('b', { namespace: 'team-dev' }) }, 'NamespaceShared'],
    [
      'a tenant in the namespace of another’s control plane',
      {
        'tenants/x/tenant.yaml': tenant('dev-x-y', { namespace: 'team' }),
        'tenants/b/tenant.yaml': tenant('b', { namespace: controlPlaneNamespace('dev-x-y', 'team') }),
      },
      'NamespaceShared',
    ],
    ['one TenantCluster twice', { 'tenants/b/tenant.yaml': tenant('dev') }, 'SourceDuplicated'],
    ['one SyncPolicy twice', { 'other.yaml': policy() }, 'SourceDuplicated'],
    ['a platform file that does not parse', { 'platform/x.yaml': 'a: [1\n' }, 'SyntaxInvalid'],
  ];
  it.each(stopping)('stops everything for %s', (_what, files, reason) => {
    const result = planFiles({ ...devPackage({ 'a.yaml': configMap('a') }), ...files });
    expect(result.findings.map((found) => found.reason)).toContain(reason);
    expect(result.stopped).toBe(true);
  });

  const held: readonly (readonly [what: string, files: Readonly<Record<string, string>>, reason: string])[] = [
    ['a profile that is missing', { 'tenants/b/tenant.yaml': tenant('b', { profile: 'gone' }) }, 'ProfileMissing'],
    ['a policy that is missing', { 'tenants/b/tenant.yaml': tenant('b', { policy: 'gone' }) }, 'PolicyMissing'],
    ['a reserved namespace', { 'tenants/b/tenant.yaml': tenant('b', { namespace: 'kube-system' }) }, 'ReservedNamespace'],
    ['mode private', { 'tenants/b/tenant.yaml': tenant('b', { spec: '  mode: private\n' }) }, 'ModeNotImplemented'],
    ['an unknown field', { 'tenants/b/tenant.yaml': tenant('b', { spec: '  modes: shared\n' }) }, 'InputInvalid'],
    ['a tenant file that does not parse', { 'tenants/b/tenant.yaml': tenant('b'), 'tenants/b/objects/x.yaml': 'a: [1\n' }, 'SyntaxInvalid'],
    [
      'unrestricted egress under sandboxed',
      {
        'p.yaml': profile('box', 'sandboxed'),
        'tenants/b/tenant.yaml': tenant('b', { profile: 'box', spec: '  networking: {egressPolicy: unrestricted}\n' }),
      },
      'EgressTooOpen',
    ],
    [
      'a policy that lists a cluster-scoped kind',
      { 'p.yaml': policy(['rbac.authorization.k8s.io/v1/ClusterRole'], 'bad'), 'tenants/b/tenant.yaml': tenant('b', { policy: 'bad' }) },
      'EntryUnparseable',
    ],
  ];
  it.each(held)('holds the one tenant with %s, and writes the others', (_what, files, reason) => {
    const result = planFiles({ ...devPackage({ 'a.yaml': configMap('a') }), ...files });
    expect(result.findings.map((found) => found.reason)).toContain(reason);
    expect(result.stopped).toBe(false);
    expect(result.tenants.find(({ name }) => name === 'b')?.frozen).toBeDefined();
    expect(result.tenants.find(({ name }) => name === 'dev')?.files.length).toBeGreaterThan(0);
  });

  it('warns of an entry that is never reached, and uses the first', () => {
    const result = planFiles(devPackage({ 'a.yaml': configMap('a') }, { policy: policy(['v1/ConfigMap', 'v1/ConfigMap']) }));
    expect(problemsOf(result).map((found) => found.reason)).toEqual(['PolicyEntryShadowed']);
    expect(reasonsOf(result, 'ConfigMap', 'a')).toEqual(['PolicyMatched']);
  });
});

describe('the old tree', () => {
  const before = devPackage({ 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });

  it('gives each removed object one decision, and takes its file out', () => {
    const old = previousOf(planFiles(before));
    const result = planFiles(devPackage({ 'a.yaml': configMap('a') }), {}, old);
    expect(result.removed).toEqual(['team-dev/configmap_b-x-default-x-dev.yaml']);
    const gone = decisionsOf(result).filter(({ action }) => action === 'Delete');
    expect(gone.map(({ reason, host }) => [reason, host?.name])).toEqual([['SourceRemoved', 'b-x-default-x-dev']]);
  });

  it('says that the policy dropped a kind, not that the object is gone', () => {
    const old = previousOf(planFiles(before));
    const result = planFiles({ ...before, 'platform/policy.yaml': policy(['v1/Service']) }, {}, old);
    expect(
      decisionsOf(result)
        .filter(({ action }) => action === 'Delete')
        .map(({ reason }) => reason),
    ).toEqual(['ScopeRemoved', 'ScopeRemoved']);
  });

  it('says of a copy of configuration that it is gone, not that a tenant without a name is', () => {
    const old = previousOf(planFiles({ ...before, 'more.yaml': policy(['v1/Service'], 'more') }));
    const gone = decisionsOf(planFiles(before, {}, old)).filter(({ action }) => action === 'Delete');
    expect(gone.map(({ reason, message }) => [reason, message])).toEqual([
      ['ScopeRemoved', 'SyncPolicy more is no longer projected: the package no longer holds it, or output.config leaves it out.'],
    ]);
  });

  it('removes nothing of a frozen tenant', () => {
    const old = previousOf(planFiles(before));
    const result = planFiles(devPackage({ 'a.yaml': configMap('a'), 'evil.yaml': profile('mine') }), {}, old);
    expect(result.removed).toEqual([]);
  });

  it('never overwrites a file that is not ours', () => {
    const foreign = previousOf(planFiles(before)).map((entry) =>
      entry.source.path.endsWith('configmap_a-x-default-x-dev.yaml')
        ? { ...entry, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a-x-default-x-dev' } } }
        : entry,
    );
    const result = planFiles(before, {}, foreign);
    expect(reasonsOf(result, 'ConfigMap', 'a')).toEqual(['HostObjectForeign']);
    expect(treeOf(result).has('team-dev/configmap_a-x-default-x-dev.yaml')).toBe(false);
  });

  it('never stands a second object of the same name beside one that is not ours', () => {
    const file = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a-x-default-x-dev, namespace: team-dev}\n';
    const result = planFiles(before, {}, readDocuments(file, 'team-dev/by-hand.yaml').objects);
    expect(reasonsOf(result, 'ConfigMap', 'a')).toEqual(['HostObjectForeign']);
    expect(result.removed).toEqual([]);
  });

  it('never overwrites somebody else’s file in config/', () => {
    const path = 'config/syncpolicy.tenantplane.io_default.yaml';
    const result = planFiles(before, {}, readDocuments('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n', path).objects);
    expect(treeOf(result).has(path)).toBe(false);
    expect(reasonsOf(result, 'SyncPolicy', 'default')).toEqual(['HostObjectForeign']);
  });

  it('writes a broken file of ours anew: nobody else lost anything', () => {
    const broken = previousOf(planFiles(before)).map((entry) =>
      entry.source.path.endsWith('configmap_a-x-default-x-dev.yaml') ? { ...entry, object: {}, broken: true } : entry,
    );
    const result = planFiles(before, {}, broken);
    expect(treeOf(result).has('team-dev/configmap_a-x-default-x-dev.yaml')).toBe(true);
    expect(reasonsOf(result, 'ConfigMap', 'a')).toEqual(['PolicyMatched']);
  });

  it('takes no rendered tree of another package for input', () => {
    const rendered = Object.fromEntries([...treeOf(planFiles(before))].map(([path, text]) => [`other/host/${path}`, text]));
    const result = planFiles({ ...before, ...rendered });
    expect(result.stopped).toBe(false);
    expect(result.tenants).toHaveLength(1);
  });

  it('refuses to remove more than half of a tree, and says how to mean it', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`c${index}.yaml`, configMap(`c${index}`)]));
    const old = previousOf(planFiles(devPackage(many)));
    const result = planFiles(devPackage({}), {}, old);
    expect(result.stopped).toBe(true);
    expect(problemsOf(result).map(({ reason, remedy }) => [reason, remedy])).toEqual([
      ['MassDeleteHeld', 'If that is meant, repeat with --max-deletions 60 (config: maxDeletions).'],
    ]);
    expect(planFiles(devPackage({}), { maxDeletions: 60 }, old).stopped).toBe(false);
  });

  it('refuses to leave an empty tree', () => {
    const old = previousOf(planFiles(before));
    expect(problemsOf(planFiles({}, {}, old)).map(({ reason }) => reason)).toEqual(['EmptyOutput']);
    expect(planFiles({}, { allowEmpty: true, maxDeletions: 100 }, old).stopped).toBe(false);
  });

  it('holds a rename that would start every volume empty, until it is confirmed', () => {
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
    const old = previousOf(planFiles(devPackage({ 'data.yaml': claim })));
    const renamed = (spec?: string) => ({
      ...devPackage({ 'data.yaml': claim }),
      'tenants/dev/tenant.yaml': tenant('dev2', { namespace: 'team-dev', ...(spec !== undefined && { spec }) }),
    });
    const result = planFiles(renamed(), { maxDeletions: 100 }, old);
    expect(problemsOf(result).map(({ reason }) => reason)).toEqual(['RenameLosesData']);
    expect(result.removed).toEqual([]);
    const confirmed = planFiles(renamed('  migration: {confirmRenameFrom: dev}\n'), { maxDeletions: 100 }, old);
    expect(problemsOf(confirmed)).toEqual([]);
    expect(confirmed.removed).toContain('team-dev/persistentvolumeclaim_data-x-default-x-dev.yaml');
  });

  it('says where a changed field needs a replace, and asks for it only on opt-in and never for claims', () => {
    const job = (image: string): string =>
      `apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      securityContext: {runAsNonRoot: true}\n      containers: [{name: c, image: ${image}, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]\n`;
    const old = previousOf(planFiles(devPackage({ 'j.yaml': job('a:1') })));
    const path = 'team-dev/job.batch_j-x-default-x-dev.yaml';
    const result = planFiles(devPackage({ 'j.yaml': job('a:2') }), {}, old);
    expect(decisionsOf(result).flatMap(({ notes }) => notes.map(({ reason }) => reason))).toContain('ReplaceNeeded');
    expect(treeOf(result).get(path)).not.toContain('Replace=true');
    const optedIn = (text: string, previous: typeof old): Plan =>
      planFiles(devPackage({ 'j.yaml': text }, { spec: '  migration: {replaceImmutable: true}\n' }), {}, previous);
    const opted = optedIn(job('a:2'), old);
    expect(treeOf(opted).get(path)).toContain('argocd.argoproj.io/sync-options: Replace=true,Force=true');
    // nobody knows yet whether it was delivered
    const again = optedIn(job('a:2'), previousOf(opted));
    expect(treeOf(again).get(path)).toBe(treeOf(opted).get(path));
    const then = job('a:2').replace('spec:\n', 'spec:\n  parallelism: 2\n');
    expect(treeOf(optedIn(then, previousOf(again))).get(path)).not.toContain('Replace=true');
  });
});
