import { expect, test } from 'vitest';
import type { Occurrence } from '../../../src/kube/events/event-object.ts';
import { objectStore } from '../../../src/kube/reflector/object-store.ts';
import { makeLog } from '../../../src/reconciler/log/log.ts';
import { claimedPasses } from '../../../src/reconciler/shard/claimed-passes.ts';
import type { Turn } from '../../../src/reconciler/shard/claims.ts';
import { manualClock } from '../../support/manual-clock.ts';

const KEY = 'team-a/dev';
const OTHER: Turn = { holds: 'other_1 by Lease tenantplane-system/tenantplane-reconciler' };

function setting() {
  const clock = manualClock();
  const did: string[] = [];
  const told: Occurrence[] = [];
  const lines: string[] = [];
  const tenants = objectStore();
  tenants.replace([{ metadata: { namespace: 'team-a', name: 'dev' } }]);
  const state: { turn: Turn } = { turn: 'ours' };
  const passes = claimedPasses(
    {
      reconcile: async () => {
        did.push('pass');
        return { result: 'success', requeueAfter: 7 };
      },
    },
    {
      claims: {
        has: () => true,
        turn: async () => state.turn,
        release: async () => {
          did.push('release');
          return undefined;
        },
      },
      tenants,
      clock,
      log: makeLog({ write: (line) => lines.push(line), wall: () => 0 }),
      events: { record: (what) => told.push(what), counts: { written: 0, dropped: 0, failed: 0 }, run: async () => undefined },
      forget: (key) => did.push(`forget ${key}`),
    },
  );
  const pass = () => passes.reconcile(KEY, new AbortController().signal);
  return { clock, did, told, lines, tenants, state, passes, pass };
}

test('a pass is had over what is ours alone; what waits for a watch is looked at again soon', async () => {
  const { did, state, pass } = setting();
  expect(await pass()).toEqual({ result: 'success', requeueAfter: 7 });
  state.turn = 'again';
  expect(await pass()).toEqual({ result: 'success', requeueAfter: 1000 });
  state.turn = { failure: { kind: 'timeout', message: 'too slow' } };
  expect(await pass()).toEqual({ result: 'error', failure: 'too slow' });
  state.turn = OTHER;
  expect(await pass()).toEqual({ result: 'success', requeueAfter: 5000 });
  expect(did).toEqual(['pass']);
});

test('what leaves has a last pass, then its metrics go, and only then it is let go of', async () => {
  const { did, tenants, pass } = setting();
  tenants.replace([]);
  await pass();
  expect(did).toEqual(['pass', `forget ${KEY}`, 'release']);
});

test('that another shard has it is told once, and only where it lasts longer than a hand-over', async () => {
  const { clock, told, lines, state, passes, pass } = setting();
  state.turn = OTHER;
  for (const _ of [0, 5, 10]) {
    await pass();
    await clock.advance(4_999);
  }
  expect([told.length, lines.length, passes.contested()]).toEqual([0, 0, 0]);
  for (const _ of [15, 20]) {
    await clock.advance(5_000);
    await pass();
  }
  expect(told).toMatchObject([
    { type: 'Warning', reason: 'ShardsOverlap', note: expect.stringContaining('leaves it to other_1 by Lease') },
  ]);
  expect(lines.length).toBe(1);
  expect(passes.contested()).toBe(1);
  state.turn = 'ours';
  await pass();
  expect(passes.contested()).toBe(0);
  // by another one it is news
  state.turn = { holds: 'another' };
  await pass();
  await clock.advance(15_000);
  await pass();
  expect(told.length).toBe(2);
});
