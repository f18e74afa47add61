import { expect, onTestFinished, test } from 'vitest';
import { openHost } from '../../../src/cli/facts/open-host.ts';
import { awaitReady, type Waited } from '../../../src/cli/up/await-ready.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { answeringHost } from '../answering-host.ts';

const NAMED = '/apis/tenantplane.io/v1alpha1/namespaces/team-dev/tenantclusters/dev';
const TENANT: KubeObject = {
  apiVersion: 'tenantplane.io/v1alpha1',
  kind: 'TenantCluster',
  metadata: { name: 'dev', namespace: 'team-dev', generation: 2 },
};

let leads = true;

async function waited(
  observedGeneration: number,
  conditions: readonly object[],
  limit = 700,
): Promise<Waited & { readonly said: string[] }> {
  const answers = { [NAMED]: JSON.stringify({ ...TENANT, status: { observedGeneration, phase: 'Pending', conditions } }) };
  const io = { cwd: '/', env: {}, stderr: { isTTY: false, write: () => undefined } };
  const transport = await openHost({ kubeconfig: await answeringHost(answers) }, io);
  onTestFinished(() => transport.close());
  const said: string[] = [];
  const call = { transport, signal: new AbortController().signal };
  const options = { limit, patience: 300, leads: () => leads, say: (line: string) => void said.push(line) };
  return { ...(await awaitReady([TENANT], call, options)), said };
}

const stalled = { type: 'Stalled', status: 'True', reason: 'ProfileMissing', message: 'no profile x' };

test('of one that is stalled, what to do is said once', async () => {
  const { late, said } = await waited(2, [{ type: 'Ready', status: 'False', reason: 'ProfileMissing' }, stalled]);
  expect(said).toEqual([
    'team-dev/dev  Pending (ProfileMissing): no profile x',
    '  Ready is False (ProfileMissing)',
    '  Stalled is True (ProfileMissing): no profile x',
    expect.stringContaining('    try: Apply it'),
    expect.stringContaining('nothing goes on until somebody does that'),
  ]);
  expect(late).toMatchObject([{ status: { phase: 'Pending' } }]);
});

test('what was stalled of an older generation is not told as what to do', async () => {
  const { late, said } = await waited(1, [stalled]);
  expect([late.length, said.length]).toEqual([1, 1]);
});

test('one that is ready is not late', async () => {
  const { late, said } = await waited(2, [{ type: 'Ready', status: 'True', reason: 'Succeeded' }]);
  expect([late, said]).toEqual([[], ['team-dev/dev  Ready']]);
});

test('one whose servers are ready and do not answer this process is given up before its time; another process may yet reach it', async () => {
  const silent = { type: 'ControlPlaneReady', status: 'False', reason: 'Unreachable', message: '1 of 1 servers are ready, but no answer' };
  const { late, unreachable } = await waited(2, [{ type: 'Ready', status: 'False', reason: 'Unreachable' }, silent], 3_600_000);
  expect([late.length, unreachable.length]).toEqual([1, 1]);
  leads = false;
  onTestFinished(() => {
    leads = true;
  });
  expect((await waited(2, [silent])).unreachable).toEqual([]);
});
