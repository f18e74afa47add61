import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { eventually } from '../delivery/eventually.ts';
import { ROOT } from '../workspace.ts';
import { startReconciler } from './reconciler-process.ts';

let host: Cluster;
beforeAll(async () => {
  host = await startCluster();
  const rights = ['namespace', 'serviceaccount', 'clusterrole', 'clusterrolebinding', 'role', 'rolebinding'];
  await kubectl(['apply', '--server-side', '-f', join(ROOT, 'deploy/crds')]);
  await kubectl(['apply', '--server-side', ...rights.flatMap((file) => ['-f', join(ROOT, `deploy/base/${file}.yaml`)])]);
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
});
afterAll(() => host?.stop());

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const ran = await host.kubectl(args, { input });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

const ACCOUNT = 'system:serviceaccount:tenantplane-system:tenantplane-reconciler';
const GROUPS = ['system:serviceaccounts', 'system:serviceaccounts:tenantplane-system'];

const left = async (namespace: string): Promise<string> =>
  (await host.kubectl(['get', 'tenantcluster', '-n', namespace, '-o', 'jsonpath={.items[*].metadata.finalizers}'])).stdout;

function tenant(name: string): string {
  return `apiVersion: v1
kind: Namespace
metadata: {name: team-${name}}
---
apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata: {name: ${name}, namespace: team-${name}}
spec: {isolationProfileRef: {name: none}, syncPolicyRef: {name: none}}
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
