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

test('kubectl shows a profile in columns that are filled', async () => {
  const table = await must(host, ['get', 'isolationprofiles', '-o', 'wide']);
  const [head, row] = table.trim().split('\n');
  expect(head).toMatch(/^NAME +LEVEL +STATED +AGE$/);
  expect(row).toMatch(/^restricted +sandboxed +\{\} +\d+s$/);
});
