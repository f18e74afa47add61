import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import { listAll } from '../../../src/kube/reflector/list-pages.ts';
import { watch } from '../../../src/kube/reflector/watch.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { clientOf, connectionOf, httpProxyOf, valueIn } from './cluster-connection.ts';
import { budgetOf, CONFIG_MAP, follow, SECRET } from './follow.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

let namespace = '';
let count = 0;
beforeEach(async () => {
  count += 1;
  namespace = `faults-${count}`;
  await kubectl('create', 'namespace', namespace);
  await kubectl('-n', namespace, 'create', 'configmap', 'first');
});

async function kubectl(...args: readonly string[]): Promise<void> {
  const { status, stderr } = await cluster.kubectl(args);
  expect(status, stderr).toBe(0);
}

const configMap = (verb: 'create' | 'delete', name: string): Promise<void> => kubectl('-n', namespace, verb, 'configmap', name);
const SOON = { timeout: 20_000, interval: 20 };
const NEVER = new AbortController().signal;

/** A reflector that watches, behind what spoils bytes. */
async function watching(silence?: number) {
  const proxy = await startFaultProxy(cluster.url);
  onTestFinished(() => proxy.stop());
  const connection = connectionOf(cluster, `https://127.0.0.1:${proxy.port}`);
  const followed = follow(connection, { resource: CONFIG_MAP, namespace }, silence === undefined ? {} : { silence });
  await followed.synced(NEVER);
  return { proxy, followed };
}

describe('a watch whose connection', () => {
  test('is cut goes on where it was: nothing is listed again, and nothing is missed', async () => {
    const { proxy, followed } = await watching();
    await configMap('create', 'before');
    await configMap('delete', 'before');
    const before = [`added ${namespace}/first`, `added ${namespace}/before`, `deleted ${namespace}/before`];
    await expect.poll(followed.words, SOON).toEqual(before);
    proxy.refuse(true);
    proxy.cut();
    await configMap('create', 'second');
    await configMap('delete', 'second');
    await expect.poll(() => followed.state(), SOON).toMatchObject({ phase: 'waiting', failure: { kind: 'unreachable' } });
    expect(followed.store.size).toBe(1);
    proxy.refuse(false);
    await expect.poll(followed.words, SOON).toEqual([...before, `added ${namespace}/second`, `deleted ${namespace}/second`]);
    expect(followed.counts).toMatchObject({ lists: 1, missed: 0 });
  });

  test('goes half-open is given up after a while of silence, and goes on over another', async () => {
    const { proxy, followed } = await watching(1500);
    proxy.strand();
    await configMap('create', 'second');
    await expect.poll(followed.words, SOON).toEqual([`added ${namespace}/first`, `added ${namespace}/second`]);
    expect(proxy.connections()).toBeGreaterThan(1);
    expect(followed.counts).toMatchObject({ lists: 1 });
  });

  test('is slow hears of everything, later', async () => {
    const { proxy, followed } = await watching(3000);
    proxy.slow(30);
    for (const name of ['b', 'c', 'd']) await configMap('create', name);
    await expect.poll(() => followed.store.size, SOON).toBe(4);
    expect(followed.counts).toMatchObject({ lists: 1, watches: 1 });
  });

  test('ends with the server goes on when that is back', async () => {
    const followed = follow(connectionOf(cluster), { resource: CONFIG_MAP, namespace });
    await followed.synced(NEVER);
    await cluster.restart();
    await configMap('create', 'second');
    await expect.poll(() => [...followed.store.keys()].at(-1), SOON).toBe(`${namespace}/second`);
  });
});

describe('a first list', () => {
  test('that is cut in the middle is not taken for the whole', async () => {
    await kubectl('-n', namespace, 'create', 'configmap', 'large', `--from-literal=x=${'y'.repeat(100_000)}`);
    const proxy = await startFaultProxy(cluster.url);
    onTestFinished(() => proxy.stop());
    proxy.slow(5);
    const followed = follow(connectionOf(cluster, `https://127.0.0.1:${proxy.port}`), { resource: CONFIG_MAP, namespace });
    await expect.poll(() => proxy.connections(), SOON).toBe(1);
    setTimeout(() => proxy.cut(), 300);
    await expect.poll(() => followed.state().phase, SOON).toBe('waiting');
    expect([followed.store.size, followed.words()]).toEqual([0, []]);
    proxy.slow(undefined);
    await followed.synced(NEVER);
    expect(followed.store.size).toBe(2);
  });

  test('whose pages are too large is taken in smaller ones', async () => {
    for (const name of ['large', 'larger'])
      await kubectl('-n', namespace, 'create', 'configmap', name, `--from-literal=x=${'y'.repeat(100_000)}`);
    const proxy = await httpProxyOf(cluster);
    let pages = 0;
    proxy.rule = ({ path }) => {
      pages += 1;
      // more than a client takes, whatever is asked for with more than one object in it
      return /limit=[^1]/.test(path) ? { code: 200, body: ' '.repeat(64 * 1024 * 1024 + 1) } : undefined;
    };
    const followed = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace }, { streaming: false, page: 4 });
    await followed.synced(NEVER);
    expect(followed.store.size).toBe(3);
    // 4, 2, then three of 1
    expect(pages).toBeGreaterThanOrEqual(5);
    expect(followed.counts.lists).toBe(1);
  });
});

describe('a server that', () => {
  const busy = (seconds: number) => ({
    code: 429,
    headers: { 'retry-after': `${seconds}` },
    body: '{"kind":"Status","reason":"TooManyRequests"}',
  });

  test('is busy is left alone for as long as it says', async () => {
    const proxy = await httpProxyOf(cluster);
    const times: number[] = [];
    proxy.rule = () => {
      times.push(performance.now());
      return times.length === 1 ? busy(3) : undefined;
    };
    await follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace }).synced(NEVER);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2990);
  });

  test('fails is asked by one of eight reflectors at a time, and by all of them once it is back', async () => {
    const proxy = await httpProxyOf(cluster);
    proxy.rule = () => ({ code: 500, body: '{"kind":"Status","reason":"InternalError"}' });
    const budget = budgetOf();
    const connection = connectionOf(cluster, proxy.url);
    const all = [1, 2, 3, 4].flatMap((n) =>
      [CONFIG_MAP, SECRET].map((resource) => follow(connection, { resource, namespace, labelSelector: `n!=${n}` }, { budget })),
    );
    await new Promise((resolve) => setTimeout(resolve, 6000));
    // eight at once, then one a delay of 0.8 s or more
    expect(proxy.seen.length).toBeGreaterThanOrEqual(9);
    expect(proxy.seen.length).toBeLessThanOrEqual(8 + 7);
    proxy.rule = () => undefined;
    await Promise.all(all.map((each) => each.synced(AbortSignal.timeout(40_000))));
  });

  test('shows an expired certificate is not believed; what was known stays, and its state says why', async () => {
    const good = await httpProxyOf(cluster);
    const followed = follow(connectionOf(cluster, good.url), { resource: CONFIG_MAP, namespace });
    await followed.synced(NEVER);
    const expired = makeCertificate({ subject: '/CN=old', expired: true });
    good.show(expired);
    good.cut();
    await expect.poll(() => followed.state(), SOON).toMatchObject({ phase: 'waiting', failure: { kind: 'certificate', whose: 'server' } });
    expect(followed.store.size).toBe(1);
  });

  test('refuses one kind does not keep the others from theirs', async () => {
    const budget = budgetOf();
    const jane = connectionOf(cluster);
    await kubectl('-n', namespace, 'create', 'role', 'maps', '--verb=list,watch', '--resource=configmaps');
    await kubectl('-n', namespace, 'create', 'rolebinding', 'maps', '--role=maps', '--user=jane');
    const asJane = { ...jane, impersonate: { user: 'jane', groups: [] } };
    const secrets = follow(asJane, { resource: SECRET, namespace }, { budget });
    await expect.poll(() => secrets.state(), SOON).toMatchObject({ phase: 'waiting', failure: { kind: 'status', reason: 'Forbidden' } });
    const maps = follow(asJane, { resource: CONFIG_MAP, namespace }, { budget });
    await maps.synced(AbortSignal.timeout(5000));
    await kubectl('-n', namespace, 'create', 'role', 'secrets', '--verb=list,watch', '--resource=secrets');
    await kubectl('-n', namespace, 'create', 'rolebinding', 'secrets', '--role=secrets', '--user=jane');
    await secrets.synced(AbortSignal.timeout(20_000));
  });
});

test('nothing is left behind on a signal by requests and watches that have ended', async () => {
  const signal = new AbortController().signal;
  const client = clientOf(connectionOf(cluster));
  for (let n = 0; n < 30; n += 1) {
    const opened = await watch(client, { resource: CONFIG_MAP, namespace }, { from: undefined, seconds: 300, silence: 60_000 }, signal);
    for await (const event of valueIn(opened)) if (event.type === 'bookmark') break;
    valueIn(await listAll(client, { resource: CONFIG_MAP, namespace }, signal));
    await budgetOf().admit(signal);
    await SYSTEM_CLOCK.sleep(1, signal);
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
