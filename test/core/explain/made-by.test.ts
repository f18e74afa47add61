import { describe, expect, test } from 'vitest';
import { mayHaveMade } from '../../../src/core/explain/made-by.ts';

const LONG = 'checkout-service-of-the-shop-x-default-x-production-europe';

describe('what a controller makes is called after it', () => {
  test.each([
    ['Deployment.apps', 'web', 'Pod', 'web-6d5f9c7b8-x2x4z'],
    ['Deployment.apps', 'web', undefined, 'web-6d5f9c7b8-x2x4z'],
    ['Deployment.apps', 'web', 'ReplicaSet.apps', 'web-6d5f9c7b8'],
    ['ReplicaSet.apps', 'web', 'Pod', 'web-x2x4z'],
    ['DaemonSet.apps', 'agent', 'Pod', 'agent-9qtvn'],
    ['StatefulSet.apps', 'db', 'Pod', 'db-0'],
    ['StatefulSet.apps', 'db', 'Pod', 'db-12'],
    ['Job.batch', 'load', 'Pod', 'load-k7s8x'],
    ['Job.batch', 'load', 'Pod', 'load-3-k7s8x'],
    ['CronJob.batch', 'nightly', 'Job.batch', 'nightly-28912345'],
    ['CronJob.batch', 'nightly', 'Pod', 'nightly-28912345-k7s8x'],
    // the base of a generated name is cut at 58 letters
    ['Deployment.apps', LONG, 'Pod', `${LONG.slice(0, 58)}x2x4z`],
    ['Deployment.apps', LONG.slice(0, 50), 'Pod', `${LONG.slice(0, 50)}-6d5f9c7x2x4z`],
  ])('%s %s, %s %s', (kind, name, made, of) => {
    expect(mayHaveMade(kind, name, { ...(made !== undefined && { kind: made }), name: of })).toBe(true);
  });

  test.each([
    ['Deployment.apps', 'web', 'Pod', 'web-x2x4z'],
    ['Deployment.apps', 'web', 'Pod', 'web-6d5f9c7b8-abcde'],
    ['Deployment.apps', 'we', 'Pod', 'web-6d5f9c7b8-x2x4z'],
    ['Deployment.apps', 'web', 'Service', 'web-6d5f9c7b8-x2x4z'],
    ['StatefulSet.apps', 'db', 'Pod', 'db-01'],
    ['StatefulSet.apps', 'db', 'Pod', 'db-x2x4z'],
    ['CronJob.batch', 'nightly', 'Pod', 'nightly-k7s8x'],
    ['Service', 'web', 'Pod', 'web-x2x4z'],
    ['Deployment.apps', LONG.slice(0, 50), 'Pod', `${LONG.slice(0, 49)}x-6d5f9c7x2x4z`],
  ])('not by %s %s: %s %s', (kind, name, made, of) => {
    expect(mayHaveMade(kind, name, { kind: made, name: of })).toBe(false);
  });
});
