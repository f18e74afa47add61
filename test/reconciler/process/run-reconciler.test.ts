import { expect, test } from 'vitest';
import type { Random } from '../../../src/kube/random.ts';
import { makeLog } from '../../../src/reconciler/log/log.ts';
import { makeMetrics } from '../../../src/reconciler/metrics/metrics.ts';
import { runReconciler } from '../../../src/reconciler/process/run-reconciler.ts';
import type { ReconcilerTools, TenantReconciler } from '../../../src/reconciler/reconcile.ts';
import { startTracing } from '../../../src/reconciler/trace/tracing.ts';
import { leaseHost } from '../../support/lease-host.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { watchedHost } from '../../support/watched-host.ts';

const SOON = { timeout: 20_000 };
const CLAIM = { lease: 'n/tenantplane-reconciler', holderIdentity: 'me' };
const TENANT = {
  metadata: { namespace: 'fleet', name: 'a', uid: 'a', resourceVersion: '1' },
  status: { leader: CLAIM },
};

async function setting(
  make: (tools: ReconcilerTools) => TenantReconciler,
  changed: { readonly leaderElect?: boolean; readonly random?: Random; readonly flush?: () => Promise<void> } = {},
) {
  const clock = manualClock();
  const leases = leaseHost(clock);
  const host = await watchedHost([TENANT], leases);
  const stop = new AbortController();
  const lines: string[] = [];
  const options = {
    connection: host.connection,
    version: '0',
    identity: 'me',
    workers: 4,
    passTimeout: 120_000,
    drainTimeout: 25_000,
    resync: 600_000,
    leaderElect: changed.leaderElect ?? true,
    leaseNamespace: 'n',
    metricsAddress: 'none',
    probeAddress: 'none',
  } as const;
  const tracing = await startTracing({ env: {}, version: '0', instance: 'me' });
  const parts = {
    clock,
    random: changed.random ?? (() => 0),
    log: makeLog({ write: (line) => lines.push(line), wall: () => 0 }),
    metrics: makeMetrics({ byTenant: false }),
    tracing: { ...tracing, flush: changed.flush ?? tracing.flush },
    make,
  };
  return { clock, leases, host, stop, lines, ended: runReconciler(options, parts, stop.signal) };
}

test('the lease is renewed while slow requests have all connections that there may be', async () => {
  const { clock, leases, host, stop, ended } = await setting(({ transport }) => ({
    reconcile: async (_, signal) => {
      await Promise.all(Array.from({ length: 8 }, () => transport.send({ path: '/slow', signal })));
      return { result: 'success' };
    },
  }));
  await expect.poll(host.slow, SOON).toBe(8);
  await clock.advance(2000);
  await expect.poll(() => leases.asked.at(-1), SOON).toBe('2 PUT');
  stop.abort();
  host.answer();
  expect(await ended).toBe('stopped');
  expect(leases.holder()).toBe('');
});

test('a process whose watches end by a defect leaves nothing behind, also where it holds no lease', async () => {
  let broken = false;
  const random = (): number => {
    if (broken) throw new Error('broken');
    return 0;
  };
  let passes = 0;
  const reconcile = async () => {
    passes += 1;
    return { result: 'success' } as const;
  };
  const { clock, host, ended } = await setting(() => ({ reconcile }), { leaderElect: false, random });
  await expect.poll(() => passes, SOON).toBe(1);
  broken = true;
  host.hangUp();
  await expect(ended).rejects.toThrow('broken');
  await expect.poll(() => clock.sleeping(), SOON).toEqual([]);
});

test('who is told to end before anything is known, or while another one leads, ends and leaves the lease alone', async () => {
  const none = { reconcile: () => Promise.reject(new Error('nobody leads')) };
  const early = await setting(() => none);
  early.stop.abort();
  expect(await early.ended).toBe('stopped');
  expect(early.leases.asked).toEqual([]);

  const later = await setting(() => none);
  later.leases.write({ metadata: { name: 'l' }, spec: { holderIdentity: 'other', leaseDurationSeconds: 15 } });
  await expect.poll(() => later.lines.some((line) => line.includes('standing by')), SOON).toBe(true);
  later.stop.abort();
  expect(await later.ended).toBe('stopped');
  expect(later.leases.asked).toEqual(['0 GET']);
  expect(later.leases.holder()).toBe('other');
});

test('who is told to end waits for its passes, then tells what is to be told, then gives the lease back', async () => {
  let record = (): void => undefined;
  let again = (): void => undefined;
  let passes = 0;
  const { clock, leases, host, stop, ended } = await setting(({ transport, events, enqueue }) => ({
    reconcile: async (key, signal) => {
      passes += 1;
      again = () => enqueue(key);
      record = () => events.record({ type: 'Normal', reason: 'Seen', action: 'Reconcile', note: 'seen', regarding: TENANT });
      await transport.send({ path: '/slow', signal });
      record();
      return { result: 'success', requeueAfter: 0 };
    },
  }));
  const did: string[] = [];
  await expect.poll(host.slow, SOON).toBe(1);
  stop.abort();
  again();
  await clock.advance(2000);
  await expect.poll(() => leases.asked.at(-1), SOON).toBe('2 PUT');
  did.push(...host.written, String(leases.holder()));
  host.answer();
  expect(await ended).toBe('stopped');
  did.push(...host.written, String(leases.holder()));
  expect(did).toEqual(['me', 'POST events', '']);
  again();
  await clock.advance(1e6);
  expect(passes).toBe(1);
});

test('a pass that does not end may write nothing once the process has ended', async () => {
  let holds = (): boolean => false;
  const { clock, stop, lines, ended } = await setting(
    (tools) => ({
      reconcile: (key) => {
        holds = () => tools.holds(key);
        return new Promise(() => undefined);
      },
    }),
    { leaderElect: false },
  );
  await expect.poll(() => holds(), SOON).toBe(true);
  stop.abort();
  await clock.advance(26_999);
  expect(holds()).toBe(true);
  await clock.advance(1);
  expect(await ended).toBe('stopped');
  expect(holds()).toBe(false);
  expect(lines.some((line) => line.includes('passes did not end in time') && line.includes('fleet/a'))).toBe(true);
});

test('spans do not wait for Events that the host does not take', async () => {
  let dropped = (): number => -1;
  const seen: number[] = [];
  const flush = async () => void seen.push(dropped());
  const { host, leases, stop, ended } = await setting(
    ({ transport, events }) => ({
      reconcile: async (_, signal) => {
        dropped = () => events.counts.dropped;
        await transport.send({ path: '/slow', signal });
        events.record({ type: 'Normal', reason: 'Seen', action: 'Reconcile', note: 'seen', regarding: TENANT });
        return { result: 'success' };
      },
    }),
    { flush },
  );
  await expect.poll(host.slow, SOON).toBe(1);
  host.hold();
  stop.abort();
  host.answer();
  expect(await ended).toBe('stopped');
  expect([...seen, dropped()]).toEqual([0, 1]);
  expect(leases.holder()).toBe('');
});
