import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { getObject } from '../../../src/kube/objects/get.ts';
import { objectStore } from '../../../src/kube/reflector/object-store.ts';
import { TENANT_CLUSTERS } from '../../../src/reconciler/process/watched-kinds.ts';
import { claimOf } from '../../../src/reconciler/shard/claim.ts';
import { type Claims, claims } from '../../../src/reconciler/shard/claims.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { clientOf, connectionOf, valueIn } from '../kube/cluster-connection.ts';
import { ROOT } from '../workspace.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await kubectl(['apply', '--server-side', '-f', join(ROOT, 'deploy/crds')]);
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
});
afterAll(() => cluster?.stop());

let tenant = '';
let count = 0;
beforeEach(async () => {
  count += 1;
  tenant = `tenant-${count}`;
  await makeTenant(tenant);
});

const SIGNAL = new AbortController().signal;

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const ran = await cluster.kubectl(args, { input });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

async function makeTenant(name: string): Promise<void> {
  const spec = { isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'default' } };
  await kubectl(['apply', '-f', '-'], JSON.stringify({ ...OF, metadata: { name, namespace: 'default' }, spec }));
}
const OF = { apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster' };

async function makeLease(name: string, holderIdentity: string): Promise<void> {
  const spec = { holderIdentity, leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: 'default' }, spec };
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(lease));
}

const renew = (name: string): Promise<string> =>
  kubectl(['patch', 'lease', name, '-n', 'default', '--type=merge', '-p', '{"metadata":{"annotations":{"renewed":"again"}}}']);

/** A process of a shard, with its copy of the TenantClusters as it is told to look. */
function shard(name: string, { holderIdentity = `${name}-1`, sees = true } = {}) {
  const clock = manualClock();
  const transport = clientOf(connectionOf(cluster));
  const [tenants, everywhere] = [objectStore(), objectStore()];
  const state = { holds: true };
  const made: Claims = claims({
    transport,
    clock,
    own: { lease: `default/${name}`, holderIdentity },
    tenants,
    everywhere,
    holds: () => state.holds,
  });
  const look = async (of = tenant): Promise<KubeObject> => {
    const ref = { resource: TENANT_CLUSTERS, namespace: 'default', name: of };
    const object = valueIn(await getObject(ref, { transport, signal: SIGNAL }));
    tenants.put(object);
    if (sees) everywhere.put(object);
    return object;
  };
  return { clock, tenants, everywhere, state, claims: made, look, turn: async (of = tenant) => made.turn(await look(of), SIGNAL) };
}

const leader = async (of = tenant): Promise<string> =>
  kubectl(['get', 'tenantcluster', of, '-n', 'default', '-o', 'jsonpath={.status.leader.lease} {.status.leader.holderIdentity}']);
const key = (): string => `default/${tenant}`;

describe('a TenantCluster', () => {
  test('is claimed before a pass, by whoever holds his Lease, and then his', async () => {
    const a = shard('a');
    a.state.holds = false;
    expect(await a.turn()).toBe('again');
    expect(await leader()).toBe(' ');
    a.state.holds = true;
    expect(await a.turn()).toBe('again');
    expect(a.claims.has(key())).toBe(false);
    expect(await leader()).toBe('default/a a-1');
    expect(await a.turn()).toBe('ours');
    expect(a.claims.has(key())).toBe(true);
    // the next one that holds the same Lease knows that nobody else does
    const again = shard('a', { holderIdentity: 'a-2' });
    await again.turn();
    expect(await again.turn()).toBe('ours');
    await a.look();
    expect(a.claims.has(key())).toBe(false);
  });

  test('that many claim at once is one’s, however often they try', async () => {
    const all = ['b', 'c', 'd', 'e'].map((name) => shard(name));
    await Promise.all(['b', 'c', 'd', 'e'].map((name) => makeLease(name, `${name}-1`)));
    for (let round = 0; round < 5; round += 1) {
      const name = `${tenant}-${round}`;
      await makeTenant(name);
      const seen = await Promise.all(all.map((each) => each.look(name)));
      const tried = (): Promise<unknown> => Promise.all(all.map((each, index) => each.claims.turn(seen[index] ?? {}, SIGNAL)));
      await tried();
      const first = await leader(name);
      // a copy that is late shows nobody, and writes over nobody
      await tried();
      expect(await leader(name)).toBe(first);
      const turns = await Promise.all(all.map((each) => each.turn(name)));
      expect(turns.filter((turn) => turn === 'ours').length).toBe(1);
      expect(turns.filter((turn) => typeof turn === 'object' && 'holds' in turn).length).toBe(3);
    }
  });

  test('has no pass before it is seen among all others: its elders come before it', async () => {
    const blind = shard('f', { sees: false });
    expect(await blind.turn()).toBe('again');
    expect(await leader()).toBe(' ');
    blind.everywhere.put({ metadata: { name: tenant, namespace: 'default', uid: 'of one that is gone' } });
    expect(await blind.turn()).toBe('again');
    expect(await leader()).toBe(' ');
  });
});

describe('what another shard has claimed', () => {
  async function claimed(by: string) {
    await makeLease(by, `${by}-1`);
    const holder = shard(by);
    await holder.turn();
    expect(await holder.turn()).toBe('ours');
    return holder;
  }

  test('is his while his Lease is renewed, and free once it has stood still for as long as it lasts', async () => {
    await claimed('held');
    const other = shard('other');
    await renew('held');
    const turns: unknown[] = [];
    for (const _ of [0, 6, 12]) {
      turns.push(await other.turn());
      await other.clock.advance(6_000);
    }
    const holds = { holds: 'held-1 by Lease default/held' };
    expect(turns).toEqual([holds, holds, holds]);
    await kubectl(['annotate', 'lease', 'held', '-n', 'default', 'renewed=once-more', '--overwrite']);
    expect(await other.turn()).toEqual(holds);
    await other.clock.advance(14_999);
    expect(await other.turn()).toEqual(holds);
    await other.clock.advance(5_000);
    expect(await other.turn()).toBe('again');
    expect(await other.turn()).toBe('ours');
    expect(await leader()).toBe('default/other other-1');
  });

  test.each(['', 'held-2'])('is free at once when the Lease is held by %j: who claimed has ended', async (next) => {
    await claimed('ended');
    await makeLease('ended', next);
    const other = shard('other');
    await other.turn();
    expect(await other.turn()).toBe('ours');
  });

  test('is not free at once where the Lease is gone: who held it may not know yet', async () => {
    await claimed('gone');
    await kubectl(['delete', 'lease', 'gone', '-n', 'default']);
    const other = shard('other');
    expect(await other.turn()).toEqual({ holds: 'Lease default/gone, which is no longer there' });
    await other.clock.advance(14_000);
    expect(await other.turn()).toMatchObject({ holds: expect.anything() });
    await other.clock.advance(6_000);
    await other.turn();
    expect(await other.turn()).toBe('ours');
  });

  test('goes from shard to shard when he lets go, and what another one has he cannot let go of', async () => {
    const holder = await claimed('first');
    const other = shard('second');
    expect(await other.turn()).toMatchObject({ holds: expect.anything() });
    // a change that he has not seen yet is one that he does not write over
    await kubectl(['label', 'tenantcluster', tenant, '-n', 'default', 'team=second']);
    expect(await holder.claims.release(key(), SIGNAL)).toMatchObject({ reason: 'Conflict' });
    await holder.look();
    expect(await holder.claims.release(key(), SIGNAL)).toBeUndefined();
    expect(await leader()).toBe(' ');
    await other.turn();
    expect(await other.turn()).toBe('ours');
    await holder.look();
    expect(await holder.claims.release(key(), SIGNAL)).toBeUndefined();
    expect(await leader()).toBe('default/second second-1');
  });
});

test('a definition of TenantCluster that is too old to have claims is told', async () => {
  const crd = JSON.parse(await kubectl(['get', 'crd', 'tenantclusters.tenantplane.io', '-o', 'json'])) as {
    spec: { versions: { schema: { openAPIV3Schema: { properties: { status: { properties: Record<string, unknown> } } } } }[] };
  };
  for (const version of crd.spec.versions) delete version.schema.openAPIV3Schema.properties.status.properties['leader'];
  await kubectl(['replace', '-f', '-'], JSON.stringify(crd));
  const old = shard('old');
  await expect
    .poll(
      async () => {
        await kubectl([
          'patch',
          'tenantcluster',
          tenant,
          '-n',
          'default',
          '--subresource=status',
          '--type=merge',
          '-p',
          '{"status":{"leader":null}}',
        ]);
        return old.turn();
      },
      { timeout: 20_000, interval: 200 },
    )
    .toMatchObject({ failure: { message: expect.stringContaining('deploy/crds') } });
  expect(claimOf(await old.look())).toBeUndefined();
});
