import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, objectsOf } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ACCOUNT, GROUPS, RIGHTS } from '../../support/tenant-package.ts';
import { eventually } from '../delivery/eventually.ts';
import { ROOT } from '../workspace.ts';
import { PLATFORM } from './platform-yaml.ts';
import { startReconciler } from './reconciler-process.ts';

let host: Cluster;
beforeAll(async () => {
  host = await startCluster();
  await kubectl(['apply', '--server-side', '-f', join(ROOT, 'deploy/crds')]);
  await kubectl(['apply', '--server-side', ...RIGHTS.flatMap((file) => ['-f', join(ROOT, `deploy/base/${file}.yaml`)])]);
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
});
afterAll(() => host?.stop());

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const ran = await host.kubectl(args, { input });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

const left = async (namespace: string): Promise<string> =>
  (await host.kubectl(['get', 'tenantcluster', '-n', namespace, '-o', 'jsonpath={.items[*].metadata.finalizers}'])).stdout;

const API = 'apiVersion: tenantplane.io/v1alpha1';

function tenant(name: string, spec = '{isolationProfileRef: {name: none}, syncPolicyRef: {name: none}}'): string {
  return `apiVersion: v1
kind: Namespace
metadata: {name: team-${name}}
---
${API}
kind: TenantCluster
metadata: {name: ${name}, namespace: team-${name}}
spec: ${spec}
`;
}

describe('a TenantCluster that is deleted', () => {
  test.each([
    ['before Git brought its control plane’s namespace', 'bare', ''],
    ['while somebody else has that namespace', 'late', 'cp-x-late-x-team-late'],
  ])('%s goes, although the reconciler may read no Secret there', async (_, name, foreign) => {
    if (foreign !== '') await kubectl(['create', 'namespace', foreign]);
    startReconciler({ kubeconfig: host.kubeconfigFor(ACCOUNT, GROUPS), flags: ['--leader-elect=false'] });
    await kubectl(['apply', '-f', '-'], tenant(name));
    await eventually(
      () => left(`team-${name}`),
      (finalizers) => finalizers.includes('tenantplane.io/control-plane'),
      60,
    );
    await kubectl(['delete', 'tenantcluster', name, '-n', `team-${name}`, '--wait=false']);
    const { seen } = await eventually(
      () => left(`team-${name}`),
      (finalizers) => finalizers === '',
      20,
    );
    expect(seen).toBe('');
  });
});

describe('what the reconciler may not do', () => {
  test('is told in the status, with the words of the API server', async () => {
    startReconciler({ kubeconfig: host.kubeconfigFor(ACCOUNT, GROUPS), flags: ['--leader-elect=false'] });
    const spec = '{isolationProfileRef: {name: restricted}, syncPolicyRef: {name: applications}, delivery: controller}';
    await kubectl(['apply', '-f', '-'], `${PLATFORM}---\n${tenant('refused', spec)}`);
    const query = 'jsonpath={.status.conditions[?(@.type=="Reconciling")].message}';
    const { seen } = await eventually(
      async () => (await host.kubectl(['get', 'tenantcluster', 'refused', '-n', 'team-refused', '-o', query])).stdout,
      (message) => message.includes('failed'),
      40,
    );
    expect(seen).toMatch(
      /The boundary is being applied .*The last attempt failed: .*tenantplane-reconciler" cannot (create|patch) resource "namespaces"/,
    );
  });
});

describe('a status that somebody wrote into', () => {
  test('is the reconciler’s alone again after the next pass', async () => {
    startReconciler({ kubeconfig: host.kubeconfigFor(ACCOUNT, GROUPS), flags: ['--leader-elect=false'] });
    await kubectl(['apply', '-f', '-'], tenant('edited', '{isolationProfileRef: {name: none}, syncPolicyRef: {name: none}}'));
    const status = async (): Promise<string> =>
      (await host.kubectl(['get', 'tenantcluster', 'edited', '-n', 'team-edited', '-o', 'jsonpath={.status}'])).stdout;
    const { seen: before } = await eventually(status, (text) => text.includes('ProfileMissing'), 40);
    const condition = { type: 'Paused', status: 'True', reason: 'User', message: 'by hand', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const conditions = [...objectsOf((JSON.parse(before) as JsonObject)['conditions']), condition];
    const patch = JSON.stringify({ status: { conditions, externalEndpoint: 'https://elsewhere.example' } });
    await kubectl(['patch', 'tenantcluster', 'edited', '-n', 'team-edited', '--subresource=status', '--type=merge', '-p', patch]);
    expect(await status()).toContain('by hand');
    await kubectl(['annotate', 'tenantcluster', 'edited', '-n', 'team-edited', 'tenantplane.io/reconcile-requested-at=now']);
    const { seen } = await eventually(status, (text) => text.includes('lastHandledReconcileAt') && !text.includes('by hand'), 20);
    expect(seen).not.toContain('elsewhere');
  });
});
