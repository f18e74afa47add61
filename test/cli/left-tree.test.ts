import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deployment } from '../core/review/reviews.ts';
import { devPackage } from '../support/observe.ts';
import { type Result, tenantplane } from './harness.ts';
import { repository } from './review/repository.ts';
import { put, read } from './tree/disk.ts';

/** A tree that `render -o dir=out` left inside its package holds a TenantCluster, a profile and a policy, and is no input of anything. */

const ENV = { PATH: process.env['PATH'] ?? '' };
const POD = 'out/team-dev/deployment.apps_web-x-default-x-dev.yaml';

interface Committed {
  readonly cwd: string;
  run(...words: readonly string[]): Promise<Result>;
}

/** Rendered and committed. */
async function committed(): Promise<Committed> {
  const repo = repository();
  const run = (...words: readonly string[]): Promise<Result> => tenantplane([...words], { cwd: repo.root, env: ENV });
  repo.write(devPackage({ 'web.yaml': deployment('web') }));
  await run('render', '-q');
  repo.commit({});
  return { cwd: repo.root, run };
}

describe('a tree that is left in the package', () => {
  test('is in nobody’s answer', async () => {
    const { cwd, run } = await committed();
    const all = [
      ['tree'],
      ['tree', 'dev'],
      ['isolation', 'dev'],
      ['why', 'deploy/web', '--tenant', 'dev'],
      ['why-not', 'deploy/nosuch', '--tenant', 'dev'],
      ['graph'],
      ['graph', 'dev'],
      ['reach'],
      ['explain-sync', 'deploy/web'],
      ['validate'],
      ['render', '--check'],
      ['render', '-o', 'stdout'],
      ['diff', 'HEAD'],
      ['what-if', '--set', 'TenantCluster/dev:spec.resources.cpu=1'],
      ['what-if', '--set', 'IsolationProfile/restricted:spec.level=baseline'],
      ['what-if', '--use', 'SyncPolicy/default=default'],
      ['what-if', '--host-version', '1.35', '-o', 'json'],
    ];
    const without = new Map<readonly string[], Result>();
    for (const words of all) without.set(words, await run(...words));
    await run('render', '-q', '-o', 'dir=out');
    expect(read(join(cwd, 'out'))).toEqual(read(join(cwd, 'host')));
    for (const words of all) expect([words, await run(...words)]).toEqual([words, without.get(words)]);
  });

  test('has files that are named as what they are', async () => {
    const { run } = await committed();
    await run('render', '-q', '-o', 'dir=out');
    const { code, err } = await run('why', POD);
    const why = `${POD} holds nothing of the package: The document is no Kubernetes object (a render made it).`;
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
  });

  test('what a tenant says to be output is its object all the same', async () => {
    const { cwd, run } = await committed();
    await run('render', '-q', '-o', 'dir=out');
    put(cwd, { 'tenants/dev/objects/more.yaml': readFileSync(join(cwd, POD), 'utf8') });
    expect((await run('validate')).out).toContain('tenants/dev/objects/more.yaml');
  });
});
