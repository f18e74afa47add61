import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { merkleRoot } from '../../src/report/ledger.ts';
import { configMap, HOST_PATH_POD, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
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

  test('a file of another in the place of ours is neither overwritten nor silent', async () => {
    const root = twoTenants({ [A]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n' });
    const { code, out } = await tenantplane(['render'], { cwd: root });
    expect(out).toContain('TP1004 HostObjectForeign');
    expect(readFileSync(join(root, A), 'utf8')).toContain('name: mine');
    expect(code).toBe(0);
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

  test('the tree cannot be the package', async () => {
    const root = twoTenants();
    for (const folder of ['.', '..']) expect((await tenantplane(['render', '-o', `dir=${folder}`], { cwd: root })).code).toBe(2);
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
    expect(out).toContain('frozen: its tree stays as it last was.');
    expect(readFileSync(join(root, A), 'utf8')).toBe(frozen);
    expect(readFileSync(join(root, '.tenantplane/team-dev.dev.ndjson'), 'utf8')).toBe(ledger);
    expect(readFileSync(join(root, B), 'utf8')).toContain('changed');
    expect((await tenantplane(['render', '--fail-on', 'never'], { cwd: root })).code).toBe(0);
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
});

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

describe('many tenants', () => {
  test('--tenant limits what is written and told', async () => {
    const root = twoTenants();
    const { code, out } = await tenantplane(['render', '--tenant', 'dev', '--ledger'], { cwd: root });
    expect(code).toBe(0);
    expect(readdirSync(join(root, 'host'))).toEqual(['team-dev']);
    expect(readdirSync(join(root, '.tenantplane'))).toEqual(['.gitattributes', 'team-dev.dev.ndjson']);
    expect(out).not.toContain('team-qa');
    await tenantplane(['render', '--tenant', 'team-qa/qa'], { cwd: root });
    expect(readdirSync(join(root, 'host'))).toEqual(['team-dev', 'team-qa']);
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
    expect(readdirSync(join(root, 'host'))).toEqual(['team-dev', 'team-qa']);
    expect((await tenantplane(['render', '--fail-on', 'never'], { cwd: root })).code).toBe(0);
  });

  test('--config names another file', async () => {
    const root = twoTenants({ 'ci/render.yaml': renderTenant('{output: {shards: 3}}') });
    await tenantplane(['render', '--config', 'ci/render.yaml'], { cwd: root });
    expect(readdirSync(join(root, 'host/team-dev')).every((name) => /^shard-0[0-2]$/.test(name))).toBe(true);
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

test('a Secret value is in the rendered file and nowhere else', async () => {
  const secret = (value: string): string => `apiVersion: v1
kind: Secret
metadata:
  name: token
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"${value}"}}'
stringData: {password: ${value}}
`;
  const root = twoTenants({
    'tenants/dev/tenant.yaml': tenantYaml('dev', '  secrets: {render: plain}\n'),
    'tenants/dev/objects/s.yaml': secret('hunter2'),
  });
  const told: string[] = [];
  const call = async (...argv: string[]): Promise<void> => {
    const { out, err } = await tenantplane(argv, { cwd: root });
    told.push(out, err);
  };
  await call('render', '--ledger', '-v');
  expect(readFileSync(join(root, 'host/team-dev/secret_token-x-default-x-dev.yaml'), 'utf8')).toContain('hunter2');
  put(root, { 'tenants/dev/objects/s.yaml': secret('hunter3') });
  await call('render', '--check', '--diff', '-v');
  await call('render', '-o', 'json');
  await call('validate', '-v');
  await call('validate', '-o', 'json');
  await call('validate', '-o', 'github');
  for (const format of ['text', 'json', 'yaml'])
    await call('explain-sync', '--tenant', 'dev', '--kind', 'Secret', '--name', 'token', '--trace', '--fields', '-o', format);
  await call('explain-sync', '--tenant', 'dev', '-f', 'tenants/dev/objects/s.yaml', '--fields');
  told.push(readFileSync(join(root, '.tenantplane/team-dev.dev.ndjson'), 'utf8'));
  expect(told.length).toBeGreaterThan(18);
  expect(told.join('\n')).toContain('token-x-default-x-dev');
  expect(told.filter((text) => /hunter[23]|aHVudGVy/.test(text))).toEqual([]);
});

test('nothing that a tenant wrote reaches the terminal as anything but text', async () => {
  const evil = '\\e[2J\\e]8;;http://evil\\a\\u202e\\n::error::x';
  const root = twoTenants({
    'tenants/dev/objects/evil.yaml': `apiVersion: v1
kind: Pod
metadata: {name: evil, annotations: {"evil/${'x'}": "${evil}"}, labels: {"a": "${evil}"}}
spec:
  containers: [{name: "${evil}", image: "${evil}"}]
  volumes: [{name: "${evil}", hostPath: {path: "${evil}"}}]
---
apiVersion: "v1"
kind: "${evil}"
metadata: {name: "${evil}"}
`,
  });
  for (const argv of [
    ['render', '-v'],
    ['render', '-o', 'json'],
    ['validate', '-v'],
    ['validate', '-o', 'json'],
    ['validate', '-o', 'github'],
  ]) {
    const { out, err } = await tenantplane(argv, { cwd: root });
    const text = out + err;
    expect(text).toContain('evil');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(text.split('\n').filter((line) => line.startsWith('::error::'))).toEqual([]);
  }
});
