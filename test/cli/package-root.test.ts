import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { repository } from './review/repository.ts';
import { put, scratch } from './tree/disk.ts';

/** Every command that is about a package, in a form that answers on the package of two tenants. */
const QUESTIONS: readonly (readonly string[])[] = [
  ['render', '-o', 'json'],
  ['validate'],
  ['what-if', '--set', 'IsolationProfile/restricted:spec.level=sandboxed'],
  ['report', 'html'],
  ['explain-sync', 'cm/a', '--tenant', 'dev'],
  ['reach'],
  ['why', 'cm/a'],
  ['why-not', 'cm/a'],
  ['isolation'],
  ['tree'],
  ['graph'],
  ['doctor'],
  ['audit', 'verify'],
  ['render', 'kustomization', '--source', 'GitRepository/fleet'],
];

async function rendered(): Promise<string> {
  const root = twoTenants();
  expect((await tenantplane(['render', root])).code).toBe(0);
  return root;
}

describe('a folder of a package', () => {
  test.each(QUESTIONS.map((words) => [words.join(' '), words] as const))('%s is about the whole package, and says so', async (_, words) => {
    const root = await rendered();
    const whole = await tenantplane(words, { cwd: root });
    const part = await tenantplane(words, { cwd: join(root, 'tenants/dev/objects') });
    expect(part.err).toContain('note: the folder here is a part of the package ');
    const { code } = whole;
    expect(part.code).toBe(code);
    if (code < 2) expect(part.out.length).toBeGreaterThan(0);
  });

  test('before anything is rendered, its configuration tells', async () => {
    const root = twoTenants();
    const { out, err } = await tenantplane(['why', 'cm/a', '-o', 'json'], { cwd: join(root, 'tenants/dev') });
    expect(err).toBe('note: the folder here is a part of the package ../.., which is taken.\n');
    expect(JSON.parse(out)).toMatchObject({ subjects: [{ decision: { code: 'TP2001' } }] });
  });

  test('--quiet says nothing of it', async () => {
    const root = twoTenants();
    expect((await tenantplane(['tree', '-q'], { cwd: join(root, 'tenants') })).err).toBe('');
  });

  test.each(QUESTIONS.map((words) => [words.join(' '), words] as const))('%s in a folder of configuration alone', async (_, words) => {
    const root = twoTenants({ 'platform.yaml': '', 'fleet/profiles/platform.yaml': PLATFORM });
    await tenantplane(['render', '-q', root]);
    const whole = await tenantplane(words, { cwd: root });
    const part = await tenantplane(words, { cwd: join(root, 'fleet/profiles') });
    expect(part.err).toContain('note: the folder here is a part of the package ../.., which is taken.\n');
    expect(part.code).toBe(whole.code);
    expect(part.code).toBeLessThan(2);
  });

  test('a folder of configuration alone, before anything is rendered', async () => {
    const root = twoTenants({ 'platform.yaml': '', 'profiles/platform.yaml': PLATFORM });
    const { code, err } = await tenantplane(['tree'], { cwd: join(root, 'profiles') });
    expect([code, err]).toEqual([0, 'note: the folder here is a part of the package .., which is taken.\n']);
  });

  test('a package of the platform alone is one, also beside packages of tenants', async () => {
    const root = scratch();
    put(root, { 'platform/profiles.yaml': PLATFORM, 'tenants/dev/tenant.yaml': tenantYaml('dev') });
    const { code, err } = await tenantplane(['validate', '--allow-empty'], { cwd: join(root, 'platform') });
    expect([code, err]).toEqual([0, '']);
    const other = scratch();
    put(other, { 'platform/profiles.yaml': PLATFORM });
    const alone = await tenantplane(['validate'], { cwd: join(other, 'platform') });
    expect(alone.err).not.toContain('a part of');
  });

  test('the configuration of the function at the root tells', async () => {
    const root = scratch();
    put(root, {
      'render.yaml': 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: render}\nspec: {}\n',
      'tenants/dev/tenant.yaml': tenantYaml('dev'),
      'tenants/dev/objects/a.yaml': '',
      'config/deep/platform.yaml': PLATFORM,
    });
    const { code, err } = await tenantplane(['tree'], { cwd: join(root, 'tenants/dev') });
    expect([code, err]).toEqual([0, 'note: the folder here is a part of the package ../.., which is taken.\n']);
  });

  test('the rendered copies of the configuration are none', async () => {
    const root = await rendered();
    const { code, err } = await tenantplane(['tree'], { cwd: join(root, 'host/team-dev') });
    expect([code, err]).toEqual([0, 'note: the folder here is a part of the package ../.., which is taken.\n']);
  });

  test.each([['tree'], ['why', 'cm/a'], ['render'], ['validate'], ['reach']])(
    '%s: named, it is an error that names the package',
    async (...words) => {
      const root = await rendered();
      const { code, err, out } = await tenantplane([...words, 'tenants'], { cwd: root });
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('tenants is a part of the package ., and no package.');
      expect(err).toContain('Name the package, .; a tenant of it as --tenant NAME.');
    },
  );

  test('diff main -- tenants compares no part', async () => {
    const { root, commit } = repository();
    commit({ 'platform.yaml': PLATFORM, 'tenants/dev/tenant.yaml': tenantYaml('dev') });
    const { code, err } = await tenantplane(['diff', 'main', '--', 'tenants'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('tenants is a part of the package .');
  });

  test('a file says itself which package it lies in', async () => {
    const root = twoTenants();
    const { code, out } = await tenantplane(['why', 'objects/a.yaml'], { cwd: join(root, 'tenants/dev') });
    expect([code, out.split('\n', 1)[0]]).toEqual([0, expect.stringContaining('ConfigMap')]);
  });
});

describe('a folder that is no part', () => {
  test('a package in a package is the nearest', async () => {
    const root = await rendered();
    put(root, { 'more/new/profiles/p.yaml': PLATFORM, 'more/new/tenants/lab/tenant.yaml': tenantYaml('lab') });
    const { code, out, err } = await tenantplane(['tree'], { cwd: join(root, 'more/new') });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('lab');
    expect(out).not.toContain('qa');
  });

  test('packages that are not rendered yet are named among several', async () => {
    const root = scratch();
    for (const name of ['p1', 'p2']) put(join(root, name), { 'platform.yaml': PLATFORM, 'tenants/dev/tenant.yaml': tenantYaml('dev') });
    await tenantplane(['init', join(root, 'p3'), '-q'], { cwd: root });
    await tenantplane(['render', join(root, 'p2'), '-q'], { cwd: root });
    const { err } = await tenantplane(['tree'], { cwd: root });
    expect(err).toContain('. is no package but holds several: p1, p2, p3.\n  try: Name one, such as p1.\n');
  });

  test('several packages are not read as one', async () => {
    const root = scratch();
    for (const name of ['a', 'b']) {
      put(join(root, name), { 'platform.yaml': PLATFORM, 'tenants/dev/tenant.yaml': tenantYaml('dev') });
      await tenantplane(['render', join(root, name)]);
    }
    const { code, err } = await tenantplane(['tree'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('. is no package but holds several: a, b.\n  try: Name one, such as a.\n');
    expect((await tenantplane(['tree', 'a'], { cwd: root })).code).toBe(0);
    // the example of the README, in examples/
    const nginx = ['explain-sync', '--tenant', 'dev', '--tenant-namespace', 'team-dev', '--kind', 'Pod', '--name', 'nginx'];
    const named = await tenantplane(nginx, { cwd: root });
    expect([named.code, named.out.includes('name: nginx-x-default-x-dev\n')]).toEqual([0, true]);
    expect(named.err).toContain('only names can be told');
    expect(
      (
        await tenantplane(
          nginx.filter((word) => !word.includes('team-dev') && word !== '--tenant-namespace'),
          { cwd: root },
        )
      ).code,
    ).toBe(2);
  });

  test('with profiles from elsewhere, tenants alone are a package', async () => {
    const root = twoTenants();
    const { code, err } = await tenantplane(['validate', join(root, 'tenants'), '--platform', root]);
    expect([code, err]).toEqual([0, '']);
  });

  test('a folder that others may write to gives no package to those below', async () => {
    const root = scratch();
    put(root, { 'planted.yaml': PLATFORM, 'me/tenants/lab/tenant.yaml': tenantYaml('lab') });
    chmodSync(root, 0o1777);
    const { code, err } = await tenantplane(['render', '-o', 'json'], { cwd: join(root, 'me') });
    expect([code, err]).toEqual([1, expect.not.stringContaining('which is taken')]);
  });

  test('a repository ends the search', async () => {
    const root = await rendered();
    mkdirSync(join(root, 'vendor/other/.git'), { recursive: true });
    const { code, err } = await tenantplane(['tree'], { cwd: join(root, 'vendor/other') });
    expect(code).toBe(2);
    expect(err).toContain('There is no TenantCluster');
  });

  test.each([
    ['render'],
    ['validate'],
    ['tree'],
    ['isolation'],
    ['graph'],
    ['reach'],
    ['why', 'cm/a'],
    ['why-not', 'cm/a', '--tenant', 'dev'],
    ['diff', '--base', '.', '--head', '.'],
    ['what-if', '--host-version', '1.34'],
    ['report', 'html'],
    ['audit', 'verify'],
  ])('without any object of ours, %s is an error that says so', async (...words) => {
    const root = scratch();
    put(root, { 'compose.yaml': 'services: {}\n', 'k8s/deploy.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' });
    const { code, out, err } = await tenantplane(words, { cwd: root });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('There is no TenantCluster');
    expect(err).toContain('tenantplane init');
  });
});
