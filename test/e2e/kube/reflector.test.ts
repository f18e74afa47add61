import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { type Etcd, startEtcd } from '../../bed/etcd.ts';
import { OLDEST } from '../../bed/kubernetes-version.ts';
import { connectionOf, httpProxyOf } from './cluster-connection.ts';
import { CONFIG_MAP, follow, SECRET } from './follow.ts';

let etcd: Etcd;
let cluster: Cluster;
beforeAll(async () => {
  etcd = await startEtcd();
  cluster = await startCluster({ etcd });
});
afterAll(async () => {
  await cluster.stop();
  await etcd.stop();
});

let namespace = '';
let count = 0;
beforeEach(async () => {
  count += 1;
  namespace = `reflected-${count}`;
  await kubectl('create', 'namespace', namespace);
});

async function kubectl(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await cluster.kubectl(args);
  expect(status, stderr).toBe(0);
  return stdout;
}

/** ConfigMaps `a` to …, in one request. */
async function make(...names: readonly string[]): Promise<void> {
  const items = names.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { name } }));
  const ran = await cluster.kubectl(['create', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  expect(ran.status, ran.stderr).toBe(0);
}

const of = (...names: readonly string[]): string[] => names.map((name) => `${namespace}/${name}`);
const SOON = { timeout: 20_000, interval: 50 };
const NEVER = new AbortController().signal;

describe('a reflector of a real API server', () => {
  test('lists in pages, then hears of each change', async () => {
    await make('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const proxy = await httpProxyOf(cluster);
    const followed = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace }, { streaming: false, page: 3 });
    await followed.synced(NEVER);
    expect([...followed.store.keys()]).toEqual(of('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    expect(followed.store.get(`${namespace}/a`)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { name: 'a' } });
    expect(followed.store.get(`${namespace}/a`)).not.toHaveProperty('metadata.managedFields');
    expect(proxy.seen.filter(({ path }) => path.includes('limit=3')).length).toBe(3);
    await make('h');
    await kubectl('-n', namespace, 'label', 'configmap', 'h', 'x=y');
    await kubectl('-n', namespace, 'delete', 'configmap', 'a');
    await expect
      .poll(() => followed.words().slice(7), SOON)
      .toEqual([`added ${namespace}/h`, `modified ${namespace}/h`, `deleted ${namespace}/a`]);
    expect(followed.changes[8]).toMatchObject({ old: { metadata: { name: 'h' } }, object: { metadata: { labels: { x: 'y' } } } });
    expect(followed.changes[9]).toMatchObject({ finalStateUnknown: false, object: { data: { name: 'a' } } });
    expect(followed.counts).toEqual({ lists: 1, watches: 1, expired: 0, missed: 0, errors: 0 });
  });

  test('takes the list as events where the server can do that, in the request that goes on as the watch', async () => {
    await make('a', 'b', 'c');
    const proxy = await httpProxyOf(cluster);
    const followed = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace });
    await followed.synced(NEVER);
    expect([...followed.store.keys()]).toEqual(of('a', 'b', 'c'));
    await make('d');
    await expect.poll(() => followed.words().length, SOON).toBe(4);
    expect(proxy.seen.map(({ path }) => path)).toEqual([expect.stringMatching(/sendInitialEvents=true&resourceVersionMatch=NotOlderThan/)]);
  });

  test('takes a list where the server says that it cannot', async () => {
    await make('a');
    const proxy = await httpProxyOf(cluster);
    proxy.rule = ({ path }) =>
      // what a server says whose feature WatchList is off
      path.includes('sendInitialEvents')
        ? { code: 422, body: '{"kind":"Status","reason":"Invalid","message":"sendInitialEvents: Forbidden"}' }
        : undefined;
    const followed = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace });
    await followed.synced(NEVER);
    await make('b');
    await expect.poll(() => [...followed.store.keys()], SOON).toEqual(of('a', 'b'));
    expect(proxy.seen.length).toBe(3);
  });

  test('takes a list where the server takes no notice of what it cannot do', async () => {
    await make('a');
    const proxy = await httpProxyOf(cluster);
    // what it would be for a server that does not know the parameter; it sends a bookmark shortly before the end
    proxy.rule = ({ path }) => ({
      path: path.replace('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', '').replace(/timeoutSeconds=\d+/, 'timeoutSeconds=4'),
    });
    const followed = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace });
    await followed.synced(AbortSignal.timeout(20_000));
    expect([...followed.store.keys()]).toEqual(of('a'));
    expect(followed.words()).toEqual([`added ${namespace}/a`]);
  });

  test('of the older Kubernetes', { tags: 'release' }, async () => {
    const old = await startCluster({ version: OLDEST });
    onTestFinished(() => old.stop());
    const proxy = await httpProxyOf(old);
    const followed = follow(connectionOf(old, proxy.url), { resource: CONFIG_MAP });
    await followed.synced(NEVER);
    await old.kubectl(['create', 'configmap', 'a']);

    await expect.poll(followed.words, SOON).toContain('added default/a');
  });

  test.each([true, false])(
    'keeps metadata only where that is enough: no value of a Secret is sent (streaming list: %s)',
    async (streaming) => {
      await kubectl('-n', namespace, 'create', 'secret', 'generic', 's', '--from-literal=password=hunter2');
      const followed = follow(connectionOf(cluster), { resource: SECRET, namespace, metadataOnly: true }, { streaming });
      await followed.synced(NEVER);
      await kubectl('-n', namespace, 'label', 'secret', 's', 'x=y');
      await expect.poll(() => followed.changes.at(-1)?.type, SOON).toBe('modified');
      const secret = followed.store.get(`${namespace}/s`);
      expect(Object.keys(secret ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
      expect(secret).toMatchObject({ apiVersion: 'v1', kind: 'Secret', metadata: { labels: { x: 'y' } } });
      expect(secret).not.toHaveProperty('metadata.managedFields');
    },
  );

  test('sees what leaves its selection as deleted', async () => {
    await make('a', 'b');
    await kubectl('-n', namespace, 'label', 'configmap', 'a', 'b', 'keep=yes');
    const followed = follow(connectionOf(cluster), {
      resource: CONFIG_MAP,
      namespace,
      labelSelector: 'keep=yes',
      fieldSelector: 'metadata.name!=b',
    });
    await followed.synced(NEVER);
    expect([...followed.store.keys()]).toEqual(of('a'));
    await kubectl('-n', namespace, 'label', 'configmap', 'a', 'keep-');
    await expect.poll(followed.words, SOON).toEqual([`added ${namespace}/a`, `deleted ${namespace}/a`]);
  });

  test('goes on when somebody who is told throws, and says so', async () => {
    await make('a', 'b');
    const errors: unknown[] = [];
    const seen: string[] = [];
    const onChange = ({ key }: { key: string }): void => {
      seen.push(key);
      if (key.endsWith('/a')) throw new Error('no');
    };
    const followed = follow(
      connectionOf(cluster),
      { resource: CONFIG_MAP, namespace },
      { onChange, onError: (error) => errors.push(error) },
    );
    await followed.synced(NEVER);
    expect(seen).toEqual(of('a', 'b'));
    expect(followed.counts.errors).toBe(1);
    expect(String(errors[0])).toBe('Error: no');
  });

  test('ends when it is told to, and who waits for it is told too', async () => {
    const followed = follow(connectionOf(cluster), { resource: CONFIG_MAP, namespace });
    await followed.synced(NEVER);
    followed.stop();
    await followed.ended;
    expect(followed.state()).toEqual({ phase: 'stopped' });
    const proxy = await httpProxyOf(cluster);
    proxy.rule = () => 'silence';
    const waiting = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace });
    await expect(waiting.synced(AbortSignal.timeout(300))).rejects.toThrow(/timeout/);
  });
});

describe('what a server forgets', () => {
  test('a version that is too old leads to a list; what went meanwhile is told as unseen', async () => {
    await make('goes', 'stays', 'again');
    const proxy = await httpProxyOf(cluster);
    const followed = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace }, { streaming: false });
    await followed.synced(NEVER);
    await expect.poll(() => followed.state().phase, SOON).toBe('watching');
    const { opened, open } = gate();
    proxy.rule = () => opened.then(() => undefined);
    proxy.cut();
    await kubectl('-n', namespace, 'delete', 'configmap', 'goes', 'again');
    await make('comes', 'again');
    // an API server keeps the last minutes of watches in memory; a new one knows nothing from before it began
    await cluster.restart();
    open();
    await expect
      .poll(() => followed.words().slice(3), SOON)
      .toEqual([
        `deleted ${namespace}/goes unseen`,
        `deleted ${namespace}/again unseen`,
        `added ${namespace}/again`,
        `added ${namespace}/comes`,
      ]);
    expect(followed.changes[3]).toMatchObject({ object: { data: { name: 'goes' } } });
    expect(followed.counts).toMatchObject({ lists: 2, expired: 1, missed: 4 });
  });

  test('a list of which the server forgets the rest is begun again', async () => {
    await make('a', 'b', 'c', 'd', 'e');
    const proxy = await httpProxyOf(cluster);
    let compacted = false;
    proxy.rule = async ({ path }) => {
      if (path.includes('continue=') && !compacted) {
        compacted = true;
        await forgetHistory();
      }
      return undefined;
    };
    const followed = follow(connectionOf(cluster, proxy.url), { resource: CONFIG_MAP, namespace }, { streaming: false, page: 2 });
    await followed.synced(NEVER);
    expect([...followed.store.keys()]).toEqual(of('a', 'b', 'c', 'd', 'e'));
    expect(proxy.codes.slice(0, 3)).toEqual([200, 410, 200]);
    const lists = proxy.seen.filter(({ path }) => !path.includes('watch=true')).map(({ path }) => path.split('?')[1] ?? '');
    expect(lists).toEqual(['limit=2', expect.stringMatching(/^limit=2&continue=/), '']);
  });

  test('a kind that goes and comes again with other objects', async () => {
    const basket = { group: 'shop.example', version: 'v1', kind: 'Basket', plural: 'baskets', namespaced: true };
    const crd = JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'baskets.shop.example' },
      spec: {
        group: 'shop.example',
        scope: 'Namespaced',
        names: { kind: 'Basket', plural: 'baskets' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    const phases: string[] = [];
    const followed = follow(
      connectionOf(cluster),
      { resource: basket, namespace },
      {
        onState: (state) =>
          phases.push(state.phase === 'waiting' && state.failure.kind === 'status' ? `${state.failure.code}` : state.phase),
      },
    );
    await expect.poll(() => phases, SOON).toContain('404');
    const put = async (name: string): Promise<void> => {
      const input = JSON.stringify({ apiVersion: 'shop.example/v1', kind: 'Basket', metadata: { name, namespace } });
      await expect.poll(async () => (await cluster.kubectl(['create', '-f', '-'], { input })).status, SOON).toBe(0);
    };
    await cluster.kubectl(['create', '-f', '-'], { input: crd });
    await put('first');
    await expect.poll(() => [...followed.store.keys()], SOON).toEqual(of('first'));
    await kubectl('delete', 'crd', 'baskets.shop.example');
    await expect.poll(() => phases.at(-1), SOON).toBe('404');
    await cluster.kubectl(['create', '-f', '-'], { input: crd });
    await put('second');
    await expect.poll(() => [...followed.store.keys()], SOON).toEqual(of('second'));
    expect(followed.words().slice(0, 2)).toEqual([`added ${namespace}/first`, expect.stringContaining(`deleted ${namespace}/first`)]);
  });
});

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Has all but the newest state forgotten, as API servers have it done by etcd every five minutes. */
async function forgetHistory(): Promise<void> {
  await make('z-1', 'z-2');
  await kubectl('-n', namespace, 'delete', 'configmap', 'z-1', 'z-2');
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const call = async (path: string, body: object): Promise<{ readonly header?: { readonly revision?: string } }> =>
    (await (await fetch(`${etcd.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).json()) as {
      header?: { revision?: string };
    };
  const { header } = await call('/v3/kv/range', { key: base64('/') });
  await call('/v3/kv/compaction', { revision: header?.revision ?? '0', physical: true });
  // newer API servers serve old lists from memory for a while
  await cluster.restart();
}
