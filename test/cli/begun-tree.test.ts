import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { configMap, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, read as readAll, scratch } from './tree/disk.ts';

/** A tree in a folder that has no manifest yet (`-o dir=FOLDER`): it gets what the package's own tree has after the same render. */

const FLOWS = 'platform/flowschema.flowcontrol.apiserver.k8s.io_tenantplane-team-dev.yaml';
const OBJECT = 'team-dev/configmap_a-x-default-x-dev.yaml';

function read(folder: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(readAll(folder) ?? {}));
}

/** Rendered once, then broken by one tenant while something else changes for both. */
async function broken(): Promise<string> {
  const root = twoTenants();
  expect((await tenantplane(['render', '-q', '--ledger'], { cwd: root })).code).toBe(0);
  put(root, {
    'tenants/dev/objects/a.yaml': configMap('a', 'changed'),
    'tenants/dev/objects/bad.yaml': 'a: [',
    'tenants/qa/objects/b.yaml': configMap('b', 'changed'),
  });
  return root;
}

async function begun(root: string, ...more: string[]): Promise<{ readonly tree: string; readonly out: string; readonly code: number }> {
  const tree = join(scratch(), 'tree');
  const { out, err, code } = await tenantplane(['render', '-o', `dir=${tree}`, ...more], { cwd: root });
  return { tree, out: out + err, code };
}

test('a frozen tenant goes along, as it stands', async () => {
  const root = await broken();
  const { tree, out, code } = await begun(root);
  expect(code).toBe(1);
  expect(out).toMatch(/wrote \d+ files \(2 of them copied from the package’s own tree, as they stay there\)/);
  // what is shared is counted without FlowSchemas, which are the tenants’, and copies
  expect(out).toMatch(/\nshared {3}(\d+) files: .+\n {2}\1 new\n/);
  await tenantplane(['render', '-q'], { cwd: root });
  expect(read(tree)).toEqual(read(join(root, 'host')));
  expect(read(tree).get(OBJECT)).not.toContain('changed');
  expect(read(tree).get('team-qa/configmap_b-x-default-x-qa.yaml')).toContain('changed');
});

test('an empty folder, and one with a README, are begun as well; the next render goes by the folder itself', async () => {
  const root = await broken();
  const tree = scratch();
  put(tree, { 'README.md': 'rendered\n' });
  expect((await tenantplane(['render', '-q', '-o', `dir=${tree}`], { cwd: root })).code).toBe(1);
  const before = read(tree);
  expect(before.has(OBJECT)).toBe(true);
  expect(before.has('README.md')).toBe(true);
  rmSync(join(root, 'host'), { recursive: true });
  expect((await tenantplane(['render', '-o', `dir=${tree}`], { cwd: root })).out).toContain('wrote 0 files');
  expect(read(tree)).toEqual(before);
});

test('a folder that has manifests of others alone is begun as well, and they stay', async () => {
  const root = await broken();
  const tree = scratch();
  const others = {
    'kustomization.yaml': 'resources: [platform, team-dev]\n',
    'team-qa/configmap_b-x-default-x-qa.yaml': configMap('theirs'),
  };
  put(tree, others);
  const { out } = await tenantplane(['render', '-o', `dir=${tree}`], { cwd: root });
  expect(out).toContain('(2 of them copied from the package’s own tree, as they stay there)');
  expect(read(tree).get(OBJECT)).toBe(read(join(root, 'host')).get(OBJECT));
  expect(Object.fromEntries(read(tree))).toMatchObject(others);
  expect(out).toContain('HostObjectForeign');
});

test('a tree that has manifests keeps its own history', async () => {
  const root = await broken();
  const { tree } = await begun(root);
  const mine = readFileSync(join(tree, OBJECT), 'utf8').replace('key: v', 'key: mine');
  writeFileSync(join(tree, OBJECT), mine);
  await tenantplane(['render', '-q', '-o', `dir=${tree}`], { cwd: root });
  expect(readFileSync(join(tree, OBJECT), 'utf8')).toBe(mine);
});

test('the ledger of a frozen tenant goes along too', async () => {
  const root = await broken();
  const { tree } = await begun(root, '--ledger');
  await tenantplane(['render', '-q', '--ledger'], { cwd: root });
  const ledgers = (folder: string): ReadonlyMap<string, string> => read(join(folder, '.tenantplane'));
  expect(ledgers(join(tree, '..'))).toEqual(ledgers(root));
  expect(ledgers(root).has('team-dev.dev.ndjson')).toBe(true);
});

test('a TenantCluster that cannot be read keeps its whole tree', async () => {
  const root = await broken();
  rmSync(join(root, 'tenants/dev/objects/bad.yaml'));
  put(root, { 'tenants/dev/tenant.yaml': tenantYaml('dev').replace('name: restricted', 'name: nowhere') });
  const { tree, code } = await begun(root);
  expect(code).toBe(1);
  await tenantplane(['render', '-q'], { cwd: root });
  expect(read(tree)).toEqual(read(join(root, 'host')));
  expect(read(tree).has('team-dev/namespace_team-dev.yaml')).toBe(true);
});

test('--tenant copies that tenant’s files alone, and says that nothing shared is there', async () => {
  const root = await broken();
  const { tree, out } = await begun(root, '--tenant', 'dev');
  expect([...read(tree).keys()].filter((path) => !path.startsWith('team-dev/'))).toEqual([FLOWS]);
  expect(read(tree).has(OBJECT)).toBe(true);
  expect(out).toContain('TP2031 SharedFilesBehind');
});

test('a tree that --tenant began is begun by the next whole render, and each tenant that stands there keeps its own history', async () => {
  const root = await broken();
  const { tree } = await begun(root, '--tenant', 'qa');
  const mine = 'team-qa/configmap_b-x-default-x-qa.yaml';
  put(root, { 'tenants/qa/objects/bad.yaml': 'a: [' });
  const { out, code } = await tenantplane(['render', '-o', `dir=${tree}`], { cwd: root });
  expect(code).toBe(1);
  expect(out).toContain('(3 of them copied from the package’s own tree, as they stay there)');
  expect(read(tree).get(OBJECT)).toBe(read(join(root, 'host')).get(OBJECT));
  expect(read(tree).has(FLOWS)).toBe(true);
  // host/ has it as it was before
  expect(read(tree).get(mine)).toContain('changed');
  expect((await tenantplane(['render', '-o', `dir=${tree}`], { cwd: root })).out).toContain('wrote 0 files');
});

test('--tenant begins a frozen tenant beside one that --tenant began, and copies nothing twice', async () => {
  const root = await broken();
  const { tree } = await begun(root, '--tenant', 'qa');
  const dev = ['render', '-o', `dir=${tree}`, '--tenant', 'dev'];
  expect((await tenantplane(dev, { cwd: root })).out).toContain('copied from the package’s own tree');
  expect(read(tree).get(OBJECT)).toBe(read(join(root, 'host')).get(OBJECT));
  const { out } = await tenantplane(dev, { cwd: root });
  expect(out).toContain('wrote 0 files');
  expect(out).not.toContain('copied');
});

test('--check of a folder without a tree names what is copied as well', async () => {
  const root = await broken();
  const tree = join(scratch(), 'tree');
  const { code, out } = await tenantplane(['render', '--check', '-v', '-o', `dir=${tree}`], { cwd: root });
  expect(code).toBe(4);
  expect(out).toContain(OBJECT);
});

test('what is not ours stays behind, and ours takes its place', async () => {
  const root = await broken();
  rmSync(join(root, 'tenants/dev/objects/bad.yaml'));
  put(root, { [`host/${OBJECT}`]: configMap('theirs'), 'host/team-qa/theirs.yaml': configMap('theirs') });
  const { tree, code } = await begun(root);
  expect(code).toBe(0);
  expect(read(tree).has('team-qa/theirs.yaml')).toBe(false);
  expect(readDocuments(read(tree).get(OBJECT) ?? '', OBJECT).objects[0]?.object['data']).toEqual({ key: 'changed' });
});

test('a package without a tree of its own says that the tenant has no files', async () => {
  const root = await broken();
  rmSync(join(root, 'host'), { recursive: true });
  const { tree, out, code } = await begun(root);
  expect(code).toBe(1);
  expect(out).toContain('frozen: nothing of it is written, and it has no files yet');
  expect(out).not.toContain('copied');
  expect([...read(tree).keys()].some((path) => path.startsWith('team-dev/'))).toBe(false);
});
