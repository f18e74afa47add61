import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { eldersOf } from '../../../src/reconciler/tenant/observe.ts';

const tenant = (name: string, second: number): KubeObject => ({
  metadata: { name, namespace: 'team-a', creationTimestamp: `2026-01-01T00:00:0${second}Z` },
});

test('a namespace is the first one’s, and of two of the same second that one’s whose name comes first', () => {
  const all = [tenant('late', 3), tenant('b', 2), tenant('a', 2), tenant('first', 1)];
  expect(all.map((each) => eldersOf(each, all))).toEqual([['a', 'b', 'first'], ['a', 'first'], ['first'], []]);
});
