import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kubeconfig } from '../answering-host.ts';
import { tenantplane, twoTenants } from '../harness.ts';
import { scratch } from '../tree/disk.ts';

// nobody listens there: whatever is said was found before a host was asked
const host = (): readonly string[] => ['--kubeconfig', kubeconfig('https://127.0.0.1:1', { token: 'test' })];

test('a folder that is not there is said before anything about a host', async () => {
  const { code, err } = await tenantplane(['up', 'nope'], { cwd: scratch(), env: { HOME: scratch() } });
  expect([code, err]).toEqual([2, expect.stringMatching(/^error: There is no package at .*\/nope\.\n/)]);
});

test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
  ['releases', ['--releases', 'nope'], {}, 'nope cannot be read'],
  ['facts', [], { TENANTPLANE_FACTS: 'nope' }, 'nope cannot be read'],
  ['a flag of the reconciler', [], { TENANTPLANE_WORKERS: 'many' }, 'TENANTPLANE_WORKERS is "many"'],
])('%s that cannot be read are refused before a host is asked', async (_, flags, env, why) => {
  const cwd = twoTenants();
  const { code, err } = await tenantplane(['up', '.', ...host(), ...flags], { cwd, env: { HOME: join(cwd, 'home'), ...env } });
  expect(code).toBe(2);
  expect(err).toContain(why);
  expect(err).not.toMatch(/applied|cannot be reached/);
});
