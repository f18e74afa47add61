import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CHECKS } from '../../src/cli/doctor/diagnosis.ts';
import { configMap, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

interface Report {
  readonly checks: readonly { id: keyof typeof CHECKS; name: string; result: string; what: string; fix: string | null }[];
}

let root: string;
const git = (...words: string[]): string => execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' });
const doctor = async (...flags: string[]): Promise<{ code: number; checks: Report['checks'] }> => {
  const { code, out, err } = await tenantplane(['doctor', '-o', 'json', ...flags], { cwd: root });
  expect(err).toBe('');
  const report: Report = JSON.parse(out);
  return { code, checks: report.checks };
};
const bad = (checks: Report['checks']): string[] =>
  checks.flatMap(({ id, result }) => (result === 'fail' || result === 'warn' ? [`${id} ${result}`] : []));

beforeEach(async () => {
  root = twoTenants();
  await tenantplane(['render', '-q'], { cwd: root });
});

describe('a repository', () => {
  test('that is as it should be', async () => {
    git('init', '-q');
    const { code, checks } = await doctor();
    expect(bad(checks)).toEqual([]);
    expect(code).toBe(0);
    expect(checks.every(({ id, name }) => CHECKS[id] === name)).toBe(true);
  });

  test.each<[string, () => void, string]>([
    ['with a file that does not parse', () => writeFileSync(join(root, 'tenants/dev/objects/x.yaml'), 'a: ['), 'TPD101 fail'],
    ['with an object that is refused', () => writeFileSync(join(root, 'tenants/dev/objects/x.yaml'), REFUSED), 'TPD101 warn'],
    [
      'with an edited tree',
      () => appendFileSync(join(root, 'host/config', readdirSync(join(root, 'host/config'))[0] ?? ''), '#\n'),
      'TPD102 fail',
    ],
    ['that ignores its tree', () => writeFileSync(join(root, '.gitignore'), 'host/\n'), 'TPD104 fail'],
    ['that hides its network policies from Flux', () => writeFileSync(join(root, '.sourceignore'), '**/networkpolicy*\n'), 'TPD106 fail'],
    [
      'that hides the tree from Flux, but for a part',
      () => writeFileSync(join(root, '.sourceignore'), '/*\n!/host/config\n'),
      'TPD106 fail',
    ],
    [
      'that hides a folder inside the tree from Flux',
      () => writeFileSync(join(root, 'host/team-dev/.sourceignore'), 'limitrange_*\n'),
      'TPD106 fail',
    ],
    ['that hides files of the tree from kpt', () => writeFileSync(join(root, '.krmignore'), 'host/team-dev/network*\n'), 'TPD106 fail'],
    ['that hides them by a class of characters', () => writeFileSync(join(root, '.sourceignore'), '[n]etworkpolicy*\n'), 'TPD106 fail'],
    ['that checks out Windows line ends', () => writeFileSync(join(root, '.gitattributes'), '* text eol=crlf\n'), 'TPD105 warn'],
    ['that is set to convert line ends', () => void git('config', 'core.autocrlf', 'true'), 'TPD105 warn'],
  ])('%s', async (_, breakIt, found) => {
    git('init', '-q');
    breakIt();
    const { code, checks } = await doctor();
    expect(bad(checks)).toContain(found);
    expect(code).toBe(1);
    expect(checks.find(({ id }) => found.startsWith(id))?.fix).not.toBeNull();
  });

  test('around the package that hides its tree from Flux', async () => {
    const around = scratch();
    put(around, {
      '.sourceignore': 'fleet/host/team-dev/\n',
      'fleet/platform/profiles.yaml': PLATFORM,
      'fleet/tenants/dev/tenant.yaml': tenantYaml('dev'),
      'fleet/tenants/dev/objects/a.yaml': configMap('a'),
    });
    execFileSync('git', ['-C', around, 'init', '-q']);
    root = join(around, 'fleet');
    await tenantplane(['render', '-q'], { cwd: root });
    expect(bad((await doctor()).checks)).toEqual(['TPD106 fail']);
    writeFileSync(join(around, '.sourceignore'), '# nothing of the tree\nfleet/tenants/\n*.md\n');
    expect(bad((await doctor()).checks)).toEqual([]);
  });

  test('of one tenant, with one error, is told in the singular', async () => {
    rmSync(join(root, 'tenants/qa'), { recursive: true });
    await tenantplane(['render', '-q'], { cwd: root });
    expect((await tenantplane(['doctor'], { cwd: root })).out).toContain('1 tenant renders');
    writeFileSync(join(root, 'tenants/dev/objects/x.yaml'), 'a: [');
    expect((await tenantplane(['doctor'], { cwd: root })).out).toContain('1 error stops the render or freezes a tenant');
  });

  test('whose attributes keep the bytes of the tree is not complained about', async () => {
    git('init', '-q');
    git('config', 'core.autocrlf', 'true');
    writeFileSync(join(root, '.gitattributes'), 'host/** -text\n');
    expect(bad((await doctor()).checks)).toEqual([]);
  });

  test('without git is unknown, and fails nothing', async () => {
    const { code, checks } = await doctor();
    expect(checks.filter(({ result }) => result === 'unknown').map(({ id }) => id)).toEqual(['TPD104', 'TPD301']);
    expect(checks.filter(({ result, fix }) => result !== 'ok' && fix === '')).toEqual([]);
    expect(code).toBe(0);
  });

  test('that is no folder, and a host that does not answer, are errors', async () => {
    expect((await tenantplane(['doctor', 'nowhere'], { cwd: root })).code).toBe(2);
    const ran = await tenantplane(['doctor', '--kubeconfig', '/dev/null'], { cwd: root });
    expect(ran.code).toBe(3);
  });
});

test('a folder that holds nothing of ours is an error, as it is for the other questions', async () => {
  const { code, out, err } = await tenantplane(['doctor'], { cwd: scratch() });
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('There is no TenantCluster, and nothing else that is tenantplane’s');
});

test('a folder whose only file does not parse is told of', async () => {
  root = scratch();
  put(root, { 'tenant.yaml': 'a: [' });
  expect(bad((await doctor()).checks)).toContain('TPD101 fail');
});

describe('a package of tenants alone', () => {
  beforeEach(async () => {
    root = scratch();
    put(root, {
      'platform/profiles.yaml': PLATFORM,
      'shop/tenants/dev/tenant.yaml': tenantYaml('dev'),
      'shop/tenants/dev/objects/a.yaml': configMap('a'),
    });
    await tenantplane(['render', '-q', 'platform', '--allow-empty'], { cwd: root });
    await tenantplane(['render', '-q', 'shop', '--platform', 'platform'], { cwd: root });
  });

  test('without --platform is asked for it, and nothing of its tree is called up to date', async () => {
    const { code, checks } = await doctor('shop');
    expect(code).toBe(1);
    expect(checks.slice(0, 2)).toMatchObject([
      {
        id: 'TPD101',
        result: 'fail',
        what: expect.stringContaining('--platform is not given'),
        fix: expect.stringContaining('--platform PATH'),
      },
      { id: 'TPD102', result: 'unknown', what: expect.stringContaining('frozen'), fix: 'tenantplane doctor shop --platform PATH' },
    ]);
    expect(bad((await doctor('shop', '--platform', 'platform')).checks)).toEqual([]);
  });

  test('with it, the fixes name it too', async () => {
    put(root, { 'shop/tenants/dev/objects/a.yaml': configMap('b') });
    const { checks } = await doctor('shop', '--platform', 'platform');
    expect(checks.find(({ id }) => id === 'TPD102')?.fix).toBe('tenantplane render shop --platform platform');
  });

  test.each(['render', 'validate'])('%s without --platform says to name it before it says to create anything', async (command) => {
    const { err, out } = await tenantplane([command, 'shop'], { cwd: root });
    for (const kind of ['IsolationProfile', 'SyncPolicy'])
      expect(err + out).toMatch(new RegExp(`--platform PATH\\. Else\\s+create ${kind}`));
  });
});

describe('what applies the tree', () => {
  let gitops = '';
  const sees = async (...documents: string[]): Promise<string[]> => {
    gitops = scratch();
    mkdirSync(join(gitops, 'apps'));
    writeFileSync(join(gitops, 'apps/a.yaml'), documents.join('\n---\n'));
    return (await doctor('--gitops', gitops)).checks.flatMap(({ id, result, what }) =>
      id.startsWith('TPD3') ? [`${id} ${result} ${what}`] : [],
    );
  };
  const application = (spec: string, path = 'fleet/host/team-dev'): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec:\n  source: {repoURL: x, path: ${path}, directory: {recurse: true}}\n${spec}`;
  const GOOD = '  syncPolicy: {automated: {prune: true}, syncOptions: [ServerSideApply=true]}\n';
  const kustomization = (spec: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: flux-system}\nspec:\n  path: ./fleet/host/team-dev\n  prune: true\n${spec}`;

  test('what we print ourselves is right', async () => {
    const words = ['--repo', 'https://git.example.com/x.git', '--path', 'host'];
    const applications = await tenantplane(['render', 'application', '.', ...words], { cwd: root });
    const set = await tenantplane(['render', 'applicationset', '.', ...words], { cwd: root });
    const flux = await tenantplane(['render', 'kustomization', '.', '--source', 'GitRepository/x', '--path', 'host'], { cwd: root });
    git('init', '-q');
    git('remote', 'add', 'origin', 'git@git.example.com:x.git');
    for (const { out, code } of [applications, set, flux]) {
      expect(code).toBe(0);
      const found = await sees(out, gitRepository('x'));
      expect(found.filter((line) => !/^TPD30\d ok/.test(line))).toEqual([]);
      expect(found.length).toBeGreaterThan(1);
    }
  });

  test.each<[string, string, RegExp]>([
    [
      'replaces',
      application('  syncPolicy: {syncOptions: [ServerSideApply=true, Replace=true]}\n'),
      /^TPD302 fail Application argocd\/a syncs with Replace=true/,
    ],
    ['applies on the client', application('  syncPolicy: {automated: {prune: true}}\n'), /^TPD302 warn .*does not apply on the server/],
    [
      'does not prune',
      application('  syncPolicy: {automated: {}, syncOptions: [ServerSideApply=true]}\n'),
      /^TPD302 warn .*does not prune/,
    ],
    ['rewrites', application(GOOD).replace('directory: {recurse: true}', 'kustomize: {namePrefix: x-}'), /^TPD302 fail .*changes names/],
    [
      'reads one folder of a deeper tree',
      application(GOOD, 'fleet/host').replace('recurse: true', 'recurse: false'),
      /^TPD302 fail .*reads one folder only/,
    ],
    ['forces', kustomization('  force: true\n'), /^TPD303 fail Kustomization flux-system\/k has force: true/],
    ['moves objects', kustomization('  targetNamespace: other\n'), /^TPD303 fail .*moves or renames/],
    ['keeps what left', kustomization('').replace('prune: true', 'prune: false'), /^TPD303 warn .*does not prune/],
    ['tracks by label', argocd('application.resourceTrackingMethod: label'), /^TPD304 warn .*tracks by label/],
    [
      'leaves kinds out',
      argocd("resource.exclusions: |\n    - {apiGroups: ['', 'discovery.*'], kinds: [Config*], clusters: ['*']}\n"),
      /^TPD305 fail .*leaves out \d+ ConfigMap/,
    ],
    [
      'is not trusted',
      argocd('x: y').replace('namespace: argocd', 'namespace: gitops'),
      /^TPD306 fail system:serviceaccount:gitops:argocd-application-controller is not among/,
    ],
  ])('an applier that %s', async (_, document, found) => {
    expect(await sees(document)).toContainEqual(expect.stringMatching(found));
  });

  test('an applier of another tree is none of ours', async () => {
    expect(await sees(application('', 'shop/manifests'))).toEqual([
      expect.stringMatching(/^TPD301 unknown/),
      expect.stringMatching(/^TPD307 warn nothing .* applies host\/config, host\/platform, host\/team-dev, host\/team-qa$/),
    ]);
  });

  const printed = async (...words: string[]): Promise<string[]> => {
    const { code, out } = await tenantplane(['render', ...words, '--path', 'host'], { cwd: root });
    expect(code).toBe(0);
    return out.split(/^---\n/m).filter((text) => text !== '');
  };
  const remote = (): void => {
    git('init', '-q');
    git('remote', 'add', 'origin', 'https://git.example.com/x.git');
  };

  test('a folder that no Kustomization applies is named, with the command that prints it', async () => {
    remote();
    const all = await printed('kustomization', '--name', 'shop', '--source', 'GitRepository/x');
    const kept = all.filter((text) => !/path: .{0,1}\.\/host\/(team-qa|config)/.test(text));
    expect([all.length, kept.length]).toEqual([6, 3]);
    const found = await sees(...kept, gitRepository('x'));
    expect(found).toContain('TPD301 ok 3 Kustomizations');
    expect(found).toContain('TPD307 warn nothing that was found applies host/config, host/team-qa');
    const last = (await doctor('--gitops', gitops)).checks.find(({ id }) => id === 'TPD307')?.fix ?? '';
    expect(last).toBe('Print what does: tenantplane render kustomization . --name shop --source GitRepository/x --path host');
    expect(
      await printed(
        ...last
          .replace(/^.*?render /, '')
          .replace(' --path host', '')
          .split(' '),
      ),
    ).toEqual(all);
  });

  test('half of a tenant that no Kustomization applies is counted', async () => {
    remote();
    const all = await printed('kustomization', '--source', 'GitRepository/x');
    const kept = all.filter((text) => !/name: tenantplane-team-qa\.isolation\n {2}namespace/.test(text));
    expect(kept.length).toBe(all.length - 1);
    expect(await sees(...kept, gitRepository('x'))).toContainEqual(
      expect.stringMatching(/^TPD307 warn nothing .* applies host\/team-qa \(\d+ of \d+ objects\)$/),
    );
  });

  test('a shard that no Kustomization applies is named', async () => {
    remote();
    put(root, {
      'render.yaml': 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: render}\nspec: {output: {shards: 2}}\n',
    });
    await tenantplane(['render', '-q'], { cwd: root });
    const all = await printed('kustomization', '--source', 'GitRepository/x');
    const [shard = ''] = all.flatMap((text) => /host\/team-dev\/shard-\d+/.exec(text) ?? []);
    expect(shard).not.toBe('');
    const found = await sees(...all.filter((text) => !text.includes(`./${shard}`)), gitRepository('x'));
    expect(found).toContain(`TPD307 warn nothing that was found applies ${shard}`);
  });

  test('the tenants of an ApplicationSet are those that its globs find', async () => {
    remote();
    const all = await printed('applicationset', '--repo', 'https://git.example.com/x.git');
    expect(await sees(...all)).toContain('TPD307 ok 4 folders of the tree, each applied');
    const set = all.map((text) => text.replace('- path: host/platform', '- path: host/team-qa'));
    expect(await sees(...set)).toContain('TPD307 warn nothing that was found applies host/team-qa');
    expect(await sees(...all.filter((text) => !text.includes('kind: ApplicationSet')))).toContain(
      'TPD307 warn nothing that was found applies host/team-dev, host/team-qa',
    );
  });

  test('the same path in another repository, or another folder of this one, is another package’s', async () => {
    remote();
    const words = ['application', '--repo', 'https://git.example.com/platform.git'];
    const others = await printed(...words);
    const found = await sees(...others);
    expect(found[0]).toBe(`TPD301 unknown ${NONE_SEEN} (4 others of another package, from git.example.com/platform)`);
    expect(found[1]).toMatch(/^TPD307 warn .*host\/config, host\/platform, host\/team-dev, host\/team-qa$/);
    const ours = await printed('application', '--repo', 'ssh://git@git.example.com:22/x');
    expect((await sees(...others, ...ours))[0]).toBe(
      'TPD301 ok 4 Applications (4 others of another package, from git.example.com/platform)',
    );
    const moved = ours.map((text) => text.replace('path: host/', 'path: fleet/host/'));
    expect((await sees(...moved))[0]).toBe(`TPD301 unknown ${NONE_SEEN} (4 others of another package, from git.example.com/x)`);
  });

  test('what cannot be compared is not called ok', async () => {
    const flux = await printed('kustomization', '--source', 'GitRepository/x');
    remote();
    const found = await sees(...flux);
    expect(found[0]).toMatch(/^TPD301 unknown 6 Kustomizations .* the source is not among what was seen/);
    expect(found[1]).toBe('TPD307 unknown 4 folders of 4 may be applied by what reads another repository');
    git('remote', 'remove', 'origin');
    expect((await sees(...flux, gitRepository('x')))[0]).toMatch(/^TPD301 unknown .* git names no remote of the package/);
  });

  test('a token in the URL of a repository is not printed', async () => {
    remote();
    const ours = await printed('application', '--repo', 'https://me:t0ken@git.example.com/x.git');
    const kept = ours.filter((text) => !text.includes('path: host/config'));
    expect(await sees(...kept)).toContain('TPD307 warn nothing that was found applies host/config');
    const { out, err } = await tenantplane(['doctor', '--gitops', gitops], { cwd: root });
    expect(out).toContain('--repo https://git.example.com/x.git --path host');
    expect(out + err).not.toContain('t0ken');
  });

  test('an inventory of kpt applies its package', async () => {
    remote();
    put(root, { Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\n' });
    expect(await sees()).toContainEqual(expect.stringMatching(/^TPD307 warn/));
    put(root, { Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\ninventory: {name: x, namespace: default}\n' });
    expect(await sees()).toEqual(['TPD301 ok 1 kpt inventory', 'TPD307 ok 4 folders of the tree, each applied']);
  });
});

function argocd(data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata:\n  ${data}`;
}

function gitRepository(name: string): string {
  return `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {url: 'https://me:token@git.example.com/x.git'}\n`;
}

const NONE_SEEN = 'no Application of Argo CD and no Kustomization of Flux was seen that names the tree';

const REFUSED =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  volumes: [{name: v, hostPath: {path: /}}]\n  containers: [{name: c, image: i}]\n';

test('docs/doctor.md names every check', () => {
  const named = [...readFileSync(join(import.meta.dirname, '../../docs/doctor.md'), 'utf8').matchAll(/^\| `(TPD\d+)` (\w+) \|/gm)].map(
    ([, id, name]) => [id, name],
  );
  expect(named).toEqual(Object.entries(CHECKS));
});
