import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { merkleRoot } from '../../src/report/ledger.ts';
import { configMap, HOST_PATH_POD, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, read, scratch } from './tree/disk.ts';

const A = 'host/team-dev/configmap_a-x-default-x-dev.yaml';

describe('other outputs', () => {
  test('-o stdout is a stream that can be applied: namespaces before what is in them, talk on stderr', async () => {
    const root = twoTenants();
    const { code, out, err } = await tenantplane(['render', '-o', 'stdout'], { cwd: root });
    expect(code).toBe(0);
    const { objects, findings } = readDocuments(out, 'stdout');
    expect(findings).toEqual([]);
    const kinds = objects.map(({ object }) => object['kind']);
    expect(kinds.lastIndexOf('Namespace')).toBeLessThan(kinds.indexOf('ConfigMap'));
    expect(kinds.lastIndexOf('ConfigMap')).toBeLessThan(kinds.indexOf('TenantCluster'));
    expect(err).toContain('tenant team-dev/dev');
    expect(existsSync(join(root, 'host'))).toBe(false);
    expect((await tenantplane(['render', '-o', 'stdout', '-q'], { cwd: root })).err).toBe('');
  });

  test('-o json is one document, and writes nothing', async () => {
    const root = twoTenants();
    const report = JSON.parse((await tenantplane(['render', '-o', 'json'], { cwd: root })).out);
    expect(report).toMatchObject({ kind: 'RenderReport', stopped: false, summary: { projected: 2 } });
    expect(report.changes.added).toContain(A.slice('host/'.length));
    expect(existsSync(join(root, 'host'))).toBe(false);
  });

  test('an error under -o json is a document too', async () => {
    const { code, out } = await tenantplane(['render', 'nowhere', '-o', 'json'], { cwd: scratch() });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ kind: 'Error', code: 'usage' });
  });

  test('--quiet says nothing where nothing is wrong', async () => {
    expect(await tenantplane(['render', '--quiet'], { cwd: twoTenants() })).toEqual({ code: 0, out: '', err: '' });
  });

  test('colour and progress only on a terminal', async () => {
    const root = twoTenants();
    const plain = await tenantplane(['render', '-o', 'json'], { cwd: root });
    expect(plain.out + plain.err).not.toContain('\u001b');
    const seen = await tenantplane(['render'], { cwd: root, tty: true });
    expect(seen.out).toContain('\u001b[32m');
    expect(seen.err).toContain('planning');
    rmSync(join(root, 'host'), { recursive: true });
    expect((await tenantplane(['render'], { cwd: root, tty: true, env: { NO_COLOR: '1' } })).out).not.toContain('\u001b');
    expect((await tenantplane(['render', '--color', 'always'], { cwd: root })).out).toContain('\u001b[');
  });
});

describe('the ledger', () => {
  const ledger = (root: string, name: string): string => readFileSync(join(root, `.tenantplane/${name}.ndjson`), 'utf8');

  test('counts and sums its lines, holds every decision, and is no applied file', async () => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    await tenantplane(['render', '--ledger'], { cwd: root });
    const [header = '', ...lines] = ledger(root, 'team-dev.dev').trimEnd().split('\n');
    expect(JSON.parse(header)).toMatchObject({ tenant: 'team-dev/dev', lines: lines.length, merkleRoot: `sha256:${merkleRoot(lines)}` });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ k: 'dev|v1/Pod|default|worker', code: 'TP3004' }),
    );
    expect(readdirSync(join(root, '.tenantplane'))).toEqual(['.gitattributes', 'team-dev.dev.ndjson', 'team-qa.qa.ndjson']);
  });

  test('is the same after the tree is there', async () => {
    const root = twoTenants();
    await tenantplane(['render', '--ledger'], { cwd: root });
    const first = ledger(root, 'team-dev.dev');
    put(root, { 'tenants/dev/objects/a.yaml': configMap('a', 'changed') });
    await tenantplane(['render', '--ledger'], { cwd: root });
    expect(ledger(root, 'team-dev.dev')).toBe(first);
  });

  test('of a tenant that is gone goes as well; other files there stay', async () => {
    const root = twoTenants();
    await tenantplane(['render', '--ledger'], { cwd: root });
    put(root, { '.tenantplane/notes.ndjson': '{"mine":1}\n' });
    rmSync(join(root, 'tenants/qa'), { recursive: true });
    await tenantplane(['render', '--ledger', '--max-deletions', '99'], { cwd: root });
    expect(readdirSync(join(root, '.tenantplane'))).toEqual(['.gitattributes', 'notes.ndjson', 'team-dev.dev.ndjson']);
  });
});

test('-o json says the line of the field that a finding is about', async () => {
  const facts = 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec:\n  storageClasses: [standard]\n';
  const allow = PLATFORM.replace(
    'spec: {level: restricted}',
    'spec:\n  level: restricted\n  allow:\n    storageClasses:\n    - standard\n    - fast',
  );
  const root = twoTenants({ 'platform.yaml': allow, 'facts.yaml': facts });
  const { findings } = JSON.parse((await tenantplane(['render', '-o', 'json'], { cwd: root })).out);
  const lacks = findings.filter(({ code }: { code: string }) => code === 'TP3087');
  expect(lacks.map(({ file, pointer }: { file: object; pointer: string }) => ({ file, pointer }))).toEqual([
    { file: { path: 'platform.yaml', document: 0, line: 9 }, pointer: '/spec/allow/storageClasses/1' },
  ]);
});

describe('many tenants', () => {
  test('--tenant limits what is written and told', async () => {
    const root = twoTenants();
    const { code, out } = await tenantplane(['render', '--tenant', 'dev', '--ledger'], { cwd: root });
    expect(code).toBe(0);
    expect(readdirSync(join(root, 'host'))).toEqual(['platform', 'team-dev']);
    expect(readdirSync(join(root, 'host/platform'))).toEqual(['flowschema.flowcontrol.apiserver.k8s.io_tenantplane-team-dev.yaml']);
    expect(readdirSync(join(root, '.tenantplane'))).toEqual(['.gitattributes', 'team-dev.dev.ndjson']);
    expect(out).not.toContain('team-qa');
    await tenantplane(['render', '--tenant', 'team-qa/qa'], { cwd: root });
    expect(readdirSync(join(root, 'host'))).toEqual(['platform', 'team-dev', 'team-qa']);
  });

  test('--tenant says where the tree lacks what is shared, and so does --check', async () => {
    const root = twoTenants();
    const count = /Of (\d+) shared files \(.*\) (\d+) are not in the tree, (\d+) are out of date, and (\d+) have/;
    const first = await tenantplane(['render', '--tenant', 'dev'], { cwd: root });
    const [, total, missing] = count.exec(first.out) ?? [];
    expect(first.out).toContain('? host  TP2031 SharedFilesBehind');
    expect(Number(total)).toBeGreaterThan(20);
    expect(missing).toBe(total);
    const checked = await tenantplane(['render', '--tenant', 'dev', '--check'], { cwd: root });
    expect([checked.code, checked.err.match(count)?.[2]]).toEqual([0, total]);
    expect(checked.out).toMatch(/is up to date/);
    expect((await tenantplane(['render', '--tenant', 'dev', '--check', '--fail-on', 'warning'], { cwd: root })).code).toBe(1);
    const report = JSON.parse((await tenantplane(['render', '--tenant', 'dev', '-o', 'json'], { cwd: root })).out);
    expect(report.findings.map(({ code }: { code: string }) => code)).toEqual(['TP2031']);

    await tenantplane(['render'], { cwd: root });
    const after = await tenantplane(['render', '--tenant', 'dev'], { cwd: root });
    expect(after.out + (await tenantplane(['render', '--tenant', 'dev', '--check'], { cwd: root })).err).not.toContain('TP2031');
    put(root, { 'platform.yaml': PLATFORM.replace('level: restricted', 'level: sandboxed') });
    const stale = count.exec((await tenantplane(['render', '--tenant', 'dev'], { cwd: root })).out);
    expect(Number(stale?.[3])).toBeGreaterThan(0);
  });

  test.each([
    ['an object of somebody else', () => 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs}\n'],
    ['ours without the label that says so', (text: string) => text.replace(/^.*managed-by: tenantplane\n/gm, '')],
    ['several objects', (text: string) => `${text}---\n${text}`],
    ['no object', () => 'just text\n'],
  ])('--tenant says that in the place of a shared file is %s', async (_, edit) => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    const platform = 'host/platform';
    const [name = ''] = readdirSync(join(root, platform)).filter((file) => file.startsWith('validatingadmissionpolicy.'));
    put(root, { [join(platform, name)]: edit(readFileSync(join(root, platform, name), 'utf8')) });
    for (const words of [[], ['--check']]) {
      const { code, out, err } = await tenantplane(['render', '--tenant', 'dev', ...words], { cwd: root });
      expect(code).toBe(0);
      expect(out + err).toMatch(/TP2031 SharedFilesBehind\n.* (1 are out of date, and 0|0 are out of date, and 1) have /);
    }
  });

  test('--tenant does not tell what a whole render would change in what is shared', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    put(root, { 'tenants/dev/objects/bad.yaml': tenantYaml('mine') });
    put(root, { 'platform.yaml': PLATFORM.replace('level: restricted', 'level: sandboxed') });
    expect((await tenantplane(['render', '--tenant', 'qa'], { cwd: root })).out).not.toContain('ProfileMovedOn');
    expect((await tenantplane(['render'], { cwd: root })).out).toContain('TP2030 ProfileMovedOn');
  });

  test('another tenant’s trouble is not this one’s exit code', async () => {
    const root = twoTenants({ 'tenants/qa/objects/twice.yaml': configMap('b') });
    expect((await tenantplane(['render', '--tenant', 'dev'], { cwd: root })).code).toBe(0);
    expect((await tenantplane(['render', '--tenant', 'qa'], { cwd: root })).code).toBe(1);
  });

  test('a tenant that is not there is named, with the near miss', async () => {
    const { code, err } = await tenantplane(['render', '--tenant', 'dve'], { cwd: twoTenants() });
    expect(code).toBe(2);
    expect(err).toContain('The package has no tenant dve.\n  try: Did you mean dev?');
  });
});

describe('configuration', () => {
  test('profiles and policies of another package count, and are not rendered here', async () => {
    const platform = scratch();
    put(platform, { 'p/all.yaml': PLATFORM, 'tenants/x/objects/broken.yaml': '{' });
    const root = scratch();
    put(root, { 'tenant.yaml': tenantYaml('dev'), 'objects/a.yaml': configMap('a') });
    expect((await tenantplane(['render', root])).code).toBe(1);
    const { code, out } = await tenantplane(['render', root, '--platform', platform]);
    expect(code).toBe(0);
    expect(out).toContain('1 projected');
    expect(readdirSync(join(root, 'host/config'))).toEqual(['tenantcluster.tenantplane.io_team-dev.dev.yaml']);
  });

  const renderTenant = (spec: string): string =>
    `apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: r}\nspec: ${spec}\n`;

  test('a RenderTenant at the root of the package counts, a flag wins over it', async () => {
    const root = twoTenants({
      'render.yaml': renderTenant('{output: {config: exclude}, failOn: refused}'),
      'tenants/dev/objects/pod.yaml': HOST_PATH_POD,
    });
    expect((await tenantplane(['render'], { cwd: root })).code).toBe(1);
    expect(readdirSync(join(root, 'host'))).toEqual(['platform', 'team-dev', 'team-qa']);
    expect((await tenantplane(['render', '--fail-on', 'never'], { cwd: root })).code).toBe(0);
  });

  test('--config names another file', async () => {
    const root = twoTenants({ 'ci/render.yaml': renderTenant('{output: {shards: 3}}') });
    await tenantplane(['render', '--config', 'ci/render.yaml'], { cwd: root });
    expect(readdirSync(join(root, 'host/team-dev')).every((name) => /^(isolation|shard-0[0-2])$/.test(name))).toBe(true);
  });

  test('sources are marked as none of what is applied, once, and nothing else of them changes', async () => {
    const root = twoTenants({ 'render.yaml': renderTenant('{output: {sources: mark}}') });
    const before = read(root);
    expect((await tenantplane(['render'], { cwd: root })).out).toContain('5 files beside it');
    const marked = read(root);
    for (const path of ['platform.yaml', 'tenants/dev/tenant.yaml', 'tenants/dev/objects/a.yaml']) {
      expect(marked?.[path]).not.toBe(before?.[path]);
      expect(marked?.[path]?.replaceAll('"annotations": {"config.kubernetes.io/local-config": "true"}, ', '')).toBe(before?.[path]);
    }
    expect(marked?.['render.yaml']).toBe(before?.['render.yaml']);
    expect((await tenantplane(['render', '--check'], { cwd: root })).code).toBe(0);
    await tenantplane(['render'], { cwd: root });
    expect(read(root)).toEqual(marked);
    expect(marked?.[A]).not.toContain('local-config');
  });

  test.each([
    ['two of them', { 'a.yaml': renderTenant('{}'), 'b.yaml': renderTenant('{}') }, [], 'has 2 RenderTenant objects (a.yaml, b.yaml)'],
    ['a misspelt field', { 'a.yaml': renderTenant('{maxDeletion: 3}') }, [], 'Did you mean maxDeletions?'],
    ['a file that is not there', {}, ['--config', 'no.yaml'], 'cannot be read'],
    ['a file that holds nothing', { 'ci/x.yaml': '# empty\n' }, ['--config', 'ci/x.yaml'], 'holds 0 objects'],
    ['a version that is none', {}, ['--host-version', 'new'], '--host-version is new'],
    ['a version that is too new', {}, ['--host-version', '1.99'], 'this version knows 1.28 to 1.37'],
    ['a version that is too old', {}, ['--host-version', 'v1.27.3'], 'this version knows 1.28 to 1.37'],
    ['a number that is none', {}, ['--max-deletions', 'many'], 'must be a whole number'],
    ['a grade that is none', {}, ['--fail-on', 'all'], 'Allowed choices are'],
    ['an output that is none', {}, ['-o', 'xml'], 'must be dir, dir=FOLDER, stdout or json'],
    ['--diff alone', {}, ['--diff'], '--diff goes with --check'],
    ['--watch and --check', {}, ['--watch', '--check'], '--watch writes a tree'],
  ])('what is wrong is said, exit code 2: %s', async (_, files, flags, message) => {
    const { code, err } = await tenantplane(['render', ...flags], { cwd: twoTenants(files) });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
