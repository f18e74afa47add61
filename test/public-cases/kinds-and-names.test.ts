import { describe, expect, it } from 'vitest';
import { devPackage, planFiles, policy, tenant, treeOf } from '../support/observe.ts';
import { type Case, cases, decisionsOf } from './case.ts';
import { configMap, deployment } from './pods.ts';

const object = (apiVersion: string, kind: string, more = ''): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: o}\n${more}`;

const KINDS: readonly Case[] = [
  ...(
    [
      ['T-K1 E53', 'CVE-2026-22872, MTB-PL1-CC-CPI-1', 'rbac.authorization.k8s.io/v1', 'ClusterRole'],
      ['T-K1 E53', 'CVE-2026-65835', 'admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
      ['T-K1 T-P15 E53', 'vcluster shared-node guide', 'v1', 'PersistentVolume'],
      ['T-K1', 'CVE-2026-22872', 'storage.k8s.io/v1', 'StorageClass'],
      ['T-K1', 'vcluster#3756, vcluster#1944', 'v1', 'Node'],
      ['T-P17', 'vcluster#22', 'scheduling.k8s.io/v1', 'PriorityClass'],
    ] as const
  ).map(
    ([id, refs, apiVersion, kind]): Case => ({
      id,
      refs,
      wrong: `a ${kind} of a tenant acts on the whole host`,
      input: object(apiVersion, kind),
      refused: 'KindIsClusterScoped',
    }),
  ),
  {
    id: 'T-K1 E53',
    refs: 'CVE-2025-55205',
    wrong: 'a Namespace of a tenant becomes one of the host',
    input: object('v1', 'Namespace'),
    refused: 'FactRead',
  },
  {
    id: 'S11 T-P9',
    refs: 'vcluster#370, vcluster#862, vcluster#884, vcluster#1310',
    wrong: 'an account with a cloud role is copied, with a cut name that the cloud’s trust policy does not know, or without',
    input: `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ${'a'.repeat(60)}, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::1:role/x"}}\n`,
    refused: 'FactRead',
  },
  ...(
    [
      ['T-K4', 'MTB-PL2-CC-TI-1', 'rbac.authorization.k8s.io/v1', 'RoleBinding', 'gives an account of the host rights'],
      ['T-K4', 'MTB-PL2-CC-TI-1', 'rbac.authorization.k8s.io/v1', 'Role', 'gives rights on the host'],
      ['MTB-TI-1', 'MTB-PL1-CC-TI-1', 'v1', 'ResourceQuota', 'changes the quota around the tenant'],
      ['MTB-TI-1', 'MTB-PL1-CC-TI-1', 'v1', 'LimitRange', 'changes the limits around the tenant'],
      ['T-K5', 'event and lease spam', 'v1', 'Event', 'fills the host’s store'],
      ['T-K5', 'event and lease spam', 'coordination.k8s.io/v1', 'Lease', 'takes a lease that a controller of the host waits for'],
    ] as const
  ).map(
    ([id, refs, apiVersion, kind, what]): Case => ({
      id,
      refs,
      wrong: `a ${kind} of a tenant ${what}`,
      input: object(apiVersion, kind),
      refused: 'KindNeverProjected',
    }),
  ),
  ...[
    'argoproj.io/v1alpha1 Application',
    'kubevirt.io/v1 VirtualMachine',
    'helm.cattle.io/v1 HelmChart',
    'cert-manager.io/v1 Certificate',
  ].map((text): Case => {
    const [apiVersion = '', kind = ''] = text.split(' ');
    return {
      id: 'T-K2',
      refs: 'vcluster shared-node guide',
      wrong: `a ${kind} is passed on, and a controller of the host does what it says`,
      input: object(apiVersion, kind),
      refused: 'KindUnknown',
    };
  }),
  {
    id: 'T-K6',
    refs: 'CVE-2026-55636',
    wrong: 'a kind in another case slips past a rule for its kind',
    input: object('v1', 'secret', 'stringData: {a: b}\n'),
    refused: 'KindNotServed',
  },
  {
    id: 'T-K6',
    refs: 'CVE-2026-55636',
    wrong: 'the plural is taken for the kind',
    input: object('v1', 'Secrets', 'stringData: {a: b}\n'),
    refused: 'KindNotServed',
  },
  {
    id: 'T-K6',
    refs: 'CVE-2026-30963',
    wrong: 'a group that looks like the right one is taken for it',
    input: object('extensions/v1beta1', 'Ingress'),
    refused: 'KindNotServed',
  },
  {
    id: 'T-K3 S51',
    refs: 'k3k#216, k3k#521',
    wrong: 'a DaemonSet puts a pod on every node of the host',
    input: deployment().replace('kind: Deployment', 'kind: DaemonSet'),
    refused: 'OptInNeeded',
    says: /allow\.daemonSets/,
  },
  {
    id: 'S56',
    refs: 'vcluster#3220',
    wrong: 'a kind is not synced, and nothing says that it is the policy',
    policy: policy(['v1/Pod']),
    input: 'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {maxUnavailable: 1}\n',
    refused: 'KindNotListed',
    says: /SyncPolicy default has no entry for policy\/v1\/PodDisruptionBudget.*\{apiVersion: policy\/v1, kind: PodDisruptionBudget, direction: toHost\}/,
  },
];

const SYSTEM: readonly Case[] = [
  {
    id: 'T-M3 E52',
    refs: 'kube-root-ca.crt is every namespace’s own',
    wrong: 'the host’s certificate authority is replaced by the tenant’s',
    input: configMap('kube-root-ca.crt'),
    refused: 'ControlPlaneInfrastructure',
  },
  {
    id: 'T-M3 E52 S32',
    refs: 'vcluster#2251, vcluster#2130, vcluster#2091',
    wrong: 'the Service of the tenant’s API is mapped like any other',
    input: 'apiVersion: v1\nkind: Service\nmetadata: {name: kubernetes, namespace: default}\nspec: {ports: [{port: 443}]}\n',
    refused: 'ControlPlaneInfrastructure',
  },
  {
    id: 'T-M4 E52',
    refs: 'the tenant’s system namespaces are its control plane’s',
    wrong: 'what runs the tenant’s cluster is projected',
    input: configMap('coredns', '', 'kube-system'),
    refused: 'SystemNamespace',
  },
];

const NAMES: readonly Case[] = [
  ...[
    'Settings',
    'настройки',
    'ｎginx',
    'a_b',
    'a..b',
    '-a',
    'a/b',
    '../../kube-system/x',
    'a%2fb',
    'a b',
    'n\u0456ginx',
    'x'.repeat(254),
  ].map(
    (name): Case => ({
      id: 'T-M2 S76',
      refs: 'sanitisers that take any Unicode letter',
      wrong: `the name ${JSON.stringify(name.slice(0, 24))} is turned into somebody else’s`,
      input: configMap(JSON.stringify(name)),
      refused: 'InvalidName',
      pointer: 'metadata.name',
    }),
  ),
  {
    id: 'T-M2',
    refs: 'RFC 1035',
    wrong: 'a Service that begins with a digit is renamed',
    input: 'apiVersion: v1\nkind: Service\nmetadata: {name: 1web}\nspec: {selector: {a: b}, ports: [{port: 80}]}\n',
    refused: 'InvalidName',
  },
  {
    id: 'T-M3',
    refs: 'names of our own objects',
    wrong: 'a tenant’s object takes the name of one of ours',
    input: configMap('tenantplane-default-deny'),
    fields: { 'metadata name': 'tenantplane-default-deny-x-default-x-dev' },
  },
];

describe('kinds', () => cases(KINDS));
describe('what every API server has', () => cases(SYSTEM));
describe('names', () => {
  cases(NAMES);

  const pairs: readonly (readonly [refs: string, a: readonly [string, string, string], b: readonly [string, string, string]])[] = [
    ['S35 k3k#162', ['nginx', 'test', 'prod'], ['nginx-test', 'default', 'prod']],
    ['S35 k3k#162', ['nginx-x-test', 'a', 'prod'], ['nginx', 'test-x-a', 'prod']],
    ['S36 T-M1 E47', ['a', 'b-x-c', 'dev'], ['a-x-b', 'c', 'dev']],
    ['S36 E48', ['app.config', 'default', 'dev'], ['app-config', 'default', 'dev']],
    ['S36', ['a--b', 'default', 'dev'], ['a-b', 'default', 'dev']],
    ['S36', [`${'a'.repeat(80)}1`, 'default', 'dev'], [`${'a'.repeat(80)}2`, 'default', 'dev']],
  ];
  it.each(pairs)('%s: two objects of a tenant get one host name', (_refs, a, b) => {
    const files = { ...devPackage({ 'a.yaml': configMap(a[0], '', a[1]), 'b.yaml': configMap(b[0], '', b[1]) }) };
    const result = planFiles(files);
    const rows = decisionsOf(result).filter(({ source }) => source?.kind === 'ConfigMap');
    expect(rows.map(({ action }) => action)).toEqual(['Create', 'Create']);
    expect(new Set(rows.map(({ host }) => host?.name)).size).toBe(2);
    // and back: what the host object says is exactly where it comes from
    for (const { host, source } of rows) {
      const text = treeOf(result).get(host?.file ?? '') ?? '';
      expect(text).toContain(`tenantplane.io/virtual-name: ${source?.name}\n`);
      expect(text).toContain(`tenantplane.io/virtual-namespace: ${source?.namespace}\n`);
    }
  });

  it('E63 T-F3 MTB-PL1-CC-TI-2: the same object in two tenants is taken for one', () => {
    const files = {
      ...devPackage({ 'a.yaml': configMap('same') }),
      'tenants/b/tenant.yaml': tenant('b'),
      'tenants/b/objects/a.yaml': configMap('same'),
    };
    expect([...treeOf(planFiles(files)).keys()].filter((path) => path.includes('/configmap_'))).toEqual([
      'team-b/configmap_same-x-default-x-b.yaml',
      'team-dev/configmap_same-x-default-x-dev.yaml',
    ]);
  });

  it('E50 k3k#521: two tenants share a namespace of the host, and their names and counts mix', () => {
    const files = {
      ...devPackage({ 'a.yaml': configMap('a', '', 'c') }),
      'tenants/c/tenant.yaml': tenant('c-x-dev', { namespace: 'team-dev' }),
      'tenants/c/objects/a.yaml': configMap('a'),
    };
    const result = planFiles(files);
    expect(result.findings.map(({ reason }) => reason)).toContain('NamespaceShared');
    expect(result.stopped).toBe(true);
  });

  it('T-L8 CVE-2026-40886, CVE-2026-65834: junk in one of our own annotations, on an object of the old tree, stops the render', () => {
    const junk = ['tp1/Project', '', '///', '\u0000', 'tp1/Project/TP2001/extra', '{"a":', '%'];
    for (const value of junk) {
      const old = {
        object: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'a-x-default-x-dev',
            namespace: 'team-dev',
            labels: { 'app.kubernetes.io/managed-by': 'tenantplane', 'tenantplane.io/tenant': value },
            annotations: {
              'tenantplane.io/decision': value,
              'tenantplane.io/tenant-cluster': value,
              'tenantplane.io/virtual-name': value,
              'tenantplane.io/origin': 'git',
            },
          },
        },
        source: { path: 'team-dev/configmap_a-x-default-x-dev.yaml', document: 0 },
      };
      const result = planFiles(devPackage({ 'x.yaml': configMap('b') }), {}, [old]);
      expect(decisionsOf(result).find(({ source }) => source?.name === 'b')?.action).toBe('Create');
      expect(result.removed).toEqual([]);
    }
  });
});
