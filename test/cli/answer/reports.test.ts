import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOST_PATH_POD, tenantplane, twoTenants } from '../harness.ts';

const FILES = { 'tenants/dev/objects/worker.yaml': HOST_PATH_POD };

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

describe.each(['validate', 'render'])('%s --report', (command) => {
  test('writes each format that is asked for beside what is printed', async () => {
    const root = twoTenants(FILES);
    const plain = await tenantplane([command, '.'], { cwd: root });
    const other = twoTenants(FILES);
    const result = await tenantplane([command, '.', '--report', 'sarif=a.sarif', '--report', 'junit=a.xml'], { cwd: other });
    expect([result.out, result.code]).toEqual([plain.out, plain.code]);
    const [run] = JSON.parse(read(other, 'a.sarif')).runs;
    expect(run.results.map((one: { ruleId: string }) => one.ruleId)).toContain('TP3004');
    expect(read(other, 'a.xml')).toMatch(/<testsuite name="team-dev\/dev" tests="2" errors="0" failures="2">/);
    expect(read(other, 'a.xml')).toContain('<testcase name="nothing to complain about" classname="team-qa/qa"/>');
  });

  test('a folder that is not there is said, with what to do', async () => {
    const { code, err } = await tenantplane([command, '.', '--report', 'sarif=no/a.sarif'], { cwd: twoTenants(FILES) });
    expect(code).toBe(3);
    expect(err).toMatch(/Cannot write the report no\/a\.sarif/);
  });
});

test('a package without a complaint has an empty list of results, which uploads take for "all is well"', async () => {
  const { out } = await tenantplane(['validate', '-o', 'sarif'], { cwd: twoTenants({}) });
  expect(JSON.parse(out).runs[0].results).toEqual([]);
});

test('reports are written where nothing can be rendered, since that is when they are needed', async () => {
  const root = twoTenants({
    'policies/again.yaml': 'apiVersion: tenantplane.io/v1alpha1\nkind: SyncPolicy\nmetadata: {name: default}\nspec: {}\n',
  });
  const { code } = await tenantplane(['render', '--report', 'sarif=a.sarif'], { cwd: root });
  expect(code).toBe(2);
  expect(existsSync(join(root, 'host'))).toBe(false);
  expect(JSON.parse(read(root, 'a.sarif')).runs[0].results.length).toBeGreaterThan(0);
});

test.each(['sarif', 'gitlab', 'junit', 'github'])('paths of %s start at the repository, wherever the command is called', async (format) => {
  const root = twoTenants(FILES);
  mkdirSync(join(root, '.git'));
  const { out } = await tenantplane(['validate', '../..', '-o', format], { cwd: join(root, 'tenants/dev') });
  expect(out).toContain('tenants/dev/objects/worker.yaml');
  expect(out).not.toContain('../');
  expect(out).not.toContain(root);
});

test('an alert of code scanning stays the same while lines move', async () => {
  const prints = async (text: string): Promise<unknown> => {
    const { out } = await tenantplane(['validate', '-o', 'sarif'], { cwd: twoTenants({ 'tenants/dev/objects/worker.yaml': text }) });
    return JSON.parse(out).runs[0].results.map((one: { partialFingerprints: unknown }) => one.partialFingerprints);
  };
  expect(await prints(`# a comment\n\n${HOST_PATH_POD}`)).toEqual(await prints(HOST_PATH_POD));
});
