import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Etcd, startEtcd } from '../../bed/etcd.ts';
import { type KubernetesVersion, NEWEST, OLDEST } from '../../bed/kubernetes-version.ts';
import { EXAMPLES, PACKAGES, type Rendered, renderPackage } from '../../support/example.ts';
import { BOUTIQUE_PRESENT, boutique, LEVELS } from '../../support/microservices-demo.ts';
import { applyPlan, startHost } from './host.ts';

let etcd: Etcd;
beforeAll(async () => {
  etcd = await startEtcd();
});
afterAll(() => etcd.stop());

/** A host of its own for each tree, since trees share names; its controllers work out quotas, so that they bind. */
async function accepted(rendered: Rendered, version: KubernetesVersion): Promise<string> {
  const host = await startHost({ etcd, version, controllers: true });
  try {
    return (await applyPlan(host, rendered.plan)) || (await applyPlan(host, rendered.plan));
  } finally {
    await host.stop();
  }
}

/** What a tenant wrote and the host warns of, whoever sends it. */
const WARNINGS: Readonly<Record<string, string>> = {
  'fields/allow': 'Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n',
};

// Strict validation, no warning, and a second apply that finds nothing wrong either.
describe('a real API server accepts every rendered object', () => {
  test.each(PACKAGES)('of examples/%s', async (name) => {
    expect(await accepted(await renderPackage(join(EXAMPLES, name)), NEWEST)).toBe(WARNINGS[name] ?? '');
  });

  test.skipIf(!BOUTIQUE_PRESENT).each(LEVELS)('of the microservices demo at level %s', async (level) => {
    expect(await accepted(boutique(level), NEWEST)).toBe('');
  });

  test.each(['first-tenant', 'shop'])('of examples/%s, on the oldest Kubernetes of the tests', async (name) => {
    expect(await accepted(await renderPackage(join(EXAMPLES, name)), OLDEST)).toBe('');
  });
});
