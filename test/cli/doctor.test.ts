import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CHECKS } from '../../src/cli/doctor/diagnosis.ts';
import { tenantplane, twoTenants } from './harness.ts';
import { scratch } from './tree/disk.ts';

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
    expect(code).toBe(0);
  });

  test('that is no folder, and a host that does not answer, are errors', async () => {
    expect((await tenantplane(['doctor', 'nowhere'], { cwd: root })).code).toBe(2);
    const ran = await tenantplane(['doctor', '--kubeconfig', '/dev/null'], { cwd: root });
    expect(ran.code).toBe(3);
  });
});

describe('what applies the tree', () => {
  const sees = async (...documents: string[]): Promise<string[]> => {
    const folder = scratch();
    mkdirSync(join(folder, 'apps'));
    writeFileSync(join(folder, 'apps/a.yaml'), documents.join('\n---\n'));
    return (await doctor('--gitops', folder)).checks.flatMap(({ id, result, what }) =>
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
    for (const { out, code } of [applications, set, flux]) {
      expect(code).toBe(0);
      const found = await sees(out);
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
    expect(await sees(application('', 'shop/manifests'))).toEqual([expect.stringMatching(/^TPD301 unknown/)]);
  });
});

function argocd(data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata:\n  ${data}`;
}

const REFUSED =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  volumes: [{name: v, hostPath: {path: /}}]\n  containers: [{name: c, image: i}]\n';

test('docs/doctor.md names every check', () => {
  const named = [...readFileSync(join(import.meta.dirname, '../../docs/doctor.md'), 'utf8').matchAll(/^\| `(TPD\d+)` (\w+) \|/gm)].map(
    ([, id, name]) => [id, name],
  );
  expect(named).toEqual(Object.entries(CHECKS));
});
