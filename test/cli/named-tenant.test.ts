import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deployment } from '../core/review/reviews.ts';
import { devPackage, tenant } from '../support/observe.ts';
import { tenantplane } from './harness.ts';
import { repository } from './review/repository.ts';
import { put, read, scratch } from './tree/disk.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };

function fleet(): string {
  const root = scratch();
  put(root, devPackage({ 'web.yaml': deployment('web') }));
  return root;
}

describe('a tenant that is not there', () => {
  test.each([
    [['diff', '--base', '.', '--head', '.', '--check', 'no-weaker-isolation'], '--tenants', ' on either side (., .)'],
    [['what-if', '--host-version', '1.35', '--max-changes', '0'], '--tenants', ' on either side (as it is, with --host-version 1.35)'],
    [['what-if', '--host-version', '1.35'], '--tenant', ' on either side (as it is, with --host-version 1.35)'],
    [['what-if', '--use', 'restricted=restricted', '--max-changes', '0'], '--tenants', ''],
    [['graph'], '--tenant', ''],
    [['graph', 'deploy/web'], '--tenant', ''],
    [['tree'], '--tenant', ''],
    [['isolation'], '--tenant', ''],
    [['why', 'deploy/web'], '--tenant', ''],
    [['why-not', 'deploy/web'], '--tenant', ''],
    [['reach'], '--tenant', ''],
    [['validate'], '--tenant', ''],
    [['render'], '--tenant', ''],
    [['render', '--check'], '--tenant', ''],
    [['report', 'html'], '--tenant', ''],
  ])('%j %s says so, and is no pass', async (words, flag, where) => {
    const root = fleet();
    const before = read(root);
    for (const [name, hint] of [
      ['dve', 'Did you mean dev?'],
      ['nobody', 'Its tenants are: team-dev/dev.'],
    ] as const) {
      const { code, out, err } = await tenantplane([...words, flag, name], { cwd: root });
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`error: The package has no tenant ${name}${where}.\n  try: ${hint}\n`);
    }
    expect(read(root)).toEqual(before);
  });

  test('one that a side of a diff has is there', async () => {
    const repo = repository();
    repo.commit(devPackage({ 'web.yaml': deployment('web') }));
    repo.commit({ 'tenants/qa/tenant.yaml': tenant('qa') });
    rmSync(join(repo.root, 'tenants/qa'), { recursive: true });
    const ask = (...words: string[]) => tenantplane(['diff', ...words, '--tenants', 'qa'], { cwd: repo.root, env: ENV });
    expect((await ask('HEAD')).code).toBe(1);
    expect((await ask('HEAD~..HEAD')).code).toBe(1);
    const neither = await ask('HEAD~');
    expect([neither.code, neither.err]).toEqual([2, expect.stringContaining('no tenant qa on either side (HEAD~, working tree).')]);
  });
});

test.each(['--namespace', '--virtual-namespace'])('graph %s without an object is no graph of all tenants', async (flag) => {
  const { code, out, err } = await tenantplane(['graph', flag, 'nowhere'], { cwd: fleet() });
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(`error: ${flag} nowhere says where an object is, and none is named.\n`);
});
