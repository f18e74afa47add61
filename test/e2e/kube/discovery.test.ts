import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discovery } from '../../../src/kube/discovery/discovery.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { clientOf, connectionOf, httpProxyOf, valueIn } from './cluster-connection.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const NEVER = new AbortController().signal;

async function behindProxy() {
  const proxy = await httpProxyOf(cluster);
  const clock = manualClock();
  return { proxy, clock, found: discovery(clientOf(connectionOf(cluster, proxy.url)), clock) };
}

describe('what a server serves', () => {
  test('kinds with scope, verbs and subresources, in two requests', async () => {
    const { proxy, found } = await behindProxy();
    const pods = valueIn(await found.lookUp({ group: '', plural: 'pods' }, NEVER));
    expect(pods).toMatchObject({
      group: '',
      version: 'v1',
      kind: 'Pod',
      plural: 'pods',
      singular: 'pod',
      namespaced: true,
      shortNames: ['po'],
    });
    expect([...(pods?.verbs ?? [])]).toEqual(expect.arrayContaining(['get', 'list', 'watch', 'create', 'patch', 'delete']));
    expect([...(pods?.subresources ?? [])]).toEqual(expect.arrayContaining(['status', 'log', 'ephemeralcontainers']));
    expect(valueIn(await found.lookUp({ group: 'apps', kind: 'Deployment' }, NEVER))).toMatchObject({
      version: 'v1',
      plural: 'deployments',
    });
    expect(valueIn(await found.lookUp({ group: '', kind: 'Node' }, NEVER))).toMatchObject({ namespaced: false });
    expect(proxy.seen.map(({ path }) => path)).toEqual(['/api', '/apis']);
  });

  test('the version that the server prefers, where none is named', async () => {
    const { found } = await behindProxy();
    expect(valueIn(await found.lookUp({ group: 'autoscaling', kind: 'HorizontalPodAutoscaler' }, NEVER))).toMatchObject({ version: 'v2' });
    const old = { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' };
    expect(valueIn(await found.lookUp(old, NEVER))).toMatchObject({ version: 'v1' });
  });

  test('kubectl names the same API versions and resources', async () => {
    const { found } = await behindProxy();
    const { resources, apiVersions, unknown } = valueIn(await found.all(NEVER));
    const kubectl = async (...args: readonly string[]): Promise<string[]> => (await cluster.kubectl(args)).stdout.trim().split('\n').sort();
    expect([...apiVersions].sort()).toEqual(await kubectl('api-versions'));
    const names = resources.map(({ group, plural }) => (group === '' ? plural : `${plural}.${group}`));
    expect([...new Set(names)].sort()).toEqual(await kubectl('api-resources', '-o', 'name'));
    expect(unknown).toEqual([]);
  });

  test('a server without aggregated discovery tells the same', async () => {
    const [whole, plain] = [await behindProxy(), await plainProxy()];
    const [a, b] = [valueIn(await whole.found.all(NEVER)), valueIn(await plain.all(NEVER))];
    const key = (resource: { group: string; version: string; plural: string }): string =>
      `${resource.group}/${resource.version}/${resource.plural}`;
    const sorted = (all: typeof a) => [...all.resources].sort((x, y) => key(x).localeCompare(key(y)));
    expect(sorted(b)).toEqual(sorted(a));
    expect(valueIn(await plain.lookUp({ group: 'autoscaling', kind: 'HorizontalPodAutoscaler' }, NEVER))).toMatchObject({ version: 'v2' });
    expect([...b.apiVersions].sort()).toEqual([...a.apiVersions].sort());
  });

  test('is asked for once, and again only after its time; then an ETag spares the answer', async () => {
    const { proxy, clock, found } = await behindProxy();
    const both = await Promise.all([found.all(NEVER), found.all(NEVER)]);
    expect(valueIn(both[0])).toBe(valueIn(both[1]));
    valueIn(await found.all(NEVER));
    expect(proxy.seen.length).toBe(2);
    await clock.advance(10 * 60_000);
    const again = valueIn(await found.all(NEVER));
    expect(proxy.seen.length).toBe(4);
    expect(proxy.codes).toEqual([200, 200, 304, 304]);
    expect(again).toEqual(valueIn(both[0]));
  });

  test('a kind that comes later is found, and one that never comes is not asked for each time', async () => {
    const { proxy, clock, found } = await behindProxy();
    const sought = { group: 'shop.example', kind: 'Basket' };
    expect(valueIn(await found.lookUp(sought, NEVER))).toBeUndefined();
    expect(valueIn(await found.lookUp(sought, NEVER))).toBeUndefined();
    expect(proxy.seen.length).toBe(2);
    await cluster.kubectl(['apply', '-f', '-'], { input: CRD });
    await cluster.kubectl(['wait', '--for=condition=Established', 'crd', 'baskets.shop.example', '--timeout=20s']);
    await expect
      .poll(
        async () => {
          await clock.advance(5000);
          return valueIn(await found.lookUp(sought, NEVER));
        },
        { timeout: 20_000, interval: 500 },
      )
      .toMatchObject({ plural: 'baskets', namespaced: true });
    // long before what is known has aged
    expect(clock.now()).toBeLessThan(10 * 60_000);
  });

  test('a group whose server does not answer is not said to be empty', async () => {
    const { found } = await behindProxy();
    await cluster.kubectl(['apply', '-f', '-'], { input: EXTENSION });
    const sought = { group: 'metrics.example', kind: 'Sample' };
    await expect
      .poll(
        async () => {
          found.invalidate();
          return await found.lookUp(sought, NEVER);
        },
        { timeout: 20_000 },
      )
      .toMatchObject({ failure: { kind: 'unreachable', code: 'STALE_DISCOVERY' } });
    expect(valueIn(await found.all(NEVER)).unknown).toEqual(['metrics.example/v1']);
    await cluster.kubectl(['delete', 'apiservice', 'v1.metrics.example']);
  });
});

/** Answers with what the server says to the plain media type, as one does that knows no other. */
async function plainProxy() {
  const { proxy, found } = await behindProxy();
  const client = clientOf(connectionOf(cluster));
  const plain = new Map<string, string>();
  for (const path of ['/api', '/apis']) plain.set(path, valueIn(await client.send({ path, signal: NEVER })).text);
  proxy.rule = ({ path }) => {
    const body = plain.get(path);
    return body === undefined ? undefined : { code: 200, headers: { 'content-type': 'application/json' }, body };
  };
  return found;
}

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: baskets.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {kind: Basket, plural: baskets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
const EXTENSION = `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.metrics.example}
spec:
  group: metrics.example
  version: v1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {name: none, namespace: default}
`;
