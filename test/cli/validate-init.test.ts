import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configMap, HOST_PATH_POD, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, read, scratch } from './tree/disk.ts';

describe('validate', () => {
  test('changes nothing, and fails at a refusal unless told otherwise', async () => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    const before = read(root);
    const { code, out } = await tenantplane(['validate'], { cwd: root });
    expect(code).toBe(1);
    expect(out).toContain('tenants/dev/objects/pod.yaml:11');
    expect(out).toMatch(/^2 tenants checked: 1 refused$/m);
    expect(out).toMatch(/^ {2}1 projected.* {3}1 refused/m);
    expect(read(root)).toEqual(before);
    expect((await tenantplane(['validate', '--fail-on', 'rejected'], { cwd: root })).code).toBe(0);
  });

  test('a RenderTenant that says nothing of failing leaves it at refused', async () => {
    const config = 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: r}\nspec: {allowEmpty: true}\n';
    const root = twoTenants({ 'render.yaml': config, 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    expect((await tenantplane(['validate'], { cwd: root })).code).toBe(1);
    put(root, { 'render.yaml': config.replace('allowEmpty: true', 'failOn: never') });
    expect((await tenantplane(['validate'], { cwd: root })).code).toBe(0);
  });

  test('one mistake is one error, and each tenant that it freezes is told beside it', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    put(root, { 'platform.yaml': PLATFORM.replace('level: restricted', 'level: strict') });
    const { out, code } = await tenantplane(['validate'], { cwd: root });
    expect(out).toMatch(/^2 tenants checked: 1 error, which freezes 2 tenants$/m);
    expect(code).toBe(1);
    const github = (await tenantplane(['validate', '-o', 'github'], { cwd: root })).out;
    expect(github.trim().split('\n')).toEqual([
      expect.stringContaining('::error file=platform.yaml,line=4,title=TP9001 InputInvalid::'),
      expect.stringContaining('::error file=platform.yaml,line=4,title=TP2025 TenantFrozen::TenantCluster team-dev/dev: '),
      expect.stringContaining('::error file=platform.yaml,line=4,title=TP2025 TenantFrozen::TenantCluster team-qa/qa: '),
    ]);
    const report = JSON.parse((await tenantplane(['validate', '-o', 'json'], { cwd: root })).out);
    expect(report).toMatchObject({
      summary: { error: 1, frozen: 2, held: 0 },
      issues: [
        { grade: 'error', code: 'TP9001', pointer: '/spec/level' },
        { grade: 'frozen', code: 'TP2025', object: 'TenantCluster team-dev/dev', file: 'platform.yaml', line: 4 },
        { grade: 'frozen', code: 'TP2025', object: 'TenantCluster team-qa/qa', file: 'platform.yaml', line: 4 },
      ],
    });
  });

  const TWICE = { 'tenants/dev/objects/b.yaml': configMap('b'), 'tenants/dev/objects/c.yaml': configMap('b') };
  const UNREAD = { 'tenants/qa/objects/b.yaml': '{' };
  test.each([
    ['an object', TWICE, { error: 2, frozen: 1, refused: 0, held: 0 }, '2 errors, which freeze 1 tenant'],
    ['an object and a finding', { ...TWICE, ...UNREAD }, { error: 3, frozen: 2, refused: 0, held: 0 }, '3 errors, which freeze 2 tenants'],
    [
      'an object beside one that is refused',
      { ...TWICE, 'tenants/dev/objects/pod.yaml': HOST_PATH_POD },
      { error: 2, frozen: 1, refused: 1, held: 0 },
      '2 errors, which freeze 1 tenant, 1 refused',
    ],
  ])('what freezes a tenant is counted once, in the summary as in the list: %s', async (_, files, summary, words) => {
    const root = twoTenants();
    await tenantplane(['render', '-q'], { cwd: root });
    put(root, files);
    const report = JSON.parse((await tenantplane(['validate', '-o', 'json'], { cwd: root })).out);
    expect(report.summary).toMatchObject(summary);
    const graded = (grade: string): { object: string }[] => report.issues.filter((issue: { grade: string }) => issue.grade === grade);
    // a refused object may have several sentences
    const objects = new Set(graded('refused').map(({ object }) => object));
    const counted = { error: graded('error').length, frozen: graded('frozen').length, refused: objects.size };
    expect(counted).toEqual({ error: summary.error, frozen: summary.frozen, refused: summary.refused });
    expect((await tenantplane(['validate'], { cwd: root })).out).toContain(`2 tenants checked: ${words}\n`);
  });

  test('-o json has a freeze as an issue of its own, at the line that freezes, in the order of the grades', async () => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    await tenantplane(['render', '-q'], { cwd: root });
    put(root, { 'tenants/dev/objects/bad.yaml': 'a: 1\nb: [' });
    const report = JSON.parse((await tenantplane(['validate', '-o', 'json'], { cwd: root })).out);
    const problem = 'Line 2: a [ or { is opened above and never closed.';
    expect(report.issues.map(({ grade }: { grade: string }) => grade)).toEqual(['error', 'frozen', 'refused', 'refused']);
    expect(report.issues[1]).toEqual({
      grade: 'frozen',
      code: 'TP2025',
      reason: 'TenantFrozen',
      object: 'TenantCluster team-dev/dev',
      message: `Tenant team-dev/dev is frozen, its own objects stay as they last were: tenants/dev/objects/bad.yaml: ${problem}`,
      remedy: 'Fix what is reported for the tenant; the next render writes it.',
      file: 'tenants/dev/objects/bad.yaml',
      document: 0,
      line: 2,
      pointer: null,
    });
    // GitHub shows ten of a kind: what can be mended goes first
    const github = (await tenantplane(['validate', '-o', 'github'], { cwd: root })).out;
    expect(github.match(/title=\w+ \w+/g)).toEqual([
      'title=TP9013 SyntaxInvalid',
      'title=TP3004 HostPathBlocked',
      'title=TP3003 PodSecurityViolation',
      'title=TP2025 TenantFrozen',
    ]);
    put(root, { 'tenants/dev/objects/bad.yaml': '' });
    const sound = JSON.parse((await tenantplane(['validate', '-o', 'json'], { cwd: root })).out);
    expect(sound.issues.map(({ grade }: { grade: string }) => grade)).toEqual(['refused', 'refused']);
  });

  test('reports for machines have a freeze as an error of its tenant, from render as from validate', async () => {
    const root = twoTenants();
    await tenantplane(['render', '-q'], { cwd: root });
    put(root, { 'platform.yaml': PLATFORM.replace('level: restricted', 'level: strict') });
    const folder = scratch();
    const reports = ['junit', 'sarif', 'gitlab'].flatMap((format) => ['--report', `${format}=${join(folder, format)}`]);
    expect((await tenantplane(['render', '-q', ...reports], { cwd: root })).code).toBe(1);
    const { junit = '', sarif = '', gitlab = '' } = read(folder) ?? {};
    expect((await tenantplane(['validate', '-o', 'junit'], { cwd: root })).out).toBe(junit);
    for (const tenant of ['team-dev/dev', 'team-qa/qa'])
      expect(junit).toMatch(
        new RegExp(`<testsuite name="${tenant}" tests="1" errors="1" failures="0">\\s+<testcase name="TP2025 TenantFrozen"`),
      );
    const results: readonly { ruleId: string; level: string }[] = JSON.parse(sarif).runs[0].results;
    expect(results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual(['TP9001 error', 'TP2025 error', 'TP2025 error']);
    const items: readonly { fingerprint: string; severity: string }[] = JSON.parse(gitlab);
    expect(items.map(({ severity }) => severity)).toEqual(['critical', 'critical', 'critical']);
    expect(new Set(items.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });

  test('-o json lists issues with file, line and remedy', async () => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    const report = JSON.parse((await tenantplane(['validate', '-o', 'json'], { cwd: root })).out);
    expect(report).toMatchObject({ kind: 'ValidationReport', summary: { error: 0 } });
    expect(report.issues).toContainEqual(
      expect.objectContaining({
        code: 'TP3004',
        file: 'tenants/dev/objects/pod.yaml',
        line: 11,
        pointer: '/spec/volumes/0/hostPath',
        object: 'Pod default/worker',
      }),
    );
  });

  test('-o github writes workflow commands that name the file as the runner sees it', async () => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    const { out } = await tenantplane(['validate', root, '-o', 'github'], { cwd: join(root, '..') });
    expect(out).toMatch(
      /^::error file=tenantplane-\w+\/tenants\/dev\/objects\/pod\.yaml,line=11,title=TP3004 HostPathBlocked::Pod default\/worker: /m,
    );
  });

  test('broken input is a finding with its line, not an exception', async () => {
    const root = twoTenants({
      'tenants/dev/objects/x.yaml': 'a: 1\nb: [\n',
      'profile.yaml': 'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: {name: p}\nspec: {levle: baseline}\n',
    });
    const { code, out } = await tenantplane(['validate'], { cwd: root });
    expect(code).toBe(1);
    expect(out).toMatch(/! tenants\/dev\/objects\/x\.yaml:\d {2}TP9013/);
    expect(out).toContain('profile.yaml:4  TP9001 InputInvalid');
    expect(out).toContain('Did you mean level?');
  });
});

describe('init', () => {
  test.each(['baseline', 'restricted', 'sandboxed'])('a new package at level %s renders at once, without a refusal', async (level) => {
    const root = scratch();
    const made = await tenantplane(['init', 'fleet', '--tenant', 'shop', '--level', level], { cwd: root });
    expect(made.code).toBe(0);
    expect(made.out).toContain('made fleet/tenants/shop/tenant.yaml\n');
    expect(made.out).toContain('next: tenantplane render fleet\n');
    const { code, out } = await tenantplane(['render', 'fleet'], { cwd: root });
    expect(code).toBe(0);
    expect(out).toContain('3 projected');
    expect(out).not.toMatch(/refused|held/);
    expect((await tenantplane(['validate', 'fleet'], { cwd: root })).code).toBe(0);
  });

  test('overwrites nothing: not one file is written where one is there', async () => {
    const root = scratch();
    put(root, { 'policies/default.yaml': 'mine' });
    const { code, err } = await tenantplane(['init'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('policies/default.yaml already');
    expect(read(root)).toEqual({ 'policies/default.yaml': 'mine' });
  });

  test('a second tenant goes beside the first, with the profile that is asked for', async () => {
    const root = scratch();
    await tenantplane(['init', '-q'], { cwd: root });
    rmSync(join(root, 'profiles'), { recursive: true });
    rmSync(join(root, 'policies'), { recursive: true });
    expect((await tenantplane(['init', '--tenant', 'two', '--level', 'restricted', '-q'], { cwd: root })).code).toBe(0);
    expect((await tenantplane(['render'], { cwd: root })).out).toContain('tenant team-two/two');
  });

  test('an illegal name is refused before anything is written', async () => {
    const root = scratch();
    expect((await tenantplane(['init', '--tenant', '../evil'], { cwd: root })).code).toBe(2);
    expect(existsSync(join(root, 'tenants'))).toBe(false);
    expect(read(root)).toEqual({});
  });
});

describe('generators', () => {
  test('what they print is a package that renders', async () => {
    const root = scratch();
    const print = async (...argv: string[]): Promise<string> => (await tenantplane(['render', ...argv])).out;
    put(root, {
      'tenant.yaml': await print(
        'tenantcluster',
        'dev',
        '--namespace',
        'ns',
        '--isolation-profile',
        'p',
        '--sync-policy',
        's',
        '--cpu',
        '4',
      ),
      'p.yaml': await print('isolationprofile', 'p', '--level', 'baseline'),
      's.yaml': await print('syncpolicy', 's', '--resources', 'applications'),
      'objects/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    });
    const { code, out } = await tenantplane(['render', root]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('tenant ns/dev') });
    expect(out).toContain('1 projected');
  });

  test('a folder that is called like one is still a folder, as ./tenantcluster', async () => {
    const root = twoTenants();
    put(root, { 'tenantcluster/tenant.yaml': tenantYaml('lab') });
    const { code, err } = await tenantplane(['render', './tenantcluster'], { cwd: root });
    expect([code, err]).toEqual([2, expect.stringContaining('./tenantcluster is a part of the package .')]);
  });
});

test('an empty folder that is the one here is not called by a dot, which reads as the one above', async () => {
  const { code, err } = await tenantplane(['validate'], { cwd: scratch() });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('There is no TenantCluster in this folder.\n') });
});

describe('objects outside any objects/ folder', () => {
  const facts = 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {version: "1.34"}\n';
  const kustomize = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';

  test.each(['validate', 'render'])('are said by %s in one line, with their kinds', async (command) => {
    const cwd = twoTenants({
      'tenants/dev/web.yaml': `${HOST_PATH_POD}---\n${configMap('lost')}`,
      'facts.yaml': facts,
      'kustomization.yaml': kustomize,
    });
    const { out } = await tenantplane([command, '.'], { cwd });
    expect(out).toContain('  . 2 objects lie outside any objects/ folder and are not rendered (ConfigMap, Pod): -v lists them\n');
    expect((await tenantplane([command, '.', '-v'], { cwd })).out).toContain('Pod worker lies outside any objects/ folder');
  });

  test('are not said of what a tool keeps there for itself', async () => {
    const cwd = twoTenants({ 'facts.yaml': facts, 'kustomization.yaml': kustomize });
    expect((await tenantplane(['validate', '.'], { cwd })).out).not.toContain('outside any objects/');
  });
});

test('a load balancer behind default deny is said at its own line, with what can be done about it', async () => {
  const service = `${configMap('first')}---
apiVersion: v1
kind: Service
metadata: {name: shop}
spec:
  selector: {app: shop}
  type: LoadBalancer
  ports: [{port: 80}]
`;
  const platform = PLATFORM.replace('spec: {level: restricted}', 'spec: {level: restricted, allow: {serviceTypes: [LoadBalancer]}}');
  const cwd = twoTenants({ 'tenants/dev/objects/shop.yaml': service, 'platform.yaml': platform });
  const { out } = await tenantplane(['validate'], { cwd });
  expect(out).toMatch(
    /\? tenants\/dev\/objects\/shop\.yaml:11 {2}TP3083 IngressDenied\n {4}Default deny applies and no rule admits calls from outside the cluster to default\/shop\.\n {4}try: Put an Ingress in place of it/,
  );
  expect(out).not.toContain('Name the namespace that the calls come from');
  const open = twoTenants({
    'tenants/dev/objects/shop.yaml': service,
    'platform.yaml': platform.replace('level: restricted', 'level: baseline'),
  });
  expect((await tenantplane(['validate'], { cwd: open })).out).not.toContain('TP3083');
});
