import { PLATFORM, tenantYaml } from '../../harness.ts';
import { policySpec, profileSpec, type Row, TENANT, tenantOf, tenantSpec } from '../row.ts';

const PROFILE = 'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: {name: NAME}\nspec: {level: baseline}\n';
const dns = (address: string): string => `  networking: {dnsServiceIP: ${address}}\n`;

/** Configuration of the platform that cannot be what was meant. */
export const CONFIGURATION: readonly Row[] = [
  tenantSpec('a misspelt field of a TenantCluster', '  isolationProfilRef: {name: restricted}\n'),
  tenantSpec('a misspelt field deep in a TenantCluster', '  networking: {egresPolicy: unrestricted}\n'),
  tenantSpec('a field in the wrong place', '  storage: {size: 1Gi}\n'),
  tenantSpec('a field that nobody knows', '  colour: green\n'),
  profileSpec('a misspelt field of an IsolationProfile', '  level: restricted\n  contrls: {podSecurity: restricted}\n'),
  policySpec('a misspelt field of a SyncPolicy', '  - {apiVersion: v1, kind: PersistentVolumeClaim, directon: toHost}\n'),
  tenantSpec('a list instead of a map', '  networking: [a]\n'),
  tenantSpec('text instead of a number', '  controlPlane: {replicas: "3"}\n'),
  tenantSpec('text instead of a boolean', '  volumes: {prune: "yes"}\n'),
  tenantSpec('an unquoted version', '  kubernetesVersion: 1.30\n'),
  tenantSpec('a mode that there is not', '  mode: shard\n'),
  tenantSpec('a negative number', '  controlPlane: {replicas: -1}\n'),
  tenantSpec('a bad quantity', '  resources: {cpu: 4 cores, memory: 8Gi}\n'),
  tenantSpec('a bad CIDR', '  networking: {podCIDR: 10.42.0.0/33}\n'),
  tenantSpec('a bad address', dns('10.96.0.300')),
  tenantSpec('dns: server without an address', '  networking: {dns: server}\n'),
  {
    what: 'one DNS address twice',
    files: { [TENANT]: tenantYaml('dev', dns('10.96.0.53')), 'tenants/qa/tenant.yaml': tenantYaml('qa', dns('10.96.0.53')) },
  },
  {
    what: 'a DNS address outside of the service range',
    files: {
      [TENANT]: tenantYaml('dev', dns('10.1.0.53')),
      'render.yaml': 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nspec: {host: {serviceCIDRs: [10.96.0.0/12]}}\n',
    },
  },
  {
    what: 'no spec',
    files: { [TENANT]: 'apiVersion: tenantplane.io/v1alpha1\nkind: TenantCluster\nmetadata: {name: dev, namespace: team-dev}\n' },
  },
  { what: 'a profile that there is not', files: { [TENANT]: tenantYaml('dev').replace('{name: restricted}', '{name: restrictd}') } },
  { what: 'a policy that there is not', files: { [TENANT]: tenantYaml('dev').replace('{name: default}', '{name: standard}') } },
  { what: 'a TenantCluster without a namespace', files: { [TENANT]: tenantYaml('dev').replace(', namespace: team-dev', '') } },
  { what: 'a TenantCluster in kube-system', files: { [TENANT]: tenantOf('dev', 'kube-system') } },
  { what: 'an illegal tenant name', files: { [TENANT]: tenantOf('Dev_1', 'team-dev') } },
  { what: 'two tenants in one namespace', files: { 'tenants/ci/tenant.yaml': tenantOf('ci', 'team-dev') } },
  { what: 'one TenantCluster twice', files: { 'tenants/again/tenant.yaml': tenantYaml('dev') } },
  { what: 'two TenantClusters beside one objects/', files: { 'tenants/dev/second.yaml': tenantYaml('second') } },
  { what: 'one profile twice', files: { 'more.yaml': PROFILE.replace('NAME', 'restricted') } },
  { what: 'one policy twice', files: { 'more.yaml': PLATFORM.slice(PLATFORM.indexOf('---\n') + 4) } },
  { what: 'an API version that is not ours yet', files: { [TENANT]: tenantYaml('dev').replace('v1alpha1', 'v1beta1') } },
  { what: 'an API group that is misspelt', files: { [TENANT]: tenantYaml('dev').replace('tenantplane.io', 'tenantplan.io') } },
  { what: 'a TenantCluster without its kind', files: { [TENANT]: tenantYaml('dev').replace('kind: TenantCluster\n', '') } },
  { what: 'a TenantCluster without a name', files: { [TENANT]: tenantYaml('dev').replace('name: dev, ', '') } },
  { what: 'a TenantCluster that is gone while its objects stay', remove: [TENANT] },
  {
    what: 'a config that names a tenant that there is not',
    files: {
      'render.yaml': 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nspec: {tenant: {name: dve, namespace: team-dev}}\n',
    },
  },
  { what: 'a misspelt kind', files: { [TENANT]: tenantYaml('dev').replace('TenantCluster', 'TenantClustr') } },
  tenantSpec('mode: private', '  mode: private\n'),
  tenantSpec('mode: dedicated without nodes', '  mode: dedicated\n'),
  tenantSpec('a quota that is too small', '  resources: {cpu: 10m, memory: 1Mi}\n'),
  profileSpec('a level that there is not', '  level: resticted\n'),
  {
    what: 'sandboxed with unrestricted egress',
    files: {
      [TENANT]: tenantYaml('dev', '  networking: {egressPolicy: unrestricted}\n').replace('{name: restricted}', '{name: boxed}'),
    },
  },
  profileSpec('a minimum above its maximum', '  level: restricted\n  limits: {min: {cpu: "2"}, max: {cpu: "1"}}\n'),
  profileSpec(
    'a default that its own ratio forbids',
    '  level: restricted\n  limits: {defaultRequest: {cpu: 10m}, default: {cpu: "1"}, maxLimitRequestRatio: {cpu: "2"}}\n',
  ),
  profileSpec('a control below its level', '  level: restricted\n  controls: {defaultDenyNetworkPolicy: false}\n', {
    argv: ['validate', '--fail-on', 'warning', '--tenant', 'dev'],
  }),
  profileSpec('an annotation rule with a star in the middle', '  level: restricted\n  allow: {annotations: ["example.com/*/x"]}\n'),
  policySpec('a cluster-scoped kind in a policy', '  - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, direction: toHost}\n'),
  policySpec('a kind of our own in a policy', '  - {apiVersion: tenantplane.io/v1alpha1, kind: TenantCluster, direction: toHost}\n'),
  policySpec('a plural in a policy', '  - {apiVersion: v1, kind: configmaps, direction: toHost}\n'),
  policySpec('a kind twice in a policy', '  - {apiVersion: v1, kind: ConfigMap, direction: fromHost}\n', {
    argv: ['validate', '--fail-on', 'warning'],
  }),
  policySpec('a direction that there is not', '  - {apiVersion: v1, kind: PersistentVolumeClaim, direction: tohost2}\n'),
  policySpec(
    'a bad path in a policy',
    '  - {apiVersion: example.com/v1, kind: Gadget, direction: toHost, scope: Namespaced, references: [{path: "$.spec..name", kind: Secret}]}\n',
  ),
];
