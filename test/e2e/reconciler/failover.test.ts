// Later in a life than `process.test.ts` looks at a leader that is killed.
// @module-tag release
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, stringAt } from '../../../src/core/kube/json.ts';
import type { AuditEntry } from '../../bed/audit.ts';
import { eventually } from '../delivery/eventually.ts';
import { startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost } from './tenant-host.ts';

let host: TenantHost;
beforeAll(async () => {
  host = await startTenantHost();
});
afterAll(() => host?.stop());

const TENANTS = ['red', 'blue'];
const START = { flags: ['--leader-elect-namespace=tenantplane-system', '--log-level=info'] };

/** Writes that others see: an Event says only what was done, and a Lease who may. */
const isWrite = ({ verb, resource }: AuditEntry): boolean =>
  !['get', 'list', 'watch'].includes(verb) && !['leases', 'events'].includes(resource);

test('a leader that is killed while tenants are made has a successor within 30 s, and nothing is written by both', async () => {
  const start = async () => {
    const kubeconfig = await host.signedIn();
    return startReconciler({ ...START, kubeconfig, flags: [...START.flags, `--releases=${host.releases}`] });
  };
  const leads = (of: ReturnType<typeof startReconciler>): boolean => of.log().some(({ msg }) => msg === 'leading');
  const first = await start();
  await eventually(async () => leads(first), Boolean, 30);
  const second = await start();
  await eventually(async () => second.log().some(({ msg }) => msg === 'caches hold the host'), Boolean, 30);

  for (const name of TENANTS) await host.commit(name, '  kubernetesVersion: "1.34"\n');
  await eventually(async () => host.cluster.audit().some((entry) => entry.resource === 'statefulsets' && isWrite(entry)), Boolean, 60);
  const transitions = async (): Promise<number> =>
    Number(at(await host.get('lease', 'tenantplane-reconciler', 'tenantplane-system'), 'spec', 'leaseTransitions'));
  const before = await transitions();
  const killed = Date.now();
  first.kill('SIGKILL');
  expect(await first.exit).toBe('SIGKILL');
  expect(leads(second)).toBe(false);
  await eventually(async () => leads(second), Boolean, 40);
  for (const name of TENANTS)
    await eventually(
      () => host.get('tenantcluster', name, `team-${name}`),
      (object) => stringAt(object, 'status', 'phase') === 'Ready',
      90,
    );
  await sleep(500);

  const written = host.cluster.audit().filter(isWrite);
  const [one, two, ...others] = [...new Set(written.map(({ token }) => token))];
  expect([one === undefined, two === undefined, others]).toEqual([false, false, []]);
  const of = (token: string | undefined): number[] => written.filter((entry) => entry.token === token).map(({ time }) => time);
  expect(Math.max(...of(one))).toBeLessThan(Math.min(...of(two)));
  // what both asked to be made was made once
  const made = written.filter(({ verb, code }) => verb === 'create' && code === 201);
  const names = made.map(({ resource, namespace, name }) => `${resource} ${namespace}/${name}`);
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);

  const taken = second.log().find(({ msg }) => msg === 'leading');
  const seconds = (Date.parse(stringAt(taken, 'time') ?? '') - killed) / 1000;
  process.stdout.write(`failover after ${seconds.toFixed(1)} s; ${of(one).length} writes before, ${of(two).length} after\n`);
  expect(seconds).toBeLessThan(30);
  expect(await transitions()).toBe(before + 1);
}, 300_000);
