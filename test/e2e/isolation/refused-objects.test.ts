import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { kindRow } from '../../../src/core/kube/kinds.ts';
import { apiVersionOf, kindKey, kindOf } from '../../../src/core/kube/object.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { REFUSED_OBJECTS } from '../../support/refused-objects.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { type ApiClient, apiClient } from './api-client.ts';

/** What `test/core/checks/refused-objects.test.ts` has refused by us: whether the API server does, and takes it without the mistake. */
onEachKubernetes('the API server of Kubernetes %s refuses', (version) => {
  let cluster: Cluster;
  let api: ApiClient;

  beforeAll(async () => {
    cluster = await startCluster({ version });
    api = apiClient(cluster);
    await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'team-dev' } });
    await api.send('POST', '/api/v1/namespaces/team-dev/serviceaccounts', { metadata: { name: 'default' } });
  });
  afterAll(async () => {
    api?.close();
    await cluster?.stop();
  });

  it.each(REFUSED_OBJECTS)('$what', async ({ object, legal }) => {
    const taken = await api.send('POST', pathOf(legal), legal);
    expect([taken.status, taken.message]).toEqual([201, '']);
    const refused = await api.send('POST', pathOf(object), object);
    expect(refused.message).toContain(' is invalid: ');
    expect(refused.status).toBe(422);
  });
});

function pathOf(object: JsonObject): string {
  const apiVersion = apiVersionOf(object);
  const plural = kindRow(kindKey(apiVersion, kindOf(object)))?.plural ?? '';
  return `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/namespaces/team-dev/${plural}?dryRun=All`;
}
