import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { type Failure, failed, type Result } from '../../../src/kube/failure.ts';
import { objectStore } from '../../../src/kube/reflector/object-store.ts';
import type { Answer, Transport } from '../../../src/kube/transport/transport.ts';
import { claims } from '../../../src/reconciler/shard/claims.ts';
import { manualClock } from '../../support/manual-clock.ts';

const OWN = { lease: 'n/l', holderIdentity: 'me' };
const KEY = 'fleet/a';
const NEVER = new AbortController().signal;

const status = (code: number, reason: string): Failure => ({ kind: 'status', code, reason, message: reason, details: {} });
const tenantCluster = (leader?: typeof OWN, uid = 'a'): KubeObject => ({
  metadata: { namespace: 'fleet', name: 'a', uid, resourceVersion: '1' },
  ...(leader && { status: { leader } }),
});
const answer = (object: KubeObject): Result<Answer> => ({ value: { code: 200, text: JSON.stringify(object), header: () => undefined } });

/** A process that holds its Lease, on a host that answers each write as a test says. */
function setting(seen: KubeObject, written: () => Result<Answer> = () => answer(tenantCluster(OWN))) {
  const [tenants, everywhere] = [objectStore(), objectStore()];
  for (const store of [tenants, everywhere]) store.put(seen);
  const writes: unknown[] = [];
  const state = { holds: true };
  const transport: Transport = {
    server: 'https://host',
    send: async ({ method, body }) => {
      writes.push([method, body?.value]);
      return written();
    },
    stream: () => Promise.reject(new Error('nobody watches')),
    connections: () => 0,
    close: () => undefined,
  };
  const made = claims({ transport, clock: manualClock(), own: OWN, tenants, everywhere, holds: () => state.holds });
  return { claims: made, tenants, everywhere, writes, state, turn: () => made.turn(seen, NEVER) };
}

test.each([
  ['was written by another one meanwhile', status(409, 'Conflict')],
  ['was deleted meanwhile', status(404, 'NotFound')],
])('what %s is looked at again', async (_, failure) => {
  expect(await setting(tenantCluster(), () => failed(failure)).turn()).toBe('again');
});

test('a claim is over the version that was seen, and the pass begins with the copy that has it', async () => {
  const { turn, writes, claims: made, tenants } = setting(tenantCluster());
  expect(await turn()).toBe('again');
  expect(writes).toEqual([['PATCH', { metadata: { uid: 'a', resourceVersion: '1' }, status: { leader: OWN } }]]);
  expect(made.has(KEY)).toBe(false);
  tenants.put({ ...tenantCluster(OWN), metadata: { namespace: 'fleet', name: 'a', uid: 'a', resourceVersion: '2' } });
  expect(made.has(KEY)).toBe(true);
});

test('who has lost the Lease claims nothing and lets go of nothing', async () => {
  const fresh = setting(tenantCluster());
  fresh.state.holds = false;
  expect(await fresh.turn()).toBe('again');
  const own = setting(tenantCluster(OWN));
  expect(await own.turn()).toBe('ours');
  own.state.holds = false;
  expect(await own.claims.release(KEY, NEVER)).toBeUndefined();
  expect([fresh.writes, own.writes]).toEqual([[], []]);
});

test('what was claimed is let go of once, unless it is gone or another one has its name', async () => {
  const own = setting(tenantCluster(OWN));
  expect(await own.claims.release(KEY, NEVER)).toBeUndefined();
  expect(own.writes).toEqual([]);
  await own.turn();
  for (const _ of [1, 2]) expect(await own.claims.release(KEY, NEVER)).toBeUndefined();
  expect(own.writes).toEqual([['PATCH', { metadata: { uid: 'a', resourceVersion: '1' }, status: { leader: null } }]]);

  const other = setting(tenantCluster(OWN));
  await other.turn();
  other.everywhere.put(tenantCluster(undefined, 'b'));
  expect(await other.claims.release(KEY, NEVER)).toBeUndefined();
  expect(other.writes).toEqual([]);
});

test('what could not be let go of is tried again', async () => {
  const answers: Result<Answer>[] = [failed(status(409, 'Conflict')), failed(status(404, 'NotFound'))];
  const { claims: made, turn, writes } = setting(tenantCluster(OWN), () => answers.shift() ?? answer(tenantCluster()));
  await turn();
  expect(await made.release(KEY, NEVER)).toMatchObject({ reason: 'Conflict' });
  expect(await made.release(KEY, NEVER)).toBeUndefined();
  expect(await made.release(KEY, NEVER)).toBeUndefined();
  expect(writes.length).toBe(2);
});
