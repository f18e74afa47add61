import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { pod } from '../../support/admission-cases/case.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { type ApiClient, apiClient } from './api-client.ts';

const SPACE = '/api/v1/namespaces/team-dev';
const DRY = '?dryRun=All';
const NAMED: JsonObject = { metadata: { name: 'web', namespace: 'team-dev' } };
const BINDING: JsonObject = { apiVersion: 'v1', kind: 'Binding', ...NAMED, target: { apiVersion: 'v1', kind: 'Node', name: 'node-1' } };
const POD: JsonObject = { ...pod(), ...NAMED };
const EVICTION: JsonObject = { apiVersion: 'policy/v1', kind: 'Eviction', ...NAMED };
const TOKEN: JsonObject = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };

/** What no rule of ours looks at, since the roles that people are given in a tenant’s namespace have no right to it; or have, and may. */
const TRIED: readonly (readonly [what: string, method: string, path: string, body: JsonObject | undefined, status: 403 | 201])[] = [
  ['pods/binding', 'POST', `${SPACE}/pods/web/binding${DRY}`, BINDING, 403],
  ['bindings', 'POST', `${SPACE}/bindings${DRY}`, BINDING, 403],
  ['pods/ephemeralcontainers', 'PUT', `${SPACE}/pods/web/ephemeralcontainers${DRY}`, POD, 403],
  ['pods/resize', 'PUT', `${SPACE}/pods/web/resize${DRY}`, POD, 403],
  ['nodes/proxy', 'GET', '/api/v1/nodes/node-1/proxy/pods', undefined, 403],
  ['pods/eviction', 'POST', `${SPACE}/pods/web/eviction${DRY}`, EVICTION, 201],
  ['serviceaccounts/token', 'POST', `${SPACE}/serviceaccounts/tenantplane-workload/token${DRY}`, TOKEN, 201],
];

onEachKubernetes('with the roles of Kubernetes %s in a namespace', (version) => {
  let cluster: Cluster;
  let api: ApiClient;

  beforeAll(async () => {
    // a controller gathers the rules of these roles
    cluster = await startCluster({ version, controllers: true });
    api = apiClient(cluster);
    const make = async (path: string, object: JsonObject): Promise<void> => {
      const { status, message } = await api.send('POST', path, object);
      if (status !== 201) throw new Error(`${path}: ${message}`);
    };
    await make('/api/v1/namespaces', { metadata: { name: 'team-dev' } });
    await make(`${SPACE}/serviceaccounts`, { metadata: { name: 'tenantplane-workload' } });
    await make(`${SPACE}/pods`, POD);
    for (const role of ['edit', 'admin']) {
      await make('/apis/rbac.authorization.k8s.io/v1/namespaces/team-dev/rolebindings', {
        metadata: { name: role },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: role }],
      });
      await untilGathered(api, role);
    }
  });
  afterAll(async () => {
    api?.close();
    await cluster?.stop();
  });

  describe.each(['edit', 'admin'])('%s', (role) => {
    it.each(TRIED)('%s', async (_what, method, path, body, status) => {
      const answer = await api.send(method, path, body, { user: role, groups: ['system:authenticated'] });
      expect([answer.status, answer.message]).toEqual([status, status === 403 ? expect.stringMatching(/ cannot \w+ resource /) : '']);
    });
  });
});

/** Its rules come a moment after the servers. */
async function untilGathered(api: ApiClient, role: string): Promise<void> {
  const end = Date.now() + 30_000;
  const made = { ...POD, metadata: { name: 'other' } };
  while ((await api.send('POST', `${SPACE}/pods${DRY}`, made, { user: role, groups: ['system:authenticated'] })).status !== 201) {
    if (Date.now() > end) throw new Error(`${role} may do nothing`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
