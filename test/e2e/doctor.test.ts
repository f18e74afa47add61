import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Host, must, startHost } from './isolation/host.ts';
import { copyPackage, ok, run } from './workspace.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.stop());

interface Check {
  readonly id: string;
  readonly result: string;
  readonly what: string;
  readonly fix: string | null;
}

function doctor(folder: string): { readonly status: number | null; readonly checks: Record<string, Check> } {
  const { status, stdout } = run('tenantplane', ['doctor', folder, '--kubeconfig', host.kubeconfig, '-o', 'json']);
  const { checks }: { checks: readonly Check[] } = JSON.parse(stdout);
  return { status, checks: Object.fromEntries(checks.map((check) => [check.id, check])) };
}

test('a real host, asked for what a package relies on; the fixes that are commands mend it', async () => {
  const folder = copyPackage('examples/first-tenant');
  ok('tenantplane', ['render', folder, '-q']);
  const first = doctor(folder);
  expect(first.status).toBe(1);
  for (const id of ['TPD201', 'TPD202', 'TPD203', 'TPD205']) expect([id, first.checks[id]?.result]).toEqual([id, 'ok']);
  expect(first.checks['TPD201']?.what).toBe(`Kubernetes ${host.version}`);
  expect(first.checks['TPD206']?.result).toBe('unknown');
  expect(first.checks['TPD207']).toMatchObject({ result: 'warn', fix: expect.stringContaining('tenantplane facts --kubeconfig') });
  expect(first.checks['TPD301']?.result).toBe('unknown');

  const facts = ok('tenantplane', ['facts', '--kubeconfig', host.kubeconfig]).stdout;
  writeFileSync(join(folder, 'facts.yaml'), facts.replace(/^spec:\n/m, 'spec:\n  networkPolicies: enforced\n'));
  ok('tenantplane', ['render', folder, '-q']);
  const second = doctor(folder);
  expect(second.checks['TPD206']?.result).toBe('ok');
  expect(second.checks['TPD207']?.result).toBe('ok');

  await must(host, [
    'patch',
    'storageclass',
    'standard',
    '-p',
    '{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"false"}}}',
  ]);
  const third = doctor(folder);
  expect(third.checks['TPD205']?.result).toBe('warn');
  expect(third.checks['TPD207']).toMatchObject({ result: 'warn', what: expect.stringMatching(/defaultStorageClass$/) });
});

test('a profile that names a class which the host has not', () => {
  const folder = copyPackage('examples/fields/facts');
  const { checks } = doctor(folder);
  expect(checks['TPD204']).toMatchObject({ result: 'fail', what: expect.stringContaining('StorageClass slow') });
});

test('an applier on the host whose settings would break the tree', async () => {
  const folder = copyPackage('examples/first-tenant');
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: applications.argoproj.io}
spec:
  group: argoproj.io
  scope: Namespaced
  names: {kind: Application, plural: applications}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
  await must(host, ['apply', '--server-side', '-f', '-'], crd);
  await must(host, ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: dev, namespace: default}
spec: {source: {repoURL: 'https://git.example.com/fleet.git', path: host, directory: {recurse: true}}, syncPolicy: {syncOptions: [Replace=true, ServerSideApply=true]}}
`;
  await must(host, ['apply', '--server-side', '-f', '-'], application);
  ok('git', ['-C', folder, 'init', '-q']);
  ok('git', ['-C', folder, 'remote', 'add', 'origin', 'git@git.example.com:fleet.git']);
  const { checks } = doctor(folder);
  expect(checks['TPD301']).toMatchObject({ result: 'ok', what: '1 Application' });
  expect(checks['TPD302']).toMatchObject({ result: 'fail', what: expect.stringContaining('Replace=true') });
});
