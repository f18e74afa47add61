import { expect, test } from 'vitest';
import type { KubeObject } from '../../src/core/kube/object.ts';
import { heldLease, releasedLease } from '../../src/kube/lease/lease-record.ts';
import { leaseWatch } from '../../src/kube/lease/lease-watch.ts';

const lease = (holder: string, version: string, seconds = 15): KubeObject => ({
  metadata: { resourceVersion: version },
  spec: { holderIdentity: holder, leaseDurationSeconds: seconds, renewTime: '1999-01-01T00:00:00.000000Z' },
});

test('a lease is free once it has stood still for as long as its holder said', () => {
  const watch = leaseWatch(15_000);
  watch.see(lease('a', '1', 20), 1000);
  watch.see(lease('a', '1', 20), 9000);
  expect(watch.isFree('b', 20_999)).toBe(false);
  expect(watch.isFree('b', 21_000)).toBe(true);
  watch.see(lease('a', '2', 20), 21_000);
  expect(watch.isFree('b', 40_999)).toBe(false);
});

test.each([
  ['nobody’s', lease('', '1'), true],
  ['our own', lease('b', '1'), true],
  ['another’s', lease('a', '1'), false],
  ['another’s that does not say how long it holds', { metadata: { resourceVersion: '1' }, spec: { holderIdentity: 'a' } }, false],
])('a lease that is %s', (_, seen, free) => {
  const watch = leaseWatch(15_000);
  watch.see(seen, 0);
  expect(watch.isFree('b', 14_999)).toBe(free);
  expect(watch.isFree('b', 15_000)).toBe(true);
});

test('what its holder writes: the time of acquiring stays, taking it counts', () => {
  const wall = Date.parse('2026-01-01T00:00:00.123Z');
  const first = heldLease({ metadata: { name: 'x', labels: { a: 'b' } } }, 'a', 15_000, wall);
  const spec = { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 1, acquireTime: '2026-01-01T00:00:00.123000Z' };
  expect(first).toEqual({ metadata: { name: 'x', labels: { a: 'b' } }, spec: { ...spec, renewTime: '2026-01-01T00:00:00.123000Z' } });
  const renewed = heldLease(first, 'a', 15_000, wall + 2000);
  expect(renewed['spec']).toEqual({ ...spec, renewTime: '2026-01-01T00:00:02.123000Z' });
  expect(heldLease(renewed, 'b', 15_000, wall)['spec']).toMatchObject({ holderIdentity: 'b', leaseTransitions: 2 });
  expect(releasedLease(renewed, wall)['spec']).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 1 });
});
