import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configMap, HOST_PATH_POD, PLATFORM, tenantplane, twoTenants } from './harness.ts';
import { put, read, scratch } from './tree/disk.ts';

const A = 'host/team-dev/configmap_a-x-default-x-dev.yaml';
const B = 'host/team-qa/configmap_b-x-default-x-qa.yaml';

describe('writing the tree', () => {
  test('each object is a file, with its reason in the text for people', async () => {
    const root = twoTenants();
    const { code, out } = await tenantplane(['render'], { cwd: root });
    expect(code).toBe(0);
    expect(existsSync(join(root, A)) && existsSync(join(root, B))).toBe(true);
    expect(out).toContain(`  + ${A}`);
    expect(out).toMatch(/^tenant team-dev\/dev {3}policy default {3}profile restricted\n {2}1 projected/m);
    expect(out).toMatch(/^wrote \d+ files, removed 0, unchanged 0$/m);
  });

  test('a second render changes nothing, and says so', async () => {
    const root = twoTenants();
    await tenantplane(['render', '--ledger'], { cwd: root });
    const before = read(root);
    const inode = statSync(join(root, 'host')).ino;
    const { out } = await tenantplane(['render', '--ledger'], { cwd: root });
    expect(out).toMatch(/^wrote 0 files, removed 0, unchanged \d+$/m);
    expect(read(root)).toEqual(before);
    expect(statSync(join(root, 'host')).ino).toBe(inode);
  });

  test('a source that is gone takes its file with it; files of others stay', async () => {
    const root = twoTenants({ 'tenants/dev/objects/c.yaml': configMap('c') });
    await tenantplane(['render'], { cwd: root });
    put(root, {
      'host/team-dev/README.md': 'theirs',
      'host/team-dev/other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o}\n',
    });
    rmSync(join(root, 'tenants/dev/objects/c.yaml'));
    const { out } = await tenantplane(['render'], { cwd: root });
    expect(out).toContain('  - host/team-dev/configmap_c-x-default-x-dev.yaml  TP5001 SourceRemoved');
    expect(out).toMatch(/wrote 0 files, removed 1/);
    expect(readFileSync(join(root, 'host/team-dev/README.md'), 'utf8')).toBe('theirs');
    expect(existsSync(join(root, 'host/team-dev/other.yaml'))).toBe(true);
  });

  test('a file that no source gives is warned of: what applies the tree applies it', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    put(root, { 'host/team-dev/other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o}\n' });
    const { code, out } = await tenantplane(['render', '--report', 'sarif=r.sarif'], { cwd: root });
    expect(code).toBe(0);
    expect(out).toContain('  ? host/team-dev/other.yaml  TP9040 TreeFileForeign\n');
    expect(readFileSync(join(root, 'r.sarif'), 'utf8')).toContain('host/team-dev/other.yaml');
    expect((await tenantplane(['render', '--fail-on', 'warning'], { cwd: root })).code).toBe(1);
    expect((await tenantplane(['render', '--tenant', 'qa'], { cwd: root })).out).not.toContain('TP9040');
    expect((await tenantplane(['render', '--tenant', 'dev'], { cwd: root })).out.match(/TP9040/g)).toHaveLength(1);
  });

  test('a file of another in the place of ours is neither overwritten nor silent', async () => {
    const root = twoTenants({ [A]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n' });
    const { code, out } = await tenantplane(['render'], { cwd: root });
    expect(out).toContain('TP1004 HostObjectForeign');
    expect(readFileSync(join(root, A), 'utf8')).toContain('name: mine');
    expect(code).toBe(1);
  });

  test('a merge conflict in a rendered file is settled by rendering', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    const text = readFileSync(join(root, A), 'utf8');
    writeFileSync(join(root, A), `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`);
    await tenantplane(['render'], { cwd: root });
    expect(readFileSync(join(root, A), 'utf8')).toBe(text);
  });

  test('another folder inside the package is output too, not input of the next render', async () => {
    const root = twoTenants();
    await tenantplane(['render', '-o', 'dir=out/tree'], { cwd: root });
    const before = read(root);
    const { code, out } = await tenantplane(['render', '-o', 'dir=out/tree'], { cwd: root });
    expect(code).toBe(0);
    expect(out).toContain('wrote 0 files');
    expect(read(root)).toEqual(before);
    expect(existsSync(join(root, 'host'))).toBe(false);
  });

  test('a tree that stands elsewhere in the package is no input of a render into host/', async () => {
    const root = twoTenants();
    await tenantplane(['render', '-q'], { cwd: root });
    await tenantplane(['render', '-q', '-o', 'dir=out/tree'], { cwd: root });
    const { code, out } = await tenantplane(['render', '--fail-on', 'warning'], { cwd: root });
    expect(code).toBe(0);
    expect(out).not.toContain('out/tree');
    expect(out).toContain('wrote 0 files');
  });

  test('the tree cannot be where the next render reads a tenant’s objects', async () => {
    const root = twoTenants();
    for (const folder of ['tenants/dev/objects', 'tenants/dev/objects/out', 'objects/out']) {
      const { code, err } = await tenantplane(['render', '-o', `dir=${folder}`], { cwd: root });
      expect(code).toBe(2);
      expect(err).toContain('cannot lie in an objects/ folder');
    }
  });

  test('what an interrupted render left is put right first', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    const before = read(root);
    mkdirSync(join(root, '.host-999999999-0123abcd'));
    writeFileSync(join(root, '.host-999999999-0123abcd/swap.json'), '{"tree":"host","at":""}');
    renameSync(join(root, 'host'), join(root, '.host-999999999-0123abcd/old'));
    const { out, err } = await tenantplane(['render'], { cwd: root });
    expect(err).toContain('An interrupted render had taken');
    expect(out).toContain('wrote 0 files');
    expect(read(root)).toEqual(before);
  });
});

describe('refusals', () => {
  test('one bad object is skipped with its line, and the rest is written', async () => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    const { code, out } = await tenantplane(['render'], { cwd: root });
    expect(code).toBe(0);
    expect(out).toMatch(
      /! tenants\/dev\/objects\/pod\.yaml:11 {2}Pod default\/worker {2}TP3004 HostPathBlocked\n {4}.*cache.*\n(.*\n)* {4}try: /,
    );
    expect(existsSync(join(root, A))).toBe(true);
  });

  test('one bad tenant keeps its tree, the others are written, exit code 1', async () => {
    const root = twoTenants();
    await tenantplane(['render', '--ledger'], { cwd: root });
    const frozen = readFileSync(join(root, A), 'utf8');
    const ledger = readFileSync(join(root, '.tenantplane/team-dev.dev.ndjson'), 'utf8');
    put(root, {
      'tenants/dev/objects/a.yaml': configMap('a', 'changed'),
      'tenants/dev/objects/twice.yaml': configMap('a'),
      'tenants/qa/objects/b.yaml': configMap('b', 'changed'),
    });
    const { code, out } = await tenantplane(['render', '--ledger'], { cwd: root });
    expect(code).toBe(1);
    expect(out).toMatch(
      /frozen: only its boundary is written, its own objects stay as they last were and may be refused when made anew\. Why: /,
    );
    expect(readFileSync(join(root, A), 'utf8')).toBe(frozen);
    expect(readFileSync(join(root, '.tenantplane/team-dev.dev.ndjson'), 'utf8')).toBe(ledger);
    expect(readFileSync(join(root, B), 'utf8')).toContain('changed');
    expect((await tenantplane(['render', '--fail-on', 'never'], { cwd: root })).code).toBe(0);
  });

  test('--check names a frozen tenant on stdout, whether the tree is stale or not', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    put(root, { 'tenants/dev/objects/twice.yaml': configMap('a') });
    const words = /^frozen: tenant team-dev\/dev, whose own objects stay as they last were and may be refused when made anew\. Why: .+$/m;
    const fresh = await tenantplane(['render', '--check'], { cwd: root });
    expect(fresh).toMatchObject({ code: 1, out: expect.stringMatching(words) });
    expect(fresh.out).toContain('is up to date');
    put(root, { 'tenants/qa/objects/b.yaml': configMap('b', 'changed') });
    expect(await tenantplane(['render', '--check'], { cwd: root })).toMatchObject({ code: 4, out: expect.stringMatching(words) });
    expect((await tenantplane(['render', '--check', '--quiet'], { cwd: root })).out).not.toMatch(words);
  });

  test('a frozen tenant goes out on stdout as it last was: left out, a pruning applier would remove it', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    put(root, { 'tenants/dev/objects/twice.yaml': configMap('a') });
    const { code, out } = await tenantplane(['render', '-o', 'stdout'], { cwd: root });
    expect(code).toBe(1);
    expect(out).toContain('name: a-x-default-x-dev');
  });

  test.each([
    ['rejected', 0],
    ['refused', 1],
    ['warning', 1],
    ['never', 0],
  ])('--fail-on %s with a skipped object', async (grade, wanted) => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    expect((await tenantplane(['render', '--fail-on', grade], { cwd: root })).code).toBe(wanted);
  });

  test('platform input that contradicts itself stops everything, and nothing is written', async () => {
    const root = twoTenants({ 'again.yaml': PLATFORM });
    const { code, err } = await tenantplane(['render'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('nothing was written');
    expect(existsSync(join(root, 'host'))).toBe(false);
  });

  test('a mass delete is held until it is meant', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`tenants/dev/objects/m${index}.yaml`, configMap(`m${index}`)]),
    );
    const root = twoTenants(many);
    await tenantplane(['render'], { cwd: root });
    const before = read(join(root, 'host'));
    for (const path of Object.keys(many)) rmSync(join(root, path));
    const held = await tenantplane(['render'], { cwd: root });
    expect(held.code).toBe(5);
    expect(held.err).toContain('TP5004 MassDeleteHeld');
    expect(held.err).toContain('--max-deletions 60');
    expect(read(join(root, 'host'))).toEqual(before);
    expect((await tenantplane(['render', '--max-deletions', '60'], { cwd: root })).code).toBe(0);
    expect(readdirSync(join(root, 'host/team-dev')).some((name) => name.includes('_m1-'))).toBe(false);
  });

  test('admission policies are held where the host is said to serve none', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    const before = read(join(root, 'host'));
    const held = await tenantplane(['render', '--host-version', '1.29'], { cwd: root });
    expect(held.err).toContain('TP5011 AdmissionHeld');
    expect(held).toMatchObject({ code: 5, err: expect.stringContaining('nothing was written: a guard stopped the render') });
    expect(read(join(root, 'host'))).toEqual(before);
  });

  test('an emptied package does not empty the tree', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    for (const path of ['platform.yaml', 'tenants']) rmSync(join(root, path), { recursive: true });
    const held = await tenantplane(['render', '--max-deletions', '999'], { cwd: root });
    expect(held).toMatchObject({ code: 5, err: expect.stringContaining('TP5006 EmptyOutput') });
    expect((await tenantplane(['render', '--max-deletions', '999', '--allow-empty'], { cwd: root })).code).toBe(0);
    expect(read(join(root, 'host'))).toEqual({});
  });
});

describe('--check', () => {
  test('passes on a fresh tree and writes nothing', async () => {
    const root = twoTenants();
    await tenantplane(['render', '--ledger'], { cwd: root });
    const before = read(root);
    const { code, out } = await tenantplane(['render', '--check', '--ledger'], { cwd: root });
    expect(code).toBe(0);
    expect(out).toMatch(/^host\/ is up to date \(\d+ files\)\n$/);
    expect(read(root)).toEqual(before);
  });

  test('lists stale, missing and extra files, and how to mend it', async () => {
    const root = twoTenants({ 'tenants/dev/objects/c.yaml': configMap('c') });
    await tenantplane(['render'], { cwd: root });
    appendFileSync(join(root, A), '# edited\n');
    rmSync(join(root, B));
    rmSync(join(root, 'tenants/dev/objects/c.yaml'));
    const before = read(root);
    const { code, out } = await tenantplane(['render', '--check', '--host-version', '1.34'], { cwd: root });
    expect(code).toBe(4);
    expect(out).toContain(`  ~ ${A}\n`);
    expect(out).toContain(`  + ${B}\n`);
    expect(out).toContain('  - host/team-dev/configmap_c-x-default-x-dev.yaml\n');
    expect(out).toContain('to mend it: tenantplane render . --host-version 1.34\n');
    expect(read(root)).toEqual(before);
  });

  test('without a tree everything is missing', async () => {
    const { code, out } = await tenantplane(['render', '--check'], { cwd: twoTenants() });
    expect(code).toBe(4);
    expect(out).toMatch(/^stale: 0 stale, \d+ missing, 0 extra$/m);
  });

  test('--diff shows each change as a patch from the tree to the render', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    put(root, { 'tenants/dev/objects/a.yaml': configMap('a', 'other\u001b[2J') });
    const { code, out, err } = await tenantplane(['render', '--check', '--diff'], { cwd: root });
    expect(code).toBe(4);
    expect(out).toContain(`--- a/${A}\n+++ b/${A}\n@@ `);
    expect(out).toMatch(/^- {2}key: v$/m);
    expect(out).not.toContain('\u001b');
    expect(err).toContain('stale: 1 stale');
  });

  test('a ledger that is out of date is stale as well', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    expect((await tenantplane(['render', '--check'], { cwd: root })).code).toBe(0);
    expect((await tenantplane(['render', '--check', '--ledger'], { cwd: root })).code).toBe(4);
  });

  test('files beside the tree are named as they would be typed, missing ones with +', async () => {
    const root = twoTenants();
    await tenantplane(['render', '--ledger'], { cwd: root });
    rmSync(join(root, '.tenantplane/team-dev.dev.ndjson'));
    writeFileSync(join(root, '.tenantplane/team-qa.qa.ndjson'), 'changed\n');
    const { code, out } = await tenantplane(['render', '--check', '--ledger'], { cwd: root });
    expect(code).toBe(4);
    expect(out).toContain('  + .tenantplane/team-dev.dev.ndjson\n  ~ .tenantplane/team-qa.qa.ndjson\n');
  });

  test('a file of ours that is not recognisably ours any more is listed, and no render passes over it', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    writeFileSync(join(root, A), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a-x-default-x-dev, namespace: team-dev}\n');
    const { code, out } = await tenantplane(['render', '--check'], { cwd: root });
    expect(code).toBe(4);
    expect(out).toContain('0 extra, 1 not ours\n');
    expect(out).toContain(`  ! ${A}  TP1004 HostObjectForeign\n`);
    expect((await tenantplane(['render'], { cwd: root })).code).toBe(1);
  });

  test.each(['evil.yml', 'team-dev/evil.json', 'kustomization.yaml', '.sourceignore'])(
    'fails for %s, which no source gives',
    async (path) => {
      const root = twoTenants();
      await tenantplane(['render'], { cwd: root });
      put(root, { [`host/${path}`]: 'kind: ClusterRoleBinding\n' });
      const { code, out } = await tenantplane(['render', '--check'], { cwd: root });
      expect(code).toBe(4);
      expect(out).toContain(`0 extra, 1 not ours\n  ! host/${path}  TP9040 TreeFileForeign\n  no source gives`);
      expect(out).toContain('move them out of the tree, or remove them (git rm); then:\n    tenantplane render .\n');
      const report = JSON.parse((await tenantplane(['render', '--check', '-o', 'json'], { cwd: root })).out);
      expect(report.findings).toMatchObject([{ code: 'TP9040', severity: 'warning', file: { path: `host/${path}` } }]);
    },
  );

  test('of a frozen tenant and with --tenant, what may stand there stands there', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    expect((await tenantplane(['render', '--check', '--tenant', 'dev'], { cwd: root })).code).toBe(0);
    put(root, { 'tenants/dev/objects/bad.yaml': 'a: [\n' });
    const { code, out } = await tenantplane(['render', '--check'], { cwd: root });
    expect(out).not.toContain('not ours');
    expect(code).toBe(1);
  });
});

describe('a folder that is no package', () => {
  test.each(['render', 'validate'])('%s says so, with what to do', async (command) => {
    const root = scratch();
    put(root, { 'fleet/notes.txt': 'nothing' });
    const { code, out, err } = await tenantplane([command, 'fleet'], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: There is no TenantCluster in the folder fleet\.\n {2}try: .*tenantplane init fleet/);
    expect((await tenantplane([command, 'fleet', '--allow-empty'], { cwd: root })).code).toBe(0);
  });

  test('what cannot be read is said first: the TenantCluster may be in it', async () => {
    const root = scratch();
    put(root, { 'tenant.yaml': 'kind: TenantCluster\nmetadata: [\n' });
    const { out, err } = await tenantplane(['validate'], { cwd: root });
    expect(out).toContain('tenant.yaml:');
    expect(err).toBe('');
  });
});

describe('-o stdout', () => {
  test('isolation stands before the first pod, of a frozen tenant too, and configuration last', async () => {
    const root = twoTenants({
      'tenants/dev/objects/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: a}]}\n',
    });
    await tenantplane(['render'], { cwd: root });
    for (const files of [{}, { 'tenants/dev/objects/twice.yaml': configMap('a') }]) {
      put(root, files);
      const { out } = await tenantplane(['render', '-o', 'stdout'], { cwd: root });
      const kinds = [...out.matchAll(/^kind: (\w+)$/gm)].map((match) => match[1]);
      const first = (kind: string): number => kinds.indexOf(kind);
      for (const kind of ['ServiceAccount', 'NetworkPolicy', 'ResourceQuota', 'LimitRange']) {
        expect(first(kind)).toBeGreaterThan(kinds.lastIndexOf('Namespace'));
        expect(kinds.lastIndexOf(kind)).toBeLessThan(first('ConfigMap'));
      }
      expect(first('TenantCluster')).toBeGreaterThan(kinds.lastIndexOf('ConfigMap'));
    }
  });

  test('what stays as it was goes out as it stands, its configuration too; with --tenant nothing of others does', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    const documents = async (...flags: string[]): Promise<string[]> => {
      const { out } = await tenantplane(['render', '-o', 'stdout', ...flags], { cwd: root });
      return [...out.matchAll(/^# host\/(\S+)$/gm)].map((match) => match[1] ?? '').sort();
    };
    const all = await documents();
    put(root, { 'tenants/dev/objects/twice.yaml': configMap('a') });
    expect(await documents()).toEqual(all);
    rmSync(join(root, 'tenants/dev/tenant.yaml'));
    expect(await documents()).toEqual(all);
    expect(await documents('--tenant', 'qa')).toEqual(
      all.filter((path) => path.startsWith('team-qa/') || path.endsWith('_tenantplane-team-qa.yaml')),
    );
  });
});
