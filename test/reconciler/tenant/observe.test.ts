import { expect, test } from 'vitest';
import { resolveHost } from '../../../src/core/plan/host-facts.ts';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import { type Failure, failed } from '../../../src/kube/failure.ts';
import { objectStore } from '../../../src/kube/reflector/object-store.ts';
import type { Transport } from '../../../src/kube/transport/transport.ts';
import { observe } from '../../../src/reconciler/tenant/observe.ts';
import { tenantCluster } from '../../core/controlplane/tenant-clusters.ts';

const status = (code: number, reason: string): Failure => ({ kind: 'status', code, reason, message: reason, details: {} });

/** A host that has nothing, but for what it says of ConfigMaps. */
function host(configMaps: Failure): Transport {
  return {
    server: 'https://host',
    send: async ({ path }) => failed(path.includes('/configmaps/') ? configMaps : status(404, 'NotFound')),
    stream: async () => failed(status(404, 'NotFound')),
    connections: () => 0,
    close: () => undefined,
  };
}

test.each([
  ['is not there', status(404, 'NotFound'), undefined],
  ['may not be read', status(403, 'Forbidden'), undefined],
  ['was not told of', status(503, 'ServiceUnavailable'), 'ServiceUnavailable'],
  ['was not told of in time', { kind: 'timeout', message: 'no answer' } as const, 'no answer'],
])('a ConfigMap that %s', async (_, failure, unread) => {
  const none = objectStore();
  const sources = {
    view: { store: () => none },
    clock: SYSTEM_CLOCK,
    facts: resolveHost({}),
    releases: [],
    boundary: () => ({ kind: 'unknown', why: '' }) as const,
    connection: () => {
      throw new Error('no tenant is called');
    },
    onTenantRequest: () => undefined,
  };
  const { failure: found } = await observe(tenantCluster(), sources, { transport: host(failure), signal: AbortSignal.timeout(5_000) });
  expect(found?.message).toBe(unread);
});
