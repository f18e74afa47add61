import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configMap, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { type Repository, repository } from './review/repository.ts';
import { put, read, scratch } from './tree/disk.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };

interface Check {
  readonly check: string;
  readonly subject: string;
  readonly result: string;
  readonly detail: string;
}

async function verify(cwd: string, ...words: readonly string[]): Promise<{ code: number; commit: string; checks: readonly Check[] }> {
  const { code, out, err } = await tenantplane(['audit', 'verify', ...words, '-o', 'json'], { cwd, env: ENV });
  if (out === '') throw new Error(err);
  const { commit, checks } = JSON.parse(out);
  return { code, commit, checks };
}

const of = (checks: readonly Check[], result: string): readonly Check[] => checks.filter((check) => check.result === result);

/** A package in `fleet`, rendered with its ledger and committed. */
async function fleet(): Promise<Repository> {
  const repo = repository();
  for (const [path, text] of Object.entries(read(twoTenants()) ?? {})) put(repo.root, { [`fleet/${path}`]: text });
  await tenantplane(['render', 'fleet', '--ledger', '-q'], { cwd: repo.root });
  repo.commit({}, 'rendered');
  return repo;
}

describe('audit verify --commit', () => {
  test('verifies the commit, whatever the working tree holds, and touches nothing', async () => {
    const repo = await fleet();
    const good = repo.git('rev-parse', 'HEAD');
    repo.commit({ 'fleet/host/evil.json': '{}', 'fleet/tenants/dev/objects/new.yaml': configMap('new') });
    put(repo.root, { 'fleet/tenants/dev/objects/a.yaml': 'a: [\n' });
    rmSync(join(repo.root, 'fleet/host'), { recursive: true });
    const before = [read(repo.root), repo.git('status', '--porcelain')];
    expect(await verify(repo.root, 'fleet', '--commit', 'HEAD~1')).toMatchObject({ code: 0, commit: good });
    expect(of((await verify(repo.root, 'fleet', '--commit', good)).checks, 'ok').map(({ check }) => check)).toEqual([
      'commit',
      'tree',
      'ledger',
      'ledger',
    ]);
    const bad = await verify(repo.root, 'fleet', '--commit', 'HEAD');
    expect(bad.code).toBe(4);
    const failed = of(bad.checks, 'failed').map(({ subject }) => subject);
    expect(failed).toContain('fleet/host/evil.json');
    expect(failed).toContain('fleet/host/team-dev/configmap_new-x-default-x-dev.yaml');
    expect(failed).toContain('.tenantplane/team-dev.dev.ndjson');
    expect([read(repo.root), repo.git('status', '--porcelain')]).toEqual(before);
  });

  test('in a bare repository', async () => {
    const repo = await fleet();
    const bare = join(scratch(), 'bare.git');
    execFileSync('git', ['clone', '-q', '--bare', repo.root, bare]);
    expect(await verify(bare, 'fleet', '--commit', 'main')).toMatchObject({ code: 0 });
    expect(await verify(join(bare, 'refs'), '../fleet', '--commit', 'main')).toMatchObject({ code: 0 });
  });

  test.each([
    [['fleet', '--commit', 'nothing'], 2, 'no commit nothing'],
    [['other', '--commit', 'HEAD'], 2, 'has no folder other'],
    [['fleet', '--commit', 'HEAD', '--tree', 'fleet/host'], 2, '--commit looks at none'],
  ])('%j ends with %i', async (words, code, said) => {
    const result = await tenantplane(['audit', 'verify', ...words], { cwd: (await fleet()).root, env: ENV });
    expect(result.code).toBe(code);
    expect(result.err).toContain(said);
  });

  test('a config that is named is none of the commit’s', async () => {
    const repo = await fleet();
    put(repo.root, { 'config.yaml': 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: c}\nspec: {}\n' });
    const { checks } = await verify(repo.root, 'fleet', '--commit', 'HEAD', '--config', 'config.yaml');
    expect(of(checks, 'unproven').map(({ check }) => check)).toEqual(['commit']);
  });
});

describe('a platform package outside', () => {
  /** Tenants in one repository, the platform in another. */
  async function apart(): Promise<{ tenants: Repository; platform: Repository }> {
    const platform = repository();
    platform.commit({ 'platform.yaml': PLATFORM });
    const tenants = repository();
    put(tenants.root, { 'tenants/dev/tenant.yaml': tenantYaml('dev'), 'tenants/dev/objects/a.yaml': configMap('a') });
    await tenantplane(['render', '--platform', platform.root, '-q'], { cwd: tenants.root });
    tenants.commit({});
    return { tenants, platform };
  }

  test('is held against the commit of its own repository', async () => {
    const { tenants, platform } = await apart();
    for (const words of [[], ['--commit', 'HEAD']]) {
      const { checks, code } = await verify(tenants.root, '--platform', platform.root, ...words);
      expect(code).toBe(0);
      expect(checks.filter(({ check }) => check === 'commit').map(({ subject, result }) => [subject, result])).toEqual([
        [tenants.git('rev-parse', '--short=12', 'HEAD'), 'ok'],
        [platform.git('rev-parse', '--short=12', 'HEAD'), 'ok'],
      ]);
    }
    appendFileSync(join(platform.root, 'platform.yaml'), '# edited\n');
    const { checks } = await verify(tenants.root, '--platform', platform.root);
    expect(of(checks, 'unproven')[0]?.detail).toMatch(/^1 file of the platform .* is not as this commit has it: platform\.yaml$/);
  });

  test('of the same repository is read at the commit; a clone that lies in it is not of it', async () => {
    const { tenants, platform } = await apart();
    tenants.commit({ 'shared/platform.yaml': PLATFORM, '.krmignore': 'shared\ncloned\n' });
    rmSync(join(tenants.root, 'shared'), { recursive: true });
    expect(of((await verify(tenants.root, '--platform', 'shared', '--commit', 'HEAD')).checks, 'ok').length).toBeGreaterThan(2);
    execFileSync('git', ['clone', '-q', platform.root, join(tenants.root, 'cloned')]);
    const { checks } = await verify(tenants.root, '--platform', 'cloned', '--commit', 'HEAD');
    expect(checks[1]).toMatchObject({ subject: platform.git('rev-parse', '--short=12', 'HEAD'), result: 'ok' });
  });
});

describe('diff', () => {
  test('of a bare repository compares commits, whose package lies on no disk', async () => {
    const repo = await fleet();
    repo.commit({ 'fleet/tenants/dev/objects/new.yaml': configMap('new') });
    const bare = join(scratch(), 'bare.git');
    execFileSync('git', ['clone', '-q', '--bare', repo.root, bare]);
    const change = await tenantplane(['diff', 'main~1..main', 'fleet'], { cwd: bare, env: ENV });
    expect(change.code).toBe(1);
    expect(change.out).toContain('1 host object changes (+1) in 1 tenant');
    const { code, err } = await tenantplane(['diff', 'main'], { cwd: bare, env: ENV });
    expect(code).toBe(3);
    expect(err).toMatch(/is a bare repository: it has no working tree.*\n.*tenantplane diff A\.\.B PACKAGE/);
  });

  test('a submodule in the package is an error, not a deletion; one that holds the tree or is ignored is none', async () => {
    const other = repository();
    other.commit({ 'b.yaml': configMap('b') });
    const repo = await fleet();
    const add = (path: string): void => {
      mkdirSync(join(repo.root, path, '..'), { recursive: true });
      repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.root, path);
      repo.commit({});
    };
    add('fleet/host/theirs');
    expect((await tenantplane(['diff', 'HEAD~1..HEAD', 'fleet'], { cwd: repo.root, env: ENV })).out).toContain('1 not ours');
    add('fleet/tenants/dev/objects/shared');
    const { code, err } = await tenantplane(['diff', 'HEAD~1..HEAD', 'fleet'], { cwd: repo.root, env: ENV });
    expect(code).toBe(3);
    expect(err).toContain('tenants/dev/objects/shared at HEAD is a submodule');
    const inside = await tenantplane(['diff', 'HEAD..HEAD', 'fleet/tenants/dev/objects/shared'], { cwd: repo.root, env: ENV });
    expect([inside.code, inside.err]).toEqual([3, expect.stringContaining('fleet/tenants/dev/objects/shared at HEAD is a submodule')]);
    repo.commit({ 'fleet/.krmignore': 'shared\n' });
    expect((await tenantplane(['diff', 'HEAD..HEAD', 'fleet'], { cwd: repo.root, env: ENV })).code).toBe(0);
  });

  test('a tree in a submodule is none that a commit could be verified by', async () => {
    const repo = await fleet();
    const tree = repository();
    for (const name of readdirSync(join(repo.root, 'fleet/host'))) put(tree.root, { [`${name}/x.yaml`]: 'a: b\n' });
    tree.commit({});
    repo.git('rm', '-rq', 'fleet/host');
    repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', tree.root, 'fleet/host');
    repo.commit({});
    const { code, err } = await tenantplane(['audit', 'verify', 'fleet', '--commit', 'HEAD'], { cwd: repo.root, env: ENV });
    expect([code, err]).toEqual([3, expect.stringContaining('lies in a submodule, fleet/host')]);
  });
});
