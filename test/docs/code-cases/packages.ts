import type { JsonObject } from '../../../src/core/kube/json.ts';
import { configMap, tenantYaml } from '../../cli/harness.ts';
import { type CodeCase, ingress, OPEN, object, pod, podSpec, profile, SERVICE, workload } from './case.ts';

const BROKEN = 'a: 1\nb: [\n';
const CLAIM: JsonObject = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claim = object('v1', 'PersistentVolumeClaim', 'data', { spec: CLAIM });
const POOLED = '  mode: dedicated\n  nodePool: {nodeSelector: {pool: a}, tolerations: [{key: pool, value: a, effect: NoSchedule}]}\n';
const text = (...objects: readonly unknown[]): string => objects.map((item) => `${JSON.stringify(item)}\n`).join('---\n');

/** Codes that need more than one object, or two renders. */
export const PACKAGE_CASES: readonly CodeCase[] = [
  {
    code: 'TP1004',
    input: 'a file of somebody else where a host object belongs',
    later: {
      'host/team-dev/configmap_a-x-default-x-dev.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a-x-default-x-dev, namespace: team-dev}\n',
    },
  },
  { code: 'TP2025', input: 'a file that does not parse, after a render', later: { 'tenants/dev/objects/a.yaml': BROKEN } },
  {
    code: 'TP2026',
    input: 'a SyncPolicy with an unknown field',
    later: {
      'more.yaml': 'apiVersion: tenantplane.io/v1alpha1\nkind: SyncPolicy\nmetadata: {name: more}\nspec: {resources: [], resource: []}\n',
    },
  },
  {
    code: 'TP2031',
    input: '`render --tenant dev` where the shared files are not rendered',
    argv: ['render', '--tenant', 'dev', '-o', 'json'],
  },
  {
    code: 'TP2034',
    input: 'a Kptfile among a tenant’s objects',
    files: { ...OPEN, 'tenants/dev/objects/Kptfile': 'apiVersion: kpt.dev/v1\nkind: Kptfile\n' },
  },
  {
    code: 'TP3009',
    input: 'a profile that would go from restricted to baseline (`what-if`)',
    objects: [pod('web')],
    argv: ['what-if', '--set', 'IsolationProfile/restricted:spec.level=baseline', '-o', 'github'],
  },
  { code: 'TP3012', input: 'a host of version 1.29', argv: ['render', '--host-version', '1.29', '-o', 'json'] },
  {
    code: 'TP3035',
    input: 'one Ingress host of two tenants',
    files: {
      ...OPEN,
      'profile.yaml': profile({ level: 'restricted', allow: { ingressClasses: ['nginx'], ingressHostSuffixes: ['example.com'] } }),
      'tenants/qa/tenant.yaml': tenantYaml('qa'),
      'tenants/qa/objects/i.yaml': text(SERVICE, ingress('web', 'shop.example.com')),
    },
    objects: [SERVICE, ingress('web', 'shop.example.com')],
  },
  { code: 'TP5001', input: 'an object that was taken out', objects: [pod('web')], later: { 'tenants/dev/objects/b.yaml': undefined } },
  {
    code: 'TP5002',
    input: 'an object whose kind leaves the policy',
    later: {
      'policy.yaml': JSON.stringify({
        apiVersion: 'tenantplane.io/v1alpha1',
        kind: 'SyncPolicy',
        metadata: { name: 'default' },
        spec: { resources: [{ apiVersion: 'v1', kind: 'Pod', direction: 'toHost' }] },
      }),
    },
  },
  {
    code: 'TP5003',
    input: 'a tenant that was taken out',
    files: { 'tenants/qa/tenant.yaml': tenantYaml('qa'), 'tenants/qa/objects/b.yaml': configMap('b') },
    later: { 'tenants/qa': undefined },
  },
  {
    code: 'TP5006',
    input: 'a package that has lost everything',
    later: { tenants: undefined, 'profile.yaml': undefined, 'policy.yaml': undefined },
  },
  { code: 'TP5007', input: 'a claim that was taken out', objects: [claim], later: { 'tenants/dev/objects/b.yaml': undefined } },
  {
    code: 'TP5008',
    input: 'a tenant of another name in the same namespace',
    objects: [claim],
    later: { 'tenants/dev/tenant.yaml': tenantYaml('dev').replace('name: dev,', 'name: next,') },
  },
  {
    code: 'TP5010',
    input: 'a tenant that moves to another namespace',
    objects: [claim],
    later: { 'tenants/dev/tenant.yaml': tenantYaml('dev').replace('team-dev', 'team-new') },
  },
  {
    code: 'TP5011',
    input: 'a host that is said to be of version 1.29 after a render',
    later: {},
    argv: ['render', '--host-version', '1.29', '-o', 'json'],
  },
  {
    code: 'TP7003',
    input: 'another selector of a Deployment',
    objects: [workload('Deployment', 'web')],
    later: {
      'tenants/dev/objects/b.yaml': text(
        workload('Deployment', 'web', {
          selector: { matchLabels: { app: 'web', tier: 'front' } },
          template: { metadata: { labels: { app: 'web', tier: 'front' } }, spec: podSpec() },
        }),
      ),
    },
  },
  {
    code: 'TP7005',
    input: 'an autoscaler that is new beside a Deployment of 3',
    objects: [workload('Deployment', 'web', { replicas: 3 })],
    later: {
      'tenants/dev/objects/c.yaml': text(
        object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
          spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 },
        }),
      ),
    },
  },
  {
    code: 'TP9003',
    input: '`audit verify` of a tree that is older than its package',
    later: { 'tenants/dev/objects/a.yaml': configMap('a', 'w') },
    argv: ['audit', 'verify', '-o', 'github'],
  },
  {
    code: 'TP9006',
    input: '`explain-sync` of a name alone, without a package',
    cwd: 'empty',
    files: { 'empty/.git/.keep': '' },
    argv: ['explain-sync', '--tenant', 'dev', '--tenant-namespace', 'team-dev', '--name', 'nginx', '-o', 'text'],
  },
  {
    code: 'TP3095',
    input: 'two tenants on the same nodes',
    files: {
      'tenants/dev/tenant.yaml': tenantYaml('dev', POOLED),
      'tenants/qa/tenant.yaml': tenantYaml('qa', POOLED),
    },
  },
  {
    code: 'TP3097',
    input: 'a database of which nothing says where it is',
    files: {
      'tenants/dev/tenant.yaml': tenantYaml('dev', '  controlPlane: {datastore: {type: postgres, secretRef: {name: database}}}\n'),
    },
  },
  {
    code: 'TP3098',
    input: '`kubernetesVersion: "1.27"`',
    files: { 'tenants/dev/tenant.yaml': tenantYaml('dev', '  kubernetesVersion: "1.27"\n') },
  },
  {
    code: 'TP9040',
    input: 'a manifest that somebody put into the tree',
    later: { 'host/team-dev/extra.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: team-dev}\n' },
  },
  {
    code: 'TP9031',
    input: 'shards that become 4',
    later: {
      'render.yaml': 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: render}\nspec: {output: {shards: 4}}\n',
    },
  },
  {
    code: 'TP5012',
    input: 'a profile that leaves, which no tenant here uses',
    files: { 'more.yaml': profile({ level: 'baseline' }).replace('"restricted"', '"spare"') },
    later: { 'more.yaml': undefined },
  },
  {
    code: 'TP9022',
    input: '`audit verify` where one tenant of two has no ledger',
    files: { 'tenants/qa/tenant.yaml': tenantYaml('qa') },
    first: ['render', '--ledger'],
    later: { '.tenantplane/team-dev.dev.ndjson': undefined },
    argv: ['audit', 'verify', '-o', 'github'],
  },
  {
    code: 'TP9020',
    input: '`audit verify` of a ledger that was edited',
    first: ['render', '--ledger'],
    later: { '.tenantplane/team-dev.dev.ndjson': '{}\n' },
    argv: ['audit', 'verify', '-o', 'github'],
  },
  {
    code: 'TP9021',
    input: '`audit verify` of a ledger that is older than its package',
    first: ['render', '--ledger'],
    later: { 'tenants/dev/objects/a.yaml': configMap('z') },
    argv: ['audit', 'verify', '-o', 'github'],
  },
  {
    code: 'TP3067',
    input: 'a Service that is called as another one is on the host',
    objects: [SERVICE, object('v1', 'Service', 'web-x-default-x-dev', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } })],
  },
  {
    code: 'TP2029',
    input: 'a tenant that names a SyncPolicy which is not there, and another profile while its old one leaves',
    later: {
      'profile.yaml': profile({ level: 'restricted' }).replace('"restricted"}', '"other"}'),
      'tenants/dev/tenant.yaml': tenantYaml('dev')
        .replace('{name: restricted}', '{name: other}')
        .replace('{name: default}', '{name: none}'),
    },
  },
  {
    code: 'TP2030',
    input: 'a profile that changes, while a tenant is frozen',
    later: {
      'tenants/dev/objects/a.yaml': BROKEN,
      'profile.yaml': profile({ level: 'restricted', allow: { serviceTypes: ['NodePort'] } }),
    },
  },
  {
    code: 'TP5009',
    input: 'a claim of a StatefulSet that was taken out',
    objects: [workload('StatefulSet', 'web', { serviceName: 'web', volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: CLAIM }] })],
    files: { 'tenants/dev/objects/claim.yaml': text(object('v1', 'PersistentVolumeClaim', 'data-web-0', { spec: CLAIM })) },
    later: { 'tenants/dev/objects/b.yaml': undefined },
  },
];
