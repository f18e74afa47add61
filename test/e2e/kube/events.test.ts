import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type JsonObject, objectsOf } from '../../../src/core/kube/json.ts';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import type { Connection } from '../../../src/kube/connection/connection.ts';
import type { Occurrence } from '../../../src/kube/events/event-object.ts';
import { eventRecorder } from '../../../src/kube/events/recorder.ts';
import { seededRandom } from '../../../src/kube/random.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { clientOf, connectionOf, httpProxyOf } from './cluster-connection.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

let namespace = '';
let count = 0;
let map: JsonObject = {};
beforeEach(async () => {
  count += 1;
  namespace = `events-${count}`;
  expect((await cluster.kubectl(['create', 'namespace', namespace])).status).toBe(0);
  map = JSON.parse((await cluster.kubectl(['-n', namespace, 'create', 'configmap', 'm', '-o', 'json'])).stdout) as JsonObject;
});

const SOON = { timeout: 20_000, interval: 50 };
const what = (reason: string, note = 'It did not work.'): Occurrence => ({ type: 'Warning', reason, action: 'Sync', note, regarding: map });

/** A recorder that runs until the test is over, or until it is told to stop. */
function recorder(connection: Connection = connectionOf(cluster)) {
  const stop = new AbortController();
  const reporter = { controller: 'tenantplane.io/reconciler', instance: 'pod-1' };
  const recorded = eventRecorder({ transport: clientOf(connection), reporter, clock: SYSTEM_CLOCK, random: seededRandom(count) });
  const ended = recorded.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  onTestFinished(end);
  return { ...recorded, end };
}

async function events(): Promise<JsonObject[]> {
  const { stdout } = await cluster.kubectl(['-n', namespace, 'get', 'events.events.k8s.io', '-o', 'json']);
  return objectsOf((JSON.parse(stdout) as JsonObject)['items']);
}

describe('events', () => {
  test('are there for who describes the object', async () => {
    const { record } = recorder();
    record(what('Refused', 'The field "x" is not allowed.'));
    await expect.poll(events, SOON).toMatchObject([
      {
        type: 'Warning',
        reason: 'Refused',
        action: 'Sync',
        note: 'The field "x" is not allowed.',
        reportingController: 'tenantplane.io/reconciler',
        reportingInstance: 'pod-1',
        regarding: { kind: 'ConfigMap', namespace, name: 'm', uid: expect.any(String) },
      },
    ]);
    const described = await cluster.kubectl(['-n', namespace, 'describe', 'configmap', 'm']);
    expect(described.stdout).toMatch(/Warning\s+Refused\s.*The field "x" is not allowed\./);
  });

  test('that repeat are one with a count', async () => {
    const { record, counts } = recorder();
    record(what('Refused'));
    await expect.poll(() => counts.written, SOON).toBe(1);
    for (let n = 0; n < 100; n += 1) record(what('Refused'));
    await expect.poll(events, SOON).toMatchObject([{ series: { count: 101, lastObservedTime: expect.any(String) } }]);
    expect(counts).toEqual({ written: 2, dropped: 0, failed: 0 });
  });

  test('that were deleted are made again when they happen again', async () => {
    const { record, counts } = recorder();
    record(what('Refused'));
    await expect.poll(() => counts.written, SOON).toBe(1);
    await cluster.kubectl(['-n', namespace, 'delete', 'events.events.k8s.io', '--all']);
    record(what('Refused'));
    await expect.poll(events, SOON).toMatchObject([{ series: { count: 2 } }]);
  });

  test('of what has no namespace are in default', async () => {
    const { record } = recorder();
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${count}` } };
    record({ ...what('Gone'), regarding: node, type: 'Normal' });
    const look = async () =>
      (await cluster.kubectl(['get', 'events', '-n', 'default', '--field-selector', `involvedObject.name=node-${count}`, '-o', 'name']))
        .stdout;
    await expect.poll(look, SOON).toMatch(/^event\/node-/);
  });

  test('wait for a server that fails, and are given up where it refuses', async () => {
    const proxy = await httpProxyOf(cluster);
    let asked = 0;
    proxy.rule = () => {
      asked += 1;
      return asked === 1 ? { code: 503, body: '' } : undefined;
    };
    const { record, counts } = recorder(connectionOf(cluster, proxy.url));
    record(what('Refused'));
    await expect.poll(() => counts, SOON).toEqual({ written: 1, dropped: 0, failed: 0 });
    record({ ...what('Refused'), regarding: { ...map, metadata: { name: 'm', namespace: 'nowhere' } } });
    await expect.poll(() => counts, SOON).toEqual({ written: 1, dropped: 0, failed: 1 });
  });

  test('that wait when the recorder is stopped are written', async () => {
    const { record, end } = recorder();
    for (let n = 0; n < 20; n += 1) record(what(`Reason${n}`));
    await end();
    expect((await events()).length).toBe(20);
  });
});
