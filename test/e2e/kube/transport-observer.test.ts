import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import { openTransport, type SentRequest } from '../../../src/kube/transport/transport.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { connectionOf } from './cluster-connection.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const NEVER = new AbortController().signal;
const VERSION = { path: '/version', signal: NEVER };

describe('a transport', () => {
  test('tells of each request, how it ended and how long it took, and of the connections that are open', async () => {
    const proxy = await startFaultProxy(cluster.url);
    onTestFinished(() => proxy.stop());
    const connection = connectionOf(cluster, `https://127.0.0.1:${proxy.port}`);
    const sent: SentRequest[] = [];
    const client = openTransport(connection, { clock: SYSTEM_CLOCK, onRequest: (what) => sent.push(what) });
    onTestFinished(() => client.close());
    expect(client.connections()).toBe(0);
    await client.send(VERSION);
    await client.send({ path: '/api/v1/namespaces/none', signal: NEVER });
    await client.stream({ path: '/api/v1/nothing?watch=true', signal: NEVER });
    expect(sent.map(({ method, code }) => [method, code])).toEqual([
      ['GET', 200],
      ['GET', 404],
      ['GET', 404],
    ]);
    expect(sent.every(({ milliseconds }) => milliseconds > 0)).toBe(true);
    expect(client.connections()).toBe(proxy.open());
    proxy.refuse(true);
    proxy.cut();
    await expect.poll(() => client.connections()).toBe(0);
    await client.send(VERSION);
    expect(sent.at(-1)).toMatchObject({ method: 'GET', code: undefined });
  });
});
