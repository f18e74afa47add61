import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deployment } from '../../core/review/reviews.ts';
import { EXAMPLES } from '../../support/example.ts';
import { devPackage, profile } from '../../support/observe.ts';
import { tenantplane } from '../harness.ts';
import { put, read, scratch } from '../tree/disk.ts';
import { type Repository, repository } from './repository.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };
const below = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
const WEB = 'fleet/tenants/dev/objects/web.yaml';

/** from 1 */
const IMAGE_LINE =
  deployment('web')
    .split('\n')
    .findIndex((line) => line.includes('image:')) + 1;

/** A fleet in a subfolder of a repository, with a branch that changes an image. */
function branched(): Repository {
  const repo = repository();
  repo.commit(below('fleet', devPackage({ 'web.yaml': deployment('web') })));
  repo.git('switch', '-qc', 'feature');
  repo.commit({ [WEB]: `# a comment\n${deployment('web', 'registry.example/web:2')}` });
  return repo;
}

const diff = (repo: Repository, ...words: readonly string[]) => tenantplane(['diff', ...words], { cwd: repo.root, env: ENV });

describe('diff of refs', () => {
  test('names the edit by file and line at the head, its field, and what it does', async () => {
    const repo = branched();
    const { code, out } = await diff(repo, 'main..feature', 'fleet');
    expect(code).toBe(1);
    expect(out).toContain('1 host object changes (~1) in 1 tenant, isolation unchanged\n  1 workload restarts\n');
    expect(out).toContain(`Deployment default/web of team-dev/dev  ${WEB}:${IMAGE_LINE + 1}\n`);
    expect(out).toContain('spec.template.spec.containers[app].image: registry.example/web:1 -> registry.example/web:2');
  });

  test('reads commits and touches neither working tree nor index', async () => {
    const repo = branched();
    repo.write({ 'fleet/tenants/dev/objects/more.yaml': deployment('more') });
    const before = [read(join(repo.root, 'fleet')), repo.git('status', '--porcelain'), repo.git('rev-parse', 'HEAD')];
    expect((await diff(repo, 'main..feature', 'fleet', '--summary')).out).toContain('1 host object changes');
    expect([read(join(repo.root, 'fleet')), repo.git('status', '--porcelain'), repo.git('rev-parse', 'HEAD')]).toEqual(before);
  });

  test('A...B begins at the merge base, A..B does not', async () => {
    const repo = branched();
    repo.git('switch', '-q', 'main');
    repo.commit({ 'fleet/tenants/dev/objects/other.yaml': deployment('other') });
    const kinds = async (range: string): Promise<string[]> =>
      JSON.parse((await diff(repo, range, 'fleet', '-o', 'json')).out).changes.map((change: { verb: string }) => change.verb);
    expect(await kinds('main...feature')).toEqual(['changed']);
    expect(new Set(await kinds('main..feature'))).toEqual(new Set(['changed', 'removed']));
  });

  test.each([
    [[], 'HEAD'],
    [['main'], 'main'],
  ])('diff %j compares with the working tree', async (words, label) => {
    const repo = branched();
    repo.write({ [WEB]: deployment('web', 'registry.example/web:3') });
    const { out } = await tenantplane(['diff', ...words], { cwd: join(repo.root, 'fleet'), env: ENV });
    expect(out).toMatch(new RegExp(`^${label} \\([0-9a-f]{12}\\) -> working tree\n1 host object changes`));
    expect(out).toContain('-> registry.example/web:3');
  });

  test('a package that the change adds is new as a whole, one that it removes is deleted as a whole, one that neither side has is an error', async () => {
    const repo = branched();
    const before = repo.git('rev-parse', 'HEAD');
    repo.git('mv', 'fleet', 'added');
    repo.commit({}, 'another place');
    const range = `${before}...HEAD`;
    const added = await tenantplane(['diff', range, 'added', '-o', 'json'], { cwd: repo.root, env: ENV });
    expect(added.code, added.err).toBe(1);
    const { items, changes } = JSON.parse(added.out);
    const verbs = (items ?? changes).map(({ verb }: { verb: string }) => verb);
    expect([verbs.length > 3, new Set(verbs)]).toEqual([true, new Set(['added'])]);
    for (const folder of ['not there', 'empty']) {
      if (folder === 'empty') mkdirSync(join(repo.root, 'fleet'));
      const gone = await tenantplane(['diff', range, 'fleet', '-o', 'json'], { cwd: repo.root, env: ENV });
      expect(gone.code, gone.err).toBe(1);
      const { changes: deleted, stopped } = JSON.parse(gone.out);
      expect([new Set(deleted.map(({ verb }: { verb: string }) => verb)), stopped ?? []]).toEqual([new Set(['removed']), []]);
      expect(deleted).toHaveLength(verbs.length);
    }
    const comment = await tenantplane(['pr-comment', range, 'fleet'], { cwd: repo.root, env: ENV });
    expect([comment.code, comment.err]).toEqual([0, '']);
    expect(comment.out).not.toContain('and/or 1 more');
    // the first thing that is told
    expect(comment.out).toMatch(/^.*\n### tenantplane `fleet`: \d+ host objects change.*\n\n\*\*Deletes: \d+ objects\*\*\n/);
    mkdirSync(join(repo.root, 'nowhere'));
    const none = await tenantplane(['diff', range, 'nowhere'], { cwd: repo.root, env: ENV });
    expect([none.code, none.err]).toEqual([2, expect.stringMatching(/HEAD \([0-9a-f]{12}\) has no folder nowhere/)]);
  });

  test('two words that are no folders are two refs', async () => {
    expect((await diff(branched(), 'main', 'feature', 'fleet', '--summary')).out).toMatch(/^main .* -> feature .*\n1 host object/);
  });

  test('a side that is the same ends with 0, a difference with 1 unless nobody asks for it', async () => {
    const repo = branched();
    expect((await diff(repo, 'main..main', 'fleet')).code).toBe(0);
    expect((await diff(repo, 'main..feature', 'fleet')).code).toBe(1);
    expect((await diff(repo, 'main..feature', 'fleet', '--exit-code=false')).code).toBe(0);
  });

  test('--by-reason has the code with its cause', async () => {
    const { out } = await diff(branched(), 'main..feature', 'fleet', '--by-reason');
    expect(out).toContain('  TP2001 PolicyMatched  ~1  in 1 tenant\n    cause: Deployment default/web of team-dev/dev\n');
  });

  test('one edit is told once for all objects that change alike', async () => {
    const repo = branched();
    repo.commit({ 'fleet/platform/profile.yaml': profile('restricted', 'sandboxed') });
    const { out } = await diff(repo, 'feature~1..feature', 'fleet');
    expect(out.match(/^IsolationProfile restricted {2}fleet\/platform\/profile\.yaml:5$/gm)).toHaveLength(1);
    expect(out).toContain('    spec.level: restricted -> sandboxed\n');
    expect(out).toContain('  stronger  controls.runtimeClassName: not declared -> kata-qemu  for team-dev/dev');
  });

  test('--check no-weaker-isolation ends with 5 and says why', async () => {
    const repo = branched();
    repo.commit({ 'fleet/platform/profile.yaml': profile('restricted', 'baseline') });
    const { code, err } = await diff(repo, 'main..feature', 'fleet', '--check', 'no-weaker-isolation');
    expect(code).toBe(5);
    expect(err).toContain('refused: TP3009 IsolationWeakened: controls.podSecurity from restricted to baseline for team-dev/dev\n');
    const { out } = await diff(repo, 'main..feature', 'fleet', '-o', 'github');
    expect(out).toContain('TP3009 IsolationWeakened');
    expect(out).toContain('controls.podSecurity of tenant team-dev/dev is weaker: restricted to baseline.');
    expect((await diff(repo, 'feature..main', 'fleet', '--check', 'no-weaker-isolation')).code).toBe(1);
  });
});

describe('two edits in one commit', () => {
  const SET = '    - { apiVersion: apps/v1, kind: StatefulSet, direction: toHost }\n';
  function shop(): Repository {
    const repo = repository();
    cpSync(join(EXAMPLES, 'shop'), repo.root, { recursive: true });
    repo.commit({});
    const text = (file: string): string => readFileSync(join(repo.root, file), 'utf8');
    expect(text('platform/policies.yaml')).toContain(SET);
    repo.commit({
      'platform/profiles.yaml': text('platform/profiles.yaml').replace('level: restricted', 'level: sandboxed'),
      'platform/policies.yaml': text('platform/policies.yaml').replace(SET, ''),
    });
    return repo;
  }

  test('are each blamed for what they did', async () => {
    const { out } = await diff(shop(), 'main~1..main', '-o', 'json');
    const changes: readonly { verb: string; host: { kind: string }; causes: string[] }[] = JSON.parse(out).changes;
    const of = (kind: string): string[][] => changes.filter(({ host }) => host.kind === kind).map(({ causes }) => causes);
    expect(of('StatefulSet')).toEqual([['SyncPolicy/applications']]);
    expect(of('LimitRange')).toEqual([['IsolationProfile/restricted']]);
    expect(new Set(of('Deployment').flat())).toEqual(new Set(['IsolationProfile/restricted']));
  });

  test('stand each in the comment with what they did', async () => {
    const { out } = await tenantplane(['pr-comment', 'main~1..main'], { cwd: shop().root, env: ENV });
    expect(out).toMatch(
      /\*\*Deletes: 2 objects\*\*\n\n.*`platform\/profiles\.yaml:6`.*\n.*\n\* 1 object by `platform\/policies\.yaml:\d+`.*\n.*StatefulSet/,
    );
  });
});

describe('diff says what is wrong', () => {
  test.each([
    ['an unknown ref', ['nope..main', 'fleet'], 2, 'The repository has no commit nope'],
    ['a ref that would be a flag', ['--base', 'fleet'], 2, '--base and --head name both sides'],
    ['a path that neither ref has', ['main..feature', 'new'], 2, 'feature ('],
    ['three refs', ['main', 'feature', 'main'], 2, 'It is not clear what to compare'],
  ])('%s', async (_, words, code, text) => {
    const repo = branched();
    mkdirSync(join(repo.root, 'new'));
    const result = await diff(repo, ...words);
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(text)]);
    expect(result.err).toContain('try: ');
  });

  test('a folder outside any repository', async () => {
    const { code, err } = await tenantplane(['diff', 'main..HEAD'], { cwd: scratch(), env: ENV });
    expect([code, err]).toEqual([3, expect.stringContaining('is in no git repository')]);
  });

  test('a shallow clone, and how to get the rest', async () => {
    const repo = branched();
    const clone = join(scratch(), 'clone');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${repo.root}`, clone]);
    const { code, err } = await tenantplane(['diff', 'HEAD~1..HEAD', 'fleet'], { cwd: clone, env: ENV });
    expect([code, err]).toEqual([3, expect.stringContaining('it is a shallow clone')]);
    expect(err).toContain('git fetch --unshallow');
  });

  test('a Git LFS pointer', async () => {
    const repo = branched();
    repo.commit({ [WEB]: 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n' });
    const { code, err } = await diff(repo, 'main..feature', 'fleet');
    expect([code, err]).toEqual([3, expect.stringContaining('tenants/dev/objects/web.yaml at feature is a Git LFS pointer')]);
  });

  test('a link that leaves the package freezes as it does in a folder', async () => {
    const repo = branched();
    symlinkSync('/etc/hosts', join(repo.root, 'fleet/tenants/dev/objects/link.yaml'));
    repo.commit({});
    const { out } = await diff(repo, 'main..feature', 'fleet');
    expect(out).toContain('! team-dev/dev is frozen');
  });
});

describe('a change after which less is rendered', () => {
  const BAD = 'fleet/tenants/dev/objects/bad.yaml';
  const lines = (out: string): string | undefined => out.split('\n')[1];

  test('says first that a tenant would be frozen, and is a difference', async () => {
    const repo = branched();
    repo.commit({ [WEB]: deployment('web'), [BAD]: 'a: [\n' });
    const { code, out } = await diff(repo, 'main..feature', 'fleet');
    expect([code, lines(out)]).toEqual([1, '1 tenant would be frozen']);
    const checked = await diff(repo, 'main..feature', 'fleet', '--check', 'no-weaker-isolation');
    expect([checked.code, checked.err]).toEqual([
      5,
      expect.stringContaining('refused: isolation is not known: 1 tenant would be frozen\n'),
    ]);
    const comment = await tenantplane(['pr-comment', 'main..feature', 'fleet'], { cwd: repo.root, env: ENV });
    expect(comment.out).toContain('### tenantplane `fleet`: **1 tenant frozen**\n');
    repo.commit({ 'fleet/README.md': 'more' });
    const later = await diff(repo, 'feature~1..feature', 'fleet', '--check', 'no-weaker-isolation');
    expect([later.code, lines(later.out)]).toEqual([0, 'no host object changes, isolation unchanged']);
  });

  test('says first that nothing would be written', async () => {
    const repo = branched();
    repo.commit({ [WEB]: deployment('web'), 'fleet/platform/profile.yaml': 'a: [\n' });
    const { code, out } = await diff(repo, 'main..feature', 'fleet');
    expect([code, lines(out)]).toEqual([1, expect.stringMatching(/^nothing would be written/)]);
    expect(lines(out)).not.toContain('unchanged');
    const checked = await diff(repo, 'main..feature', 'fleet', '--check', 'no-weaker-isolation');
    expect([checked.code, checked.err]).toEqual([
      5,
      expect.stringContaining('refused: isolation is not known: nothing would be written\n'),
    ]);
  });
});

describe('a tenant that was frozen', () => {
  test('has what the committed tree holds of it, so that mending it is no addition', async () => {
    const repo = repository();
    repo.write(below('fleet', devPackage({ 'web.yaml': deployment('web') })));
    expect((await tenantplane(['render', 'fleet'], { cwd: repo.root })).code).toBe(0);
    repo.commit({ 'fleet/tenants/dev/objects/bad.yaml': 'a: [\n' });
    repo.git('switch', '-qc', 'feature');
    repo.commit({ 'fleet/tenants/dev/objects/bad.yaml': undefined });
    const { code, out } = await diff(repo, 'main..feature', 'fleet');
    expect([code, out]).toEqual([0, expect.stringContaining('no host object changes')]);
    repo.commit({ [WEB]: deployment('web', 'registry.example/web:2') });
    expect((await diff(repo, 'main..feature', 'fleet')).out).toContain('1 host object changes (~1) in 1 tenant');
  });
});

describe('diff of folders and stdin', () => {
  const sides = (): string => {
    const root = scratch();
    put(root, below('a', devPackage({ 'web.yaml': deployment('web') })));
    put(root, below('b', devPackage({ 'web.yaml': deployment('web', 'registry.example/web:2') })));
    return root;
  };

  test.each([[['a', 'b']], [['--base', 'a', '--head', 'b']]])('%j', async (words) => {
    const { code, out } = await tenantplane(['diff', ...words], { cwd: sides() });
    expect(code).toBe(1);
    expect(out).toMatch(/^a -> b\n1 host object changes/);
    expect(out).toContain(`b/tenants/dev/objects/web.yaml:${IMAGE_LINE}\n`);
  });

  const stream = (image: string): string =>
    Object.entries(devPackage({ 'web.yaml': deployment('web', image) }))
      .map(([path, text]) =>
        text
          .replace('metadata: {', `metadata: {annotations: {internal.config.kubernetes.io/path: ${path}}, `)
          .replace('metadata:\n', `metadata:\n  annotations: {internal.config.kubernetes.io/path: ${path}}\n`),
      )
      .join('---\n');
  const list = (image: string): string =>
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${stream(image)
      .split('---\n')
      .map((text) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`)
      .join('')}`;

  test.each([
    ['a stream of documents', stream],
    ['a ResourceList', list],
  ])('%s from stdin', async (_, make) => {
    const cwd = sides();
    const same = await tenantplane(['diff', 'a', '-'], { cwd, stdin: make('registry.example/web:1') });
    expect([same.code, same.out]).toEqual([0, 'a -> stdin\nno host object changes, isolation unchanged\n']);
    expect((await tenantplane(['diff', 'a', '-'], { cwd, stdin: make('registry.example/web:9') })).out).toContain(
      '-> registry.example/web:9',
    );
  });

  test('an object of stdin that says no path is an error', async () => {
    const { code, err } = await tenantplane(['diff', 'a', '-'], { cwd: sides(), stdin: deployment('web') });
    expect([code, err]).toEqual([2, expect.stringContaining('does not say in which file it lies')]);
  });
});
