import { expect, test } from 'vitest';
import { objectStore } from '../../../src/kube/reflector/object-store.ts';
import { makeLog } from '../../../src/reconciler/log/log.ts';
import { leading } from '../../../src/reconciler/process/leading.ts';
import { workQueue } from '../../../src/reconciler/queue/work-queue.ts';
import { manualClock } from '../../support/manual-clock.ts';

function setting(takes = 0) {
  const clock = manualClock();
  const passes: string[] = [];
  const tenants = objectStore();
  tenants.replace(['a', 'b'].map((name) => ({ metadata: { namespace: 'fleet', name } })));
  const queue = workQueue({
    clock,
    random: () => 0.5,
    reconcile: async (key, signal) => {
      passes.push(`${clock.now() / 1000} ${key}`);
      if (takes > 0) await clock.sleep(takes, signal);
      return { result: 'success' };
    },
  });
  const [stop, lose] = [new AbortController(), new AbortController()];
  const done = leading(
    { queue, tenants, resync: 600_000, clock, random: () => 0.5, log: makeLog({ write: () => undefined, wall: () => 0 }) },
    { signal: stop.signal, lost: lose.signal, holds: () => true },
  );
  return { clock, passes, tenants, stop, lose, done };
}

test('a leader has a pass for all at the start, and for those that are there then at each resync, spread around it', async () => {
  const { clock, passes, tenants, stop, done } = setting();
  await clock.advance(1000);
  expect(passes).toEqual(['0 fleet/a', '0 fleet/b']);
  tenants.remove({ metadata: { namespace: 'fleet', name: 'b' } });
  await clock.advance(569_000);
  expect(passes.length).toBe(2);
  await clock.advance(60_000);
  expect(passes.slice(2)).toEqual(['600.001 fleet/a']);
  stop.abort();
  await done;
  await clock.advance(1e7);
  expect(passes.length).toBe(3);
  expect(clock.sleeping()).toEqual([]);
});

test('one that is told to stop lets its passes end; one that has lost the lease does not', async () => {
  const told = setting(10_000);
  await told.clock.advance(1000);
  told.stop.abort();
  let ended = false;
  void told.done.then(() => {
    ended = true;
  });
  await told.clock.advance(8_999);
  expect(ended).toBe(false);
  await told.clock.advance(1);
  await told.done;

  const lost = setting(10_000);
  await lost.clock.advance(1000);
  lost.lose.abort();
  lost.stop.abort();
  await lost.clock.advance(0);
  await lost.done;
  expect(lost.clock.now()).toBe(1000);
});

test('one that loses the lease while its passes end does not wait for them any longer', async () => {
  const { clock, stop, lose, done } = setting(10_000);
  await clock.advance(1000);
  stop.abort();
  await clock.advance(1000);
  lose.abort();
  await clock.advance(0);
  await done;
  expect(clock.now()).toBe(2000);
});
