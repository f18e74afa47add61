import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { type ApiClient, apiClient } from '../isolation/api-client.ts';

let cluster: Cluster;
let client: ApiClient;
beforeAll(async () => {
  cluster = await startCluster();
  client = apiClient(cluster);
});
afterAll(async () => {
  client?.close();
  await cluster?.stop();
});

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await cluster.kubectl(args, { input });
  expect(status, stderr).toBe(0);
  return stdout;
}

const KIND = 'ValidatingAdmissionPolicy';
const POLICY = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: KIND,
  metadata: { name: 'none-new' },
  spec: {
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] },
    validations: [{ expression: "!object.metadata.name.startsWith('new')", message: 'none that is new' }],
  },
};
const BINDING = { ...POLICY, kind: `${KIND}Binding`, spec: { policyName: 'none-new', validationActions: ['Deny'] } };
const HELD = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', namespace: 'came', finalizers: ['example.com/hold'] } };

test('a restore point brings back what was changed and deleted, takes what came, held or not, and its policies are obeyed no more', async () => {
  for (const name of ['changed', 'deleted']) await kubectl(['create', 'configmap', name, '--from-literal=as=before']);
  const restore = await cluster.restorePoint();
  await kubectl(['create', 'namespace', 'came']);
  await kubectl(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [HELD, POLICY, BINDING] }));
  await kubectl(['patch', 'configmap', 'changed', '-p', '{"data":{"as":"since"}}']);
  await kubectl(['delete', 'configmap', 'deleted']);
  // at once: by the time that a kubectl has started, a policy may have gone by itself
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } };
  const refused = async (): Promise<string> =>
    (await client.send('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', made)).message;
  await expect.poll(refused, { timeout: 20_000 }).toContain('none that is new');

  await restore();
  expect(await refused()).toBe('');
  for (const name of ['changed', 'deleted']) expect(at(await cluster.read.get('configmap', name), 'data', 'as'), name).toBe('before');
  expect(await cluster.read.get('namespace', 'came')).toBeUndefined();
  expect(await cluster.read.list('configmaps', 'came')).toEqual([]);
  expect(await cluster.read.list(KIND)).toEqual([]);
});
