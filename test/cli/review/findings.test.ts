import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWER_FORMATS } from '../../../src/report/answer/format-names.ts';
import { configMap, PLATFORM, tenantplane, tenantYaml, twoTenants } from '../harness.ts';
import { put, read, scratch } from '../tree/disk.ts';
import { type Repository, repository } from './repository.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };
const BAD = `apiVersion: v1
kind: Pod
metadata: {name: bad}
spec:
  containers:
  - name: app
    image: app
    securityContext:
      privileged: true
  volumes:
  - name: cache
    hostPath: {path: /var}
`;
const OWN = 'configmap_a-x-default-x-dev.yaml';
const JOB = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: unlisted}\nspec: {}\n';

/** Two folders, the second with what a reviewer must not miss. */
function sides(files: Readonly<Record<string, string>>): string {
  const cwd = scratch();
  const package_ = read(twoTenants()) ?? {};
  for (const side of ['a', 'b']) for (const [path, text] of Object.entries(package_)) put(cwd, { [`${side}/${path}`]: text });
  for (const [path, text] of Object.entries(files)) put(cwd, { [`b/${path}`]: text });
  return cwd;
}

const REFUSED = { 'tenants/dev/objects/bad.yaml': BAD, 'tenants/dev/objects/job.yaml': `# a comment\n${JOB}` };

describe('an object that is added and reaches no host', () => {
  test('is told with every reason, and where each stands', async () => {
    const cwd = sides(REFUSED);
    const { code, out } = await tenantplane(['diff', 'a', 'b'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('would be refused: 1\n  ! Pod default/bad of team-dev/dev  b/tenants/dev/objects/bad.yaml:');
    expect(out).toMatch(/bad\.yaml:9 {2}TP3005 PrivilegedBlocked/);
    expect(out).toMatch(/bad\.yaml:12 {2}TP3004 HostPathBlocked/);
    expect(out).toContain(
      'newly out of scope: 1\n  . Job default/unlisted of team-dev/dev  b/tenants/dev/objects/job.yaml:2  TP2002 KindNotListed\n',
    );
    const { out: counts } = await tenantplane(['diff', 'a', 'b', '--summary'], { cwd });
    expect(counts).toContain('  1 new refusal, 0 gone\n  1 object newly out of scope\n');
    const { out: other } = await tenantplane(['diff', 'a', 'b', '--tenants', 'qa'], { cwd });
    expect(other).not.toMatch(/bad|unlisted/);
  });

  test.each(ANSWER_FORMATS)('in -o %s', async (format) => {
    const { out } = await tenantplane(['diff', 'a', 'b', '-o', format, '-v'], { cwd: sides(REFUSED) });
    for (const said of ['TP3004', 'TP3005', 'TP2002', 'bad.yaml', 'job.yaml']) expect(out, said).toContain(said);
    if (format === 'sarif') expect(out).toMatch(/bad\.yaml"[^}]*\}[^}]*"startLine": 9/);
    if (format === 'github') expect(out).toContain('file=b/tenants/dev/objects/bad.yaml,line=9,');
  });

  test('in the comment, from a document as well', async () => {
    const cwd = sides(REFUSED);
    const { out } = await tenantplane(['pr-comment', 'a', 'b'], { cwd });
    expect(out).toContain('**1 refused or held**, 1 out of scope');
    for (const said of ['TP3004', 'TP3005', 'TP2002', 'bad.yaml:9', 'bad.yaml:12', 'job.yaml:2']) expect(out, said).toContain(said);
    const { out: stdin } = await tenantplane(['diff', 'a', 'b', '-o', 'json'], { cwd });
    const { out: again } = await tenantplane(['pr-comment', '--from', '-', 'b'], { cwd, stdin });
    expect(again.replace(/`tenantplane diff [^`]*`/, '')).toBe(out.replace(/`tenantplane diff [^`]*`/, ''));
  });

  test('refused for more than before, it is new again; for the same, it is not', async () => {
    const cwd = sides({});
    put(cwd, {
      'a/tenants/dev/objects/bad.yaml': BAD.replace('privileged: true', 'privileged: false'),
      'b/tenants/dev/objects/bad.yaml': BAD,
    });
    expect((await tenantplane(['diff', 'a', 'b'], { cwd })).out).toContain('PrivilegedBlocked');
    put(cwd, { 'a/tenants/dev/objects/bad.yaml': BAD });
    expect(await tenantplane(['diff', 'a', 'b'], { cwd })).toMatchObject({ code: 0 });
  });
});

describe('a package that freezes or stops', () => {
  test.each([
    ['freezes', 'tenants/dev/objects/bad.yaml', 'TP9013'],
    ['stops', 'bad.yaml', 'TP9013'],
  ])('%s: an issue with its place in sarif, junit and github', async (_, path, reason) => {
    const cwd = sides({ [path]: '# a comment\na: [\n' });
    for (const format of ['sarif', 'junit', 'github', 'gitlab', 'ndjson', 'table', 'tree']) {
      const { code, out } = await tenantplane(['diff', 'a', 'b', '-o', format], { cwd });
      expect(code).toBe(1);
      expect(out, format).toContain(reason);
      expect(out, format).toContain(path);
    }
    expect((await tenantplane(['diff', 'a', 'b', '-o', 'junit'], { cwd })).out).toMatch(/errors="1"/);
    expect((await tenantplane(['diff', 'a', 'b'], { cwd })).out).toMatch(new RegExp(`^ {4}b/${path}:\\d+ {2}${reason} `, 'm'));
  });
});

/** The second side with a rendered tree. */
async function rendered(): Promise<string> {
  const cwd = sides({});
  await tenantplane(['render', 'a', '-q'], { cwd });
  await tenantplane(['render', 'b', '-q'], { cwd });
  return cwd;
}

const PLANTED = 'b/host/team-dev/evil.yaml';

/** A file of somebody else and one that somebody edited. */
function tampered(cwd: string): void {
  put(cwd, { [PLANTED]: 'kind: ClusterRoleBinding\n' });
  const file = join(cwd, 'b/host/team-dev', readdirSync(join(cwd, 'b/host/team-dev')).find((name) => name.startsWith('configmap_a')) ?? '');
  writeFileSync(file, readFileSync(file, 'utf8').replace('key: v', 'key: w'));
}

describe('a committed tree that is not what its package renders', () => {
  test('is told first, and is no change of the host', async () => {
    const cwd = await rendered();
    expect(await tenantplane(['diff', 'a', 'b'], { cwd })).toMatchObject({
      code: 0,
      out: 'a -> b\nno host object changes, isolation unchanged\n',
    });
    tampered(cwd);
    const { code, out } = await tenantplane(['diff', 'a', 'b'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^a -> b\n! the committed tree is not what its package renders: 1 not ours, 1 stale\n {2}! b\/host\/team-dev\/evil\.yaml {2}TP9040 TreeFileForeign\n {2}~ b\/host\/team-dev\/configmap_a-x-default-x-dev\.yaml\n {2}to mend it: move what is marked ! out of the tree, which is applied with it; then: tenantplane render b\nno host object changes/,
    );
    put(cwd, { 'b/tenants/dev/objects/more.yaml': configMap('more') });
    const more = await tenantplane(['diff', 'a', 'b'], { cwd });
    expect(more).toMatchObject({ code: 1 });
    // what the side before has the same comes after what somebody changed
    expect(more.out).toMatch(/1 not ours, \d+ stale, 1 missing\n.*evil\.yaml.*\n {2}~ b\/host\/team-dev\/configmap_a-x/);
    expect((await tenantplane(['diff', 'a', 'b', '--exit-code=false'], { cwd })).code).toBe(0);
  });

  test.each(ANSWER_FORMATS)('in -o %s', async (format) => {
    const cwd = await rendered();
    tampered(cwd);
    const { out } = await tenantplane(['diff', 'a', 'b', '-o', format], { cwd });
    expect(out).toContain('evil.yaml');
    expect(out).toContain('configmap');
  });

  test('in the comment', async () => {
    const cwd = await rendered();
    tampered(cwd);
    const { out } = await tenantplane(['pr-comment', 'a', 'b'], { cwd });
    expect(out).toContain('### tenantplane `b`: **the committed tree is not what its package renders**');
    expect(out).toContain(`\`${PLANTED}\``);
    const { out: stdin } = await tenantplane(['diff', 'a', 'b', '-o', 'json'], { cwd });
    expect((await tenantplane(['pr-comment', '--from', '-', 'b'], { cwd, stdin })).out).toContain(`\`${PLANTED}\``);
  });

  test('that is gone as a whole, too', async () => {
    const cwd = await rendered();
    rmSync(join(cwd, 'b/host'), { recursive: true });
    const { out } = await tenantplane(['diff', 'a', 'b'], { cwd });
    expect(out).toMatch(/the committed tree is not what its package renders: \d+ missing\n/);
  });

  test('beside a frozen tenant, whose own files are held to the side before', async () => {
    const cwd = await rendered();
    for (const side of ['a', 'b']) put(cwd, { [`${side}/tenants/dev/objects/broken.yaml`]: 'a: [\n' });
    expect((await tenantplane(['diff', 'a', 'b'], { cwd })).out).not.toContain('committed tree');
    tampered(cwd);
    const binding = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: evil}\n';
    const copy = readFileSync(join(cwd, 'a/host/team-dev', OWN), 'utf8').replaceAll('a-x-default', 'c-x-default');
    put(cwd, { 'b/host/platform/evil.yaml': binding, [`b/host/team-dev/${OWN.replace('a-x', 'c-x')}`]: copy });
    const { out } = await tenantplane(['diff', 'a', 'b'], { cwd });
    for (const planted of ['platform/evil.yaml', 'team-dev/evil.yaml', `team-dev/${OWN.replace('a-x', 'c-x')}`])
      expect(out).toContain(`  ! b/host/${planted}  TP9040 TreeFileForeign\n`);
    expect(out).toContain(`  ~ b/host/team-dev/${OWN}\n`);
    rmSync(join(cwd, 'b/host/team-dev', OWN));
    expect((await tenantplane(['diff', 'a', 'b'], { cwd })).out).toContain(`  + b/host/team-dev/${OWN}\n`);
    const check = await tenantplane(['render', 'b', '--check', '--fail-on', 'never'], { cwd });
    expect(check.code).toBe(4);
    expect(check.err + check.out).toContain('host/platform/evil.yaml');
  });

  test('of a commit too, links and other files included; without a tree nothing is said', async () => {
    const repo = repository();
    repo.commit(read(twoTenants()) ?? {});
    expect((await tenantplane(['diff', 'HEAD..HEAD'], { cwd: repo.root, env: ENV })).out).not.toContain('committed tree');
    await tenantplane(['render', '-q'], { cwd: repo.root });
    repo.commit({});
    expect((await tenantplane(['diff', 'HEAD~1..HEAD'], { cwd: repo.root, env: ENV })).out).not.toContain('committed tree');
    repo.commit({ 'host/.sourceignore': 'platform/\n' });
    appendFileSync(join(repo.root, 'host/.sourceignore'), 'not committed\n');
    const { code, out } = await tenantplane(['diff', 'HEAD~1..HEAD'], { cwd: repo.root, env: ENV });
    expect(code).toBe(0);
    expect(out).toContain('  ! host/.sourceignore  TP9040 TreeFileForeign\n');
  });
});

describe('a working tree whose package was edited', () => {
  const packed = async (): Promise<Repository> => {
    const repo = repository();
    repo.write({
      'platform.yaml': PLATFORM,
      'tenants/dev/tenant.yaml': tenantYaml('dev'),
      'tenants/dev/objects/a.yaml': configMap('a'),
    });
    await tenantplane(['render', '-q'], { cwd: repo.root });
    repo.commit({});
    repo.write({ 'tenants/dev/objects/a.yaml': configMap('a', 'w') });
    return repo;
  };

  test('and not rendered is told so, with the command that mends it', async () => {
    const { root } = await packed();
    const { out } = await tenantplane(['diff', 'HEAD'], { cwd: root });
    expect(out).toContain('! the working tree has edits of the package that are not rendered yet: 1 stale\n');
    expect(out).toContain('  to mend it: tenantplane render .\n');
    const comment = await tenantplane(['pr-comment', 'HEAD'], { cwd: root });
    expect(comment.out).toContain('**the working tree has edits of the package that are not rendered yet**');
    expect(comment.out).toContain('Render the package (tenantplane render) and commit the tree together with the edit.');
    expect(comment.out).not.toContain('committed tree is not');
    const { out: stdin } = await tenantplane(['diff', 'HEAD', '-o', 'json'], { cwd: root });
    expect((await tenantplane(['pr-comment', '--from', '-'], { cwd: root, stdin })).out).toContain(
      'edits of the package that are not rendered yet',
    );
    await tenantplane(['render', '-q', '.'], { cwd: root });
    expect((await tenantplane(['diff', 'HEAD'], { cwd: root })).out).not.toContain('not rendered');
  });

  test('and whose tree somebody edited too is told of the tree', async () => {
    const { root, write } = await packed();
    write({ 'host/team-dev/evil.yaml': 'kind: ClusterRoleBinding\n' });
    const { out } = await tenantplane(['diff', 'HEAD'], { cwd: root });
    expect(out).toContain('! the tree on the disk is not what its package renders: 1 not ours, 1 stale\n');
  });

  test('is the committed tree once it is committed', async () => {
    const { root, commit } = await packed();
    commit({});
    const { out } = await tenantplane(['diff', 'HEAD~1..HEAD'], { cwd: root });
    expect(out).toContain('! the committed tree is not what its package renders: 1 stale\n');
  });
});
