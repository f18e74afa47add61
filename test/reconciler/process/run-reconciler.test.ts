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

const CLAIM = { lease: 'n/tenantplane-reconciler', holderIdentity: 'me' };
const TENANT = {
  metadata: { namespace: 'fleet', name: 'a', uid: 'a', resourceVersion: '1' },
  status: { leader: CLAIM },
};

async function setting(
  make: (tools: ReconcilerTools) => TenantReconciler,
  changed: { readonly leaderElect?: boolean; readonly random?: Random } = {},
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
  const parts = {
    clock,
    random: changed.random ?? (() => 0),
    log: makeLog({ write: (line) => lines.push(line), wall: () => 0 }),
    metrics: makeMetrics({ byTenant: false }),
    tracing: await startTracing({ env: {}, version: '0', instance: 'me' }),
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
  await expect.poll(host.slow).toBe(8);
  await clock.advance(2000);
  await expect.poll(() => leases.asked.at(-1), { timeout: 2000 }).toBe('2 PUT');
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
  await expect.poll(() => passes).toBe(1);
  broken = true;
  host.hangUp();
  await expect(ended).rejects.toThrow('broken');
  await clock.advance(0);
  expect(clock.sleeping()).toEqual([]);
});
