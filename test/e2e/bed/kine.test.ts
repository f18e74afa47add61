import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { startCluster } from '../../bed/cluster.ts';
import { startKine } from '../../bed/kine.ts';

beforeAll(async () => {
  for (const tool of ['kine', 'kube-apiserver', 'kubectl', 'kube-controller-manager'] as const) await buildTool(tool);
});

test('an API server with its controllers works on kine and SQLite, as in k3s', async () => {
  const kine = await startKine();
  onTestFinished(() => kine.stop());
  const cluster = await startCluster({ etcd: kine, controllers: true });
  onTestFinished(() => cluster.stop());
  expect(existsSync(join(kine.folder, 'data.db'))).toBe(true);
  expect(await cluster.kubectl(['create', 'deployment', 'web', '--image=web', '--replicas=2'])).toMatchObject({ status: 0 });
  const watched = await cluster.kubectl(['wait', '--for=jsonpath={.status.replicas}=2', 'deployment/web', '--timeout=30s']);
  expect(watched).toMatchObject({ status: 0, stderr: '' });
  expect((await cluster.kubectl(['get', 'pods', '-l', 'app=web', '-o', 'name'])).stdout.trim().split('\n').length).toBe(2);
});
