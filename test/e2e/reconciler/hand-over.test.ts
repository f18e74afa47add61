// Later in a life than `shards.test.ts` looks at a tenant that goes to another shard.
// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../bed/audit.ts';
import { eventually } from '../delivery/eventually.ts';
import { startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost } from './tenant-host.ts';
import { phase, tenantLook } from './tenant-look.ts';

let host: TenantHost;
beforeAll(async () => {
  host = await startTenantHost();
});
afterAll(() => host?.stop());

/** Writes for tenants: an Event says only what was done, and a Lease who may. */
const isWrite = ({ verb, resource }: AuditEntry): boolean =>
  !['get', 'list', 'watch'].includes(verb) && !['leases', 'events'].includes(resource);
const written = (): readonly AuditEntry[] => host.cluster.audit().filter(isWrite);

/** Who wrote, one after another: each stands there as often as it began to. */
function turns(): readonly string[] {
  const tokens = [...written()].sort((a, b) => a.time - b.time).map(({ token }) => token);
  return tokens.filter((token, index) => token !== tokens[index - 1]);
}

test('a tenant that goes to another shard while it is made, and back while it is taken down, is never two leaders’', async () => {
  for (const team of ['one', 'two']) {
    const flags = ['--leader-elect-namespace=tenantplane-system', `--releases=${host.releases}`, `--shard-selector=team=${team}`];
    const process = startReconciler({ kubeconfig: await host.signedIn(), flags });
    await eventually(async () => process.log().some(({ msg }) => msg === 'leading'), Boolean, 30);
  }
  const tenant = tenantLook(host, 'red');
  const label = (team: string): Promise<string> =>
    host.kubectl(['label', 'tenantcluster', 'red', '-n', 'team-red', '--overwrite', `team=${team}`]);
  await host.commit('red', '  kubernetesVersion: "1.34"\n');
  expect([written(), phase(await tenant.object())]).toEqual([[], undefined]);

  await label('one');
  await expect.poll(() => written().some(({ resource }) => resource === 'statefulsets'), { timeout: 60_000, interval: 20 }).toBe(true);
  const material = await tenant.material();
  await label('two');
  await tenant.ready();
  const [one, two, ...more] = turns();
  expect([one !== two, more]).toEqual([true, []]);
  expect(await tenant.material()).toBe(material);

  // its server goes when the test says so
  const hold = (finalizers: readonly string[] | null): Promise<string> =>
    host.kubectl([
      'patch',
      'pod',
      'control-plane-0',
      '-n',
      tenant.place,
      '--type=merge',
      '-p',
      JSON.stringify({ metadata: { finalizers } }),
    ]);
  await hold(['tests.example.com/hold']);
  await host.kubectl(['delete', 'tenantcluster', 'red', '-n', 'team-red', '--wait=false']);
  const gone = async (): Promise<boolean> => (await tenant.get('statefulset', 'control-plane')) === undefined;
  await eventually(gone, Boolean, 60);
  await label('one');
  await eventually(
    async () => turns().length,
    (count) => count === 3,
    30,
  );
  await hold(null);
  await tenant.until((object) => object === undefined);
  expect(turns()).toEqual([one, two, one]);
  expect(await tenant.names('secret')).toEqual([]);
  // and nothing was refused to either, but what one of them had not seen yet
  const refused = host.cluster.audit().filter(({ code }) => code === 403 || code >= 500);
  expect(refused.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([]);
}, 300_000);
