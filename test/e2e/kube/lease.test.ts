import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import type { Connection } from '../../../src/kube/connection/connection.ts';
import { type Ended, type Leadership, lead } from '../../../src/kube/lease/lead.ts';
import type { LeaseTimes } from '../../../src/kube/lease/lease-record.ts';
import { seededRandom } from '../../../src/kube/random.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { clientOf, connectionOf } from './cluster-connection.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

let name = '';
let count = 0;
beforeEach(() => {
  count += 1;
  name = `lease-${count}`;
});

const TIMES: LeaseTimes = { duration: 3000, renewDeadline: 2000, retryPeriod: 300 };
const SOON = { timeout: 20_000, interval: 20 };

interface Candidate {
  readonly ended: Promise<Ended>;
  leadership(): Leadership | undefined;
  stop(): void;
}

interface Setting {
  readonly connection?: Connection;
  readonly clock?: Clock;
  /** milliseconds that it takes to end its work */
  readonly drain?: number;
  readonly log?: string[];
  readonly times?: LeaseTimes;
}

/** Somebody who leads until it is told otherwise. */
function candidate(
  identity: string,
  { connection = connectionOf(cluster), clock = SYSTEM_CLOCK, drain = 0, log = [], times = TIMES }: Setting = {},
): Candidate {
  const stop = new AbortController();
  let leadership: Leadership | undefined;
  const work = async (given: Leadership): Promise<void> => {
    log.push(`${identity} begins`);
    leadership = given;
    if (!given.signal.aborted) await new Promise((resolve) => given.signal.addEventListener('abort', resolve));
    await sleep(drain);
    log.push(`${identity} ends`);
  };
  const options = {
    transport: clientOf(connection),
    namespace: 'default',
    name,
    identity,
    clock,
    random: seededRandom(count),
    times,
  };
  const ended = lead(options, work, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { ended, leadership: () => leadership, stop: () => stop.abort() };
}

async function lease(): Promise<{ spec: Record<string, unknown> }> {
  return JSON.parse((await cluster.kubectl(['get', 'lease', name, '-o', 'json'])).stdout) as { spec: Record<string, unknown> };
}

async function holder(): Promise<unknown> {
  const { status, stdout } = await cluster.kubectl(['get', 'lease', name, '-o', 'jsonpath={.spec.holderIdentity}']);
  return status === 0 ? stdout : undefined;
}

describe('a lease', () => {
  test('has one holder, however many want it at once', async () => {
    const log: string[] = [];
    const all = ['a', 'b', 'c', 'd', 'e'].map((identity) => candidate(identity, { log }));
    await expect.poll(() => log.length, SOON).toBe(1);
    await sleep(TIMES.duration + 500);
    expect(log.length).toBe(1);
    expect(all.filter((each) => each.leadership()?.holds()).length).toBe(1);
    expect(await lease()).toMatchObject({
      spec: {
        holderIdentity: log[0]?.split(' ')[0],
        leaseDurationSeconds: 3,
        leaseTransitions: 1,
        renewTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      },
    });
  });

  test('is given back by who stops, and taken without waiting for its end', async () => {
    const log: string[] = [];
    const times = { ...TIMES, duration: 600_000 };
    const a = candidate('a', { log, times });
    await expect.poll(() => log, SOON).toEqual(['a begins']);
    candidate('b', { log, times });
    a.stop();
    await expect.poll(() => log, SOON).toEqual(['a begins', 'a ends', 'b begins']);
  });

  test('is renewed until the work has ended, however long that takes', async () => {
    const log: string[] = [];
    const a = candidate('a', { log, drain: TIMES.duration + 1000 });
    await expect.poll(() => log, SOON).toEqual(['a begins']);
    const b = candidate('b', { log });
    a.stop();
    expect(await a.ended).toBe('stopped');
    expect(log).toEqual(['a begins', 'a ends']);
    await expect.poll(() => log, SOON).toEqual(['a begins', 'a ends', 'b begins']);
    expect((await lease()).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 2 });
    b.stop();
    expect(await b.ended).toBe('stopped');
    expect(await holder()).toBe('');
  });

  test('is lost by who cannot reach the server, who has stopped before another one begins', async () => {
    const proxy = await startFaultProxy(cluster.url);
    onTestFinished(() => proxy.stop());
    const log: string[] = [];
    const a = candidate('a', { log, connection: connectionOf(cluster, `https://127.0.0.1:${proxy.port}`), drain: 300 });
    await expect.poll(() => log, SOON).toEqual(['a begins']);
    candidate('b', { log });
    await sleep(1000);
    proxy.freeze();
    await expect.poll(() => log, SOON).toEqual(['a begins', 'a ends', 'b begins']);
    expect(await a.ended).toBe('lost');
    expect(a.leadership()?.holds()).toBe(false);
  });

  test('outlives a server that is away for a moment', async () => {
    const proxy = await startFaultProxy(cluster.url);
    onTestFinished(() => proxy.stop());
    const log: string[] = [];
    const a = candidate('a', { log, connection: connectionOf(cluster, `https://127.0.0.1:${proxy.port}`) });
    await expect.poll(() => log, SOON).toEqual(['a begins']);
    proxy.refuse(true);
    proxy.cut();
    await sleep(TIMES.renewDeadline / 2);
    proxy.refuse(false);
    await sleep(TIMES.duration);
    expect(a.leadership()?.holds()).toBe(true);
    expect(log).toEqual(['a begins']);
  });

  test('that somebody took away is lost at once', async () => {
    const log: string[] = [];
    const a = candidate('a', { log });
    await expect.poll(() => log, SOON).toEqual(['a begins']);
    await cluster.kubectl(['patch', 'lease', name, '--type=merge', '-p', '{"spec":{"holderIdentity":"thief"}}']);
    expect(await a.ended).toBe('lost');
    // what is somebody else's is not given back
    expect(await holder()).toBe('thief');
  });

  test('that somebody deleted is lost, since another one may make it', async () => {
    const a = candidate('a');
    await expect.poll(() => a.leadership() !== undefined, SOON).toBe(true);
    await cluster.kubectl(['delete', 'lease', name]);
    expect(await a.ended).toBe('lost');
  });

  test('that somebody put a label on is kept', async () => {
    const a = candidate('a');
    await expect.poll(() => a.leadership() !== undefined, SOON).toBe(true);
    await cluster.kubectl(['label', 'lease', name, 'seen=yes']);
    await sleep(TIMES.duration);
    expect(a.leadership()?.holds()).toBe(true);
    expect(await holder()).toBe('a');
  });

  test.each([-3_600_000, 3_600_000])('is not taken from a holder whose clock is %i ms off', async (off) => {
    const log: string[] = [];
    candidate('a', { log, clock: { ...SYSTEM_CLOCK, wall: () => Date.now() + off } });
    await expect.poll(() => log, SOON).toEqual(['a begins']);
    candidate('b', { log });
    await sleep(2 * TIMES.duration);
    expect(log).toEqual(['a begins']);
  });

  test('does not hold for a process that stood still, although no timer has told it yet', async () => {
    const a = candidate('a');
    await expect.poll(() => a.leadership()?.holds(), SOON).toBe(true);
    const until = performance.now() + TIMES.renewDeadline + 100;
    while (performance.now() < until);
    expect(a.leadership()?.holds()).toBe(false);
    expect(a.leadership()?.signal.aborted).toBe(false);
    expect(await a.ended).toBe('lost');
  });

  test('whose holder does not stop in time is overrun, and says so', async () => {
    const a = candidate('a', { drain: 2 * TIMES.duration });
    await expect.poll(() => a.leadership() !== undefined, SOON).toBe(true);
    await cluster.kubectl(['patch', 'lease', name, '--type=merge', '-p', '{"spec":{"holderIdentity":"thief"}}']);
    expect(await a.ended).toBe('overrun');
  });

  test('is given back when the work ends or throws, and that is thrown on', async () => {
    const options = {
      transport: clientOf(connectionOf(cluster)),
      namespace: 'default',
      name,
      identity: 'a',
      clock: SYSTEM_CLOCK,
      random: seededRandom(1),
      times: TIMES,
    };
    const signal = new AbortController().signal;
    expect(await lead(options, async () => undefined, signal)).toBe('stopped');
    expect(await holder()).toBe('');
    await expect(lead(options, () => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    expect(await holder()).toBe('');
  });

  test('is not waited for by who is told to stop', async () => {
    candidate('a');
    await expect.poll(holder, SOON).toBe('a');
    const b = candidate('b');
    await sleep(500);
    b.stop();
    expect(await b.ended).toBe('stopped');
    expect(await holder()).toBe('a');
  });
});
