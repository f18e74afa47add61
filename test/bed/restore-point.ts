import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServer } from './api-server.ts';
import type { Etcd } from './etcd.ts';

/** Brings what an API server stores back to how it was. */
export type Restore = () => Promise<void>;

/** As etcd's JSON has it: base64 both. */
interface Pair {
  readonly key: string;
  readonly value: string;
}

/**
 * What lies in etcd under an API server's prefix, to go back to: trees that share names then share a server, one after the other. What came since
 * is deleted below the API server, so nothing holds it back: no finalizer, no controller, no admission. To the server and whoever watches it,
 * these are deletions like others.
 */
export async function restorePoint(api: ApiServer, etcd: Etcd): Promise<Restore> {
  const before = await pairs(api, etcd);
  return async () => {
    // controllers that had not seen an owner go may have made something in between
    while ((await goBack(before, api, etcd)) > 0) await sleep(50);
    await policiesGone(api);
    await goBack(before, api, etcd);
  };
}

/** They write these all the time, each for itself. */
const VOLATILE = /\/(leases|masterleases|minions|csinodes|apiregistration\.k8s\.io)\//;

/** @returns how much was not as before */
async function goBack(before: ReadonlyMap<string, string>, api: ApiServer, etcd: Etcd): Promise<number> {
  const now = await pairs(api, etcd);
  const added = [...now.keys()].filter((key) => !before.has(key));
  const changed = [...before].filter(([key, value]) => now.get(key) !== value && !VOLATILE.test(textOf(key)));
  const operations = [
    ...added.map((key) => ({ requestDeleteRange: { key } })),
    ...changed.map(([key, value]) => ({ requestPut: { key, value } })),
  ];
  // etcd takes 128 operations in one transaction
  for (let first = 0; first < operations.length; first += 100) await call(etcd, 'txn', { success: operations.slice(first, first + 100) });
  return operations.length;
}

async function pairs({ prefix }: ApiServer, etcd: Etcd): Promise<ReadonlyMap<string, string>> {
  // the character after the slash ends the range
  const found = await call(etcd, 'range', { key: codeOf(`${prefix}/`), range_end: codeOf(`${prefix}0`) });
  const { kvs = [] } = found as { readonly kvs?: readonly Pair[] };
  return new Map(kvs.map(({ key, value }) => [key, value]));
}

const codeOf = (text: string): string => Buffer.from(text).toString('base64');
const textOf = (code: string): string => Buffer.from(code, 'base64').toString('utf8');

/** etcd's own gateway from JSON. */
async function call({ url }: Etcd, method: 'range' | 'txn', body: object): Promise<unknown> {
  const answer = await fetch(`${url}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd ${method}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const MARK = { name: 'tenantplane-bed-mark' };
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const MARK_POLICY = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: MARK,
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
    },
    matchConditions: [{ name: 'mark', expression: `object.metadata.name == '${MARK.name}'` }],
    validations: [{ expression: 'false' }],
  },
};
const MARK_BINDING = {
  ...MARK_POLICY,
  kind: 'ValidatingAdmissionPolicyBinding',
  spec: { policyName: MARK.name, validationActions: ['Deny'] },
};

/** Policies stand in admission for a second after they are gone: until one that came after them is obeyed. */
async function policiesGone({ post }: ApiServer): Promise<void> {
  await post(POLICIES, MARK_POLICY);
  await post(POLICIES.replace('policies', 'policybindings'), MARK_BINDING);
  const marked = { apiVersion: 'v1', kind: 'ConfigMap', metadata: MARK };
  for (const end = Date.now() + 30_000; ; await sleep(50)) {
    const answer = await post('/api/v1/namespaces/default/configmaps?dryRun=All', marked);
    if (answer?.status === 422 || answer?.status === 403) return;
    if (Date.now() > end) throw new Error(`a new policy is not obeyed: ${answer?.status} ${answer?.body}`);
  }
}
