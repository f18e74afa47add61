import { describe, expect, test } from 'vitest';
import { configMap, HOST_PATH_POD, tenantplane, twoTenants } from './harness.ts';

const SERVER = `apiVersion: v1
kind: Pod
metadata: {name: server, labels: {app: server}}
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
    - name: app
      image: registry.example.com/app:1
      ports: [{containerPort: 80}]
      securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
`;
const facts = (networkPolicies: string): string =>
  `apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {networkPolicies: ${networkPolicies}}\n`;
const FROZEN = 'not: [closed';

async function codes(files: Readonly<Record<string, string>>, words: readonly string[]): Promise<readonly [plain: number, asked: number]> {
  const cwd = twoTenants(files);
  const plain = await tenantplane(words, { cwd });
  const asked = await tenantplane([...words, '--exit-code'], { cwd });
  expect(asked.out).toBe(plain.out);
  return [plain.code, asked.code];
}

describe('--exit-code, beside 0 without it', () => {
  test.each<[what: string, files: Record<string, string>, words: string[], code: number]>([
    ['why: it is there', {}, ['why', 'cm/a', '--tenant', 'dev'], 0],
    ['why: it is refused', { 'tenants/dev/objects/p.yaml': HOST_PATH_POD }, ['why', 'pod/worker', '--tenant', 'dev'], 1],
    ['why: one of two is refused', { 'tenants/dev/objects/p.yaml': `${HOST_PATH_POD}---\n${configMap('worker')}` }, ['why', 'worker'], 1],
    ['why: its tenant is frozen', { 'tenants/dev/objects/p.yaml': FROZEN }, ['why', 'cm/a', '--tenant', 'dev'], 1],
    ['why-not: it is there', {}, ['why-not', 'cm/a', '--tenant', 'dev'], 0],
    ['why-not: it is refused', { 'tenants/dev/objects/p.yaml': HOST_PATH_POD }, ['why-not', 'pod/worker', '--tenant', 'dev'], 1],
    ['why-not: nobody wrote it', {}, ['why-not', 'cm/none', '--tenant', 'dev'], 1],
    ['isolation: all of it is enforced', { 'facts.yaml': facts('enforced') }, ['isolation', 'dev'], 0],
    ['isolation: nobody knows of the plugin', {}, ['isolation', 'dev'], 0],
    ['isolation: the host ignores policies', { 'facts.yaml': facts('ignored') }, ['isolation', 'dev'], 1],
    ['isolation: of one of all tenants', { 'facts.yaml': facts('ignored') }, ['isolation'], 1],
    ['isolation: the tenant is frozen', { 'tenants/dev/objects/p.yaml': FROZEN }, ['isolation', 'dev'], 1],
    ['reach: it passes', { 'facts.yaml': facts('ignored'), 'tenants/dev/objects/s.yaml': SERVER }, ['reach', 'pod/server', 'internet'], 0],
    [
      'reach: it is stopped',
      { 'facts.yaml': facts('enforced'), 'tenants/dev/objects/s.yaml': SERVER },
      ['reach', 'pod/server', 'internet'],
      1,
    ],
    ['reach: nobody knows', { 'tenants/dev/objects/s.yaml': SERVER }, ['reach', 'pod/server', 'internet'], 1],
  ])('%s', async (_, files, words, code) => {
    expect(await codes(files, words)).toEqual([0, code]);
  });

  test.each([
    ['why', 'cm/none'],
    ['why', 'widget/none'],
    ['reach', 'deploy/none', 'internet'],
    ['isolation', 'nobody'],
    ['why-not', 'none'],
  ])('what cannot be found is an error, asked or not: %s %s', async (...words) => {
    const cwd = twoTenants();
    for (const flags of [[], ['--exit-code']]) expect((await tenantplane([...words, ...flags], { cwd })).code).toBe(2);
  });

  test('reach without two ends has nothing to pass or stop', async () => {
    const { code, err } = await tenantplane(['reach', '--exit-code'], { cwd: twoTenants() });
    expect([code, err]).toEqual([2, expect.stringContaining('--exit-code is of a call with two ends')]);
  });
});
