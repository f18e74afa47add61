import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../../src/core/kube/json.ts';
import { nameOf } from '../../../src/core/kube/object.ts';
import { EXAMPLES, type Rendered, renderPackage } from '../../support/example.ts';
import { BOUTIQUE_PRESENT, boutique } from '../../support/microservices-demo.ts';
import { applyPlan, type Host, must, startHost } from './host.ts';
import { list, notRunning, until, wrongEndpoints } from './running.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost({ kwok: 3 });
});
afterAll(() => host.stop());

async function runs(namespace: string, rendered: Rendered): Promise<void> {
  expect(rendered.plan.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(await applyPlan(host, rendered.plan)).toBe('');
  await until(() => notRunning(host, namespace));
  await until(() => wrongEndpoints(host, namespace));
}

describe('a rendered application comes up on the host, under its own quota, limits and policies', () => {
  test('the shop: every pod runs, every Service has its endpoints', async () => {
    await runs('team-shop', await renderPackage(join(EXAMPLES, 'shop')));
  });

  test('and is scaled and rolled', async () => {
    const [deployment] = (await list(host, 'deployments', 'team-shop')).filter((object) => at(object, 'spec', 'replicas') !== undefined);
    const name = nameOf(deployment ?? {});
    await must(host, ['scale', '-n', 'team-shop', 'deployment', name, '--replicas=3']);
    await until(() => notRunning(host, 'team-shop'));
    await until(() => wrongEndpoints(host, 'team-shop'));
    const before = new Set((await list(host, 'pods', 'team-shop')).map(nameOf));
    await must(host, ['rollout', 'restart', '-n', 'team-shop', 'deployment', name]);
    await must(host, ['rollout', 'status', '-n', 'team-shop', 'deployment', name, '--timeout=40s']);
    await until(() => wrongEndpoints(host, 'team-shop'));
    expect((await list(host, 'pods', 'team-shop')).filter((pod) => !before.has(nameOf(pod)))).toHaveLength(3);
  });

  test('and leaves nothing that runs when it is deleted', async () => {
    await must(host, ['delete', '-n', 'team-shop', 'deployments,statefulsets,jobs,cronjobs,services', '--all', '--wait=false']);
    await until(async () => (await list(host, 'pods', 'team-shop')).map(nameOf));
  });

  test.skipIf(!BOUTIQUE_PRESENT)('the microservices demo at restricted: all twelve Deployments', async () => {
    await runs('boutique', boutique('restricted'));
    expect(await list(host, 'deployments', 'boutique')).toHaveLength(12);
  });
});
