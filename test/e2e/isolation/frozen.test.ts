import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameOf } from '../../../src/core/kube/object.ts';
import { type Files, planFiles, policy, previousOf, profile, tenant } from '../../support/observe.ts';
import { applyPlan, type Host, must, startHost } from './host.ts';
import { list, notRunning, until } from './running.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost({ kwok: 1 });
});
afterAll(() => host.stop());

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: web
        image: web:1
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
`;
const before: Files = {
  'platform/profile.yaml': profile('restricted', 'restricted'),
  'platform/policy.yaml': policy(),
  'tenants/dev/tenant.yaml': tenant('dev'),
  'tenants/dev/objects/web.yaml': WEB,
  'tenants/qa/tenant.yaml': tenant('qa'),
  'tenants/qa/objects/web.yaml': WEB,
};

test('a frozen tenant delays no stricter profile: its pods go on, and what is made anew is held to it, there and next door', async () => {
  const first = planFiles(before);
  expect(await applyPlan(host, first)).toBe('');
  await until(async () => [...(await notRunning(host, 'team-dev')), ...(await notRunning(host, 'team-qa'))]);
  const running = (await list(host, 'pods', 'team-dev')).map(nameOf);
  expect(running).toHaveLength(1);

  const stricter = {
    ...before,
    'platform/profile.yaml': profile('restricted', 'sandboxed'),
    'tenants/dev/objects/bad.yaml': tenant('mine'),
  };
  const second = planFiles(stricter, { maxDeletions: 100 }, previousOf(first));
  expect(second.tenants.map(({ frozen }) => frozen !== undefined)).toEqual([true, false]);
  expect(second.removed.filter((path) => path.startsWith('platform/validating'))).toEqual([]);
  expect(await applyPlan(host, second)).toBe('');

  for (const namespace of ['team-dev', 'team-qa']) {
    // a policy takes effect a moment after it was applied
    await until(async () => {
      const text = await must(host, ['get', 'pods', '-n', namespace, '-o', 'jsonpath={.items[0].spec}']);
      const { nodeName: _, runtimeClassName: __, overhead: ___, ...spec } = JSON.parse(text) as Record<string, unknown>;
      const metadata = { name: 'anew', namespace, labels: { 'tenantplane.io/tenant': namespace.slice('team-'.length) } };
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
      const { stderr } = await host.kubectl(['create', '--dry-run=server', '-f', '-'], { input });
      return /tenantplane-restricted-pods.* rc: /s.test(stderr) ? [] : [stderr || 'was admitted'];
    });
  }
  expect((await list(host, 'pods', 'team-dev')).map(nameOf)).toEqual(running);
});

test('a tenant that broke its input gets the smaller quota, the limits and the closed network of its platform; its pods run on', async () => {
  const spec = (egress: string, cpu: string): string =>
    `  networking: {egressPolicy: ${egress}}\n  resources: {cpu: "${cpu}", memory: 8Gi}\n`;
  const ops = (egress: string, cpu: string, more = ''): Files => ({
    'platform/profile.yaml': profile('ops', 'restricted', more),
    'platform/policy.yaml': policy(),
    'tenants/ops/tenant.yaml': tenant('ops', { profile: 'ops', spec: spec(egress, cpu) }),
    'tenants/ops/objects/web.yaml': WEB,
  });
  const first = planFiles(ops('unrestricted', '8'));
  expect(await applyPlan(host, first)).toBe('');
  await until(async () => notRunning(host, 'team-ops'));
  const running = (await list(host, 'pods', 'team-ops')).map(nameOf);
  const policies = async (): Promise<readonly string[]> => (await list(host, 'networkpolicies', 'team-ops')).map(nameOf);
  expect(await policies()).toContain('tenantplane-allow-egress-internet');

  const tightened = ops('allow-same-tenant', '2', '  limits: {max: {memory: 1Gi}}\n');
  const broken = { 'tenants/ops/objects/web.yaml': WEB.replace('web:1', 'web:2'), 'tenants/ops/objects/bad.yaml': 'a: [' };
  const second = planFiles({ ...tightened, ...broken }, { maxDeletions: 100 }, previousOf(first));
  expect(second.tenants[0]?.frozen).toContain('bad.yaml');
  expect(await applyPlan(host, second)).toBe('');
  // what leaves the tree is pruned by the applier
  for (const path of second.removed) {
    const [kind = '', name = ''] = path.slice(path.indexOf('/') + 1, -'.yaml'.length).split('_');
    await must(host, ['delete', kind, name, '-n', 'team-ops'], '', host.applier);
  }

  const get = (kind: string, path: string): Promise<string> => must(host, ['get', kind, '-n', 'team-ops', '-o', `jsonpath={${path}}`]);
  expect(await get('resourcequota/tenantplane-quota', '.spec.hard.requests\\.cpu')).toBe('2');
  expect(await get('limitrange/tenantplane-defaults', '.spec.limits[0].max.memory')).toBe('1Gi');
  expect(await policies()).not.toContain('tenantplane-allow-egress-internet');
  expect(await policies()).toEqual(expect.arrayContaining(['tenantplane-default-deny', 'tenantplane-allow-same-tenant']));
  expect(await get('deployment', '.items[0].spec.template.spec.containers[0].image')).toBe('web:1');
  expect((await list(host, 'pods', 'team-ops')).map(nameOf)).toEqual(running);
  // a pod that is made anew is held to the new limits by the API server
  await until(async () => {
    const big = { requests: { cpu: '100m', memory: '2Gi' }, limits: { cpu: '100m', memory: '2Gi' } };
    const spec = JSON.parse(await get('pods', '.items[0].spec')) as { containers: Record<string, unknown>[]; nodeName?: string };
    const { nodeName: _, ...rest } = spec;
    const containers = spec.containers.map((container) => ({ ...container, resources: big }));
    const metadata = { name: 'anew', namespace: 'team-ops', labels: { 'tenantplane.io/tenant': 'ops' } };
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...rest, containers } });
    const { stderr } = await host.kubectl(['create', '--dry-run=server', '-f', '-'], { input });
    return /maximum memory usage per Container is 1Gi/.test(stderr) ? [] : [stderr || 'was admitted'];
  });
}, 120_000);

test('kubectl shows a profile in columns that are filled', async () => {
  const table = await must(host, ['get', 'isolationprofiles', 'restricted', '-o', 'wide']);
  const [head, row] = table.trim().split('\n');
  expect(head).toMatch(/^NAME +LEVEL +STATED +AGE$/);
  expect(row).toMatch(/^restricted +sandboxed +\{\} +\d+s$/);
});
