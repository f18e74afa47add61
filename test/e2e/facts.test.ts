import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEWEST } from '../bed/kubernetes-version.ts';
import { type Host, must, startHost } from './isolation/host.ts';
import { copyPackage, ok, run, scratch } from './workspace.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost({ serviceCIDR: '10.97.0.0/16' });
});
afterAll(() => host.stop());

const facts = (...flags: readonly string[]): readonly string[] => ['facts', ...flags];

test('facts of a real host, and a render that reads them', async () => {
  const corefile = '.:53 {\n    kubernetes corp.example in-addr.arpa ip6.arpa\n}\n';
  await must(host, ['create', 'configmap', 'coredns', '-n', 'kube-system', `--from-literal=Corefile=${corefile}`]);
  const { stdout, stderr } = ok('tenantplane', facts('--kubeconfig', host.kubeconfig));
  expect(load(stdout)).toMatchObject({
    apiVersion: 'fn.tenantplane.io/v1alpha1',
    kind: 'HostFacts',
    metadata: { annotations: { 'config.kubernetes.io/local-config': 'true' } },
    spec: {
      version: host.version,
      clusterDomain: 'corp.example',
      serviceCIDRs: ['10.97.0.0/16'],
      runtimeClasses: ['gvisor', 'kata-clh', 'kata-qemu'],
      runtimeTolerations: [{ runtimeClass: 'gvisor', key: 'sandbox', operator: 'Exists', effect: 'NoSchedule' }],
      storageClasses: ['archive', 'fast', 'standard'],
      defaultStorageClass: 'standard',
      ingressClasses: [],
      priorityClasses: ['system-cluster-critical', 'system-node-critical', 'tenant-high', 'tenant-low'],
      defaultPriorityClass: '',
      apiVersions: expect.arrayContaining(['v1', 'apps/v1', 'tenantplane.io/v1alpha1', 'external-secrets.io/v1']),
    },
  });
  expect(host.version).toContain(NEWEST);
  expect(stderr).toBe('unknown: networkPolicies (no API says whether the network plugin enforces them)\n');

  const folder = copyPackage('examples/fields/facts');
  writeFileSync(join(folder, 'facts.yaml'), stdout);
  const rendered = ok('tenantplane', ['render', folder]);
  expect(rendered.stdout).toContain('StorageClass slow, which IsolationProfile sandboxed names, is not on the host');
});

test('what only people know is kept', () => {
  const old = join(scratch(), 'facts.yaml');
  writeFileSync(old, 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nspec: {networkPolicies: enforced, version: v1.2.3}\n');
  const { stdout, stderr } = ok('tenantplane', facts('--kubeconfig', host.kubeconfig, '--keep', old, '-o', 'json'));
  expect(JSON.parse(stdout).spec).toMatchObject({ networkPolicies: 'enforced', version: host.version });
  expect(stderr).toBe('');
});

test('what an account may not see is named with the host’s own words, and left out', () => {
  const { stdout, stderr } = ok('tenantplane', facts('--kubeconfig', host.kubeconfigFor('jane')));
  expect(stderr).toMatch(/^unknown: storageClasses \(storageclasses\.storage\.k8s\.io is forbidden: User "jane" cannot list/m);
  expect(Object.keys((load(stdout) as { spec: object }).spec).sort()).toEqual(['apiVersions', 'version']);
});

test('a server that is not there', () => {
  const path = join(scratch(), 'kubeconfig');
  const clusters = [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }];
  writeFileSync(path, JSON.stringify({ clusters, contexts: [{ name: 'x', context: { cluster: 'c' } }], 'current-context': 'x' }));
  const { status, stderr } = run('tenantplane', facts('--kubeconfig', path));
  expect(status).toBe(3);
  expect(stderr).toContain('error: The host cannot be reached: https://127.0.0.1:1 cannot be reached (ECONNREFUSED).\n');
});

test.each<[string, readonly string[], number, RegExp]>([
  [
    'a host that does not answer',
    ['--kubeconfig', '/dev/null'],
    3,
    /^error: The host cannot be reached: .+\n {2}try: Name one with --context: kubectl config get-contexts --kubeconfig \/dev\/null lists them\./,
  ],
  ['a file to keep that holds no facts', ['--keep', 'README.md'], 2, /^error: --keep .*README\.md does not hold one HostFacts object\./],
])('%s', (_, flags, status, words) => {
  const ran = run('tenantplane', [...facts(), ...flags]);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  expect(ran.stderr).toMatch(words);
});
