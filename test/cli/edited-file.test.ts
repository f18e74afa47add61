import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reasonOf } from '../../src/core/decision/reasons.ts';
import { tenantplane, twoTenants } from './harness.ts';
import { repository } from './review/repository.ts';
import { read } from './tree/disk.ts';

const FILE = 'host/team-dev/configmap_a-x-default-x-dev.yaml';

test('a rendered file that was edited until it is not recognisably ours has one code and one remedy in every command', async () => {
  const repo = repository();
  repo.commit(read(twoTenants()) ?? {});
  await tenantplane(['render', '-q'], { cwd: repo.root });
  repo.commit({});
  const { code, remedy } = reasonOf('HostObjectForeign');
  repo.write({ [FILE]: readFileSync(`${repo.root}/${FILE}`, 'utf8').replace('managed-by: tenantplane', 'managed-by: somebody') });
  for (const argv of [
    ['validate'],
    ['render', '--check'],
    ['diff', 'HEAD'],
    ['diff', 'HEAD', '-o', 'github'],
    ['why', FILE],
    ['why-not', FILE],
  ]) {
    const { out, err } = await tenantplane(argv, { cwd: repo.root });
    expect(`${out}${err}`, argv.join(' ')).toContain(code);
    expect(`${out}${err}`, argv.join(' ')).not.toContain('TP9040');
    expect(`${out}${err}`, argv.join(' ')).toContain(remedy);
  }
  const { out: doctor } = await tenantplane(['doctor'], { cwd: repo.root });
  expect(doctor).toContain(remedy);
});
