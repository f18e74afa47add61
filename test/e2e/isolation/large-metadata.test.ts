import { afterAll, beforeAll, expect, it } from 'vitest';
import { METADATA_LIMIT } from '../../../src/core/checks/metadata-checks.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { configMap, OURS, pod, REQUESTERS } from '../../support/admission-cases/case.ts';
import { POLICIES } from '../../support/admission-cases/evaluate.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { sendCreate } from './send-case.ts';
import { apply, makeTenants } from './tenants.ts';

const entries = (count: number, domain = 'example.com'): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${domain}/key-${index}`, 'a']));
/** A domain as long as one may be. */
const LONG = Array.from({ length: 4 }, (_, index) => String.fromCharCode(97 + index).repeat(62)).join('.');

/** Made by whoever no rule about metadata looks at: a controller of Kubernetes. */
const LARGE: readonly (readonly [string, JsonObject])[] = [
  ['4,000 labels', { labels: { ...OURS, ...entries(4000) } }],
  ['4,000 annotations', { labels: OURS, annotations: entries(4000) }],
  [
    'as many labels as are rendered and 500 annotations with keys as long as may be',
    { labels: { ...OURS, ...entries(METADATA_LIMIT, LONG) }, annotations: entries(500, LONG) },
  ],
];

onEachKubernetes('what has much metadata, on Kubernetes %s', (version) => {
  let cluster: Cluster;
  let api: ApiClient;
  const pods = '/api/v1/namespaces/team-dev/pods';

  beforeAll(async () => {
    cluster = await startCluster({ version });
    api = apiClient(cluster);
    await makeTenants(cluster);
    await apply(
      cluster,
      POLICIES.map(({ object }) => object),
    );
    const hostile = configMap({ annotations: { 'tenantplane.io/x': 'a' } });
    const end = Date.now() + 60_000;
    while ((await sendCreate(api, hostile, 'team-dev', REQUESTERS.intruder)).by !== 'policy') {
      if (Date.now() > end) throw new Error('no policy looks at metadata');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  afterAll(async () => {
    api?.close();
    await cluster?.stop();
  });

  it.each(LARGE)('%s: what a kubelet reports of its pod goes through', async (_, metadata) => {
    const made = await api.send('POST', pods, pod({}, { ...metadata, name: 'large' }), REQUESTERS.replicaset);
    expect(made.status, made.message).toBe(201);
    try {
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      const reported = await api.send('PUT', `${pods}/large/status`, { ...made.object, status }, REQUESTERS.kubelet);
      expect(reported.message).toBe('');
    } finally {
      await api.send('DELETE', `${pods}/large?gracePeriodSeconds=0`, undefined, REQUESTERS.administrator);
    }
  });
});
