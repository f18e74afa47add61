import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deployment } from '../../core/review/reviews.ts';
import { devPackage, profile, tenant } from '../../support/observe.ts';
import { type Result, tenantplane } from '../harness.ts';
import { put, read, scratch } from '../tree/disk.ts';

function fleet(): string {
  const root = scratch();
  put(root, devPackage({ 'web.yaml': deployment('web') }));
  put(root, {
    'platform/sandboxed.yaml': profile('sandboxed', 'sandboxed'),
    'tenants/qa/tenant.yaml': tenant('qa', { spec: '  resources: {cpu: 2, memory: 4Gi}\n' }),
    'tenants/qa/objects/web.yaml': deployment('web'),
  });
  return root;
}

const whatIf = (...words: readonly string[]): Promise<Result> => tenantplane(['what-if', ...words], { cwd: fleet() });

describe('what-if', () => {
  test('tells the blast radius of a level over all tenants, and writes nothing', async () => {
    const root = fleet();
    const before = read(root);
    const { code, out } = await tenantplane(['what-if', '--set', 'IsolationProfile/restricted:spec.level=sandboxed'], { cwd: root });
    expect(code).toBe(1);
    expect(out).toContain('in 2 tenants, isolation stronger for 2 tenants\n');
    expect(out).toContain('2 workloads restart');
    expect(out).toContain('IsolationProfile restricted  platform/profile.yaml:5\n    spec.level: restricted -> sandboxed\n');
    expect(out).toContain('stronger  controls.runtimeClassName: not declared -> kata-qemu  for 2 tenants');
    expect(read(root)).toEqual(before);
  });

  test('adds to a list, takes a field out, sets deep in a tenant', async () => {
    const added = await whatIf('--set', 'IsolationProfile/restricted:+spec.allow.serviceTypes=LoadBalancer');
    expect(added.out).toContain('weaker  allow.serviceTypes: none -> LoadBalancer  for 2 tenants');
    const removed = await whatIf('--set', 'TenantCluster/team-qa/qa:-spec.resources.cpu');
    expect(removed.out).toContain('weaker  resources: limits.cpu=10,requests.cpu=2 -> limits.cpu=100,requests.cpu=20  for team-qa/qa');
    const set = await whatIf('--set', 'tenantcluster/qa:spec.resources.cpu=1');
    expect(set.out).toContain('stronger  resources: limits.cpu=10,requests.cpu=2 -> limits.cpu=5,requests.cpu=1  for team-qa/qa');
  });

  test('a policy entry that goes takes its objects with it', async () => {
    const { out } = await whatIf('--set', 'SyncPolicy/default:spec.resources=[{apiVersion: v1, kind: Service, direction: toHost}]');
    expect(out).toContain('2 deleted');
    expect(out).toContain('- Deployment team-dev/web-x-default-x-dev  TP5002 ScopeRemoved  [deleted]');
  });

  test.each(['json', 'yaml', 'ndjson', 'table', 'markdown', 'sarif', 'gitlab', 'text'])(
    'a file of another platform is told where it lies: -o %s',
    async (output) => {
      const root = fleet();
      renameSync(join(root, 'platform'), join(root, 'elsewhere'));
      const set = 'SyncPolicy/default:spec.resources=[{apiVersion: v1, kind: Service, direction: both}]';
      const tenants = ['what-if', join(root, 'tenants'), '--platform', join(root, 'elsewhere')];
      const level = 'IsolationProfile/restricted:spec.level=sandboxed';
      for (const words of [['--set', level], ['--set', set], []]) {
        const { out } = await tenantplane([...tenants, ...words, '-o', output], { cwd: join(root, 'tenants/dev') });
        expect(out).not.toMatch(/platform:[^ ]*yaml/);
      }
      const { out } = await tenantplane([...tenants, '--set', level, '-o', output], { cwd: join(root, 'tenants') });
      if (output === 'json') expect(JSON.parse(out).causes).toMatchObject([{ file: '../elsewhere/profile.yaml' }]);
      if (output === 'text') expect(out).toContain('../elsewhere/profile.yaml:5');
    },
  );

  test('pr-comment of a document finds the files of the platform without being told where it lies', async () => {
    const root = fleet();
    renameSync(join(root, 'platform'), join(root, 'elsewhere'));
    const { out } = await tenantplane(
      ['what-if', 'tenants', '--platform', 'elsewhere', '--set', 'IsolationProfile/restricted:spec.level=sandboxed', '-o', 'json'],
      { cwd: root },
    );
    put(root, { 'review.json': out });
    const comment = await tenantplane(['pr-comment', '--from', 'review.json', 'tenants'], { cwd: root });
    expect(comment.out).not.toContain('platform:');
  });

  test('--use moves the tenants that are named', async () => {
    const { out } = await whatIf('--use', 'restricted=sandboxed', '--tenants', 'q*');
    expect(out).toContain(
      'TenantCluster team-qa/qa  tenants/qa/tenant.yaml:7\n    spec.isolationProfileRef.name: restricted -> sandboxed\n',
    );
    expect(out).not.toContain('team-dev');
  });

  test('--patch merges, and adds what is not there', async () => {
    const root = fleet();
    put(root, { '.patch.yaml': `${profile('restricted', 'restricted', '  controls: {userNamespaces: required}\n')}---\n${tenant('new')}` });
    const { out } = await tenantplane(['what-if', '--patch', '.patch.yaml'], { cwd: root });
    expect(out).toContain('stronger  controls.userNamespaces: not declared -> required  for 2 tenants');
    expect(out).toContain('TenantCluster team-new/new added');
  });

  test('a new refusal comes with its remedy', async () => {
    const { out } = await whatIf(
      '--set',
      'IsolationProfile/restricted:spec.limits={max: {cpu: 100m}, default: {cpu: 100m}, defaultRequest: {cpu: 50m}}',
    );
    expect(out).toMatch(
      /would be refused: 2\n {2}! Deployment default\/web of team-dev\/dev {2}tenants\/dev\/objects\/web\.yaml:\d+ {2}TP\d+ \w+\n {6}.+\n {6}try: /,
    );
  });

  test('--host-version is a cause as well', async () => {
    const root = fleet();
    put(root, {
      'facts.yaml': 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {version: "1.34"}\n',
    });
    const { out } = await tenantplane(['what-if', '--host-version', '1.29'], { cwd: root });
    expect(out).toContain('RenderTenant\n    spec.host.version: 1.29 (new)\n');
    expect(out).toContain('! nothing would be written: TP5011');
  });

  test.each([
    [
      ['--check', 'no-weaker-isolation'],
      5,
      'refused: TP3009 IsolationWeakened: controls.podSecurity from restricted to baseline for team-dev/dev, team-qa/qa',
    ],
    [['--max-changes', '3'], 5, 'and --max-changes allows 3'],
    [['--max-deletes', '0'], 5, 'and --max-deletes allows 0'],
    [['--max-deletes', '1000', '--max-changes', '1000'], 1, ''],
  ])('%j ends with %i', async (guards, code, text) => {
    const result = await whatIf('--set', 'IsolationProfile/restricted:spec.level=baseline', ...guards);
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(text)]);
  });

  test('what makes isolation stronger passes the check', async () => {
    expect((await whatIf('--set', 'IsolationProfile/restricted:spec.level=sandboxed', '--check', 'no-weaker-isolation')).code).toBe(1);
  });

  test.each([
    ['qqa', 'Did you mean qa?'],
    ['team-qa/qqq', 'Did you mean team-qa/qa?'],
    ['nobody*', 'Its tenants are: team-dev/dev, team-qa/qa.'],
    ['', 'Its tenants are: team-dev/dev, team-qa/qa.'],
  ])('a guard of the tenant “%s”, which is not there, is no pass', async (tenant, hint) => {
    const weaker = ['--set', 'IsolationProfile/restricted:spec.level=baseline', '--check', 'no-weaker-isolation'];
    const { code, out, err } = await whatIf(...weaker, '--tenants', 'dev', '--tenants', tenant);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(
      `The package has no tenant ${tenant} on either side (as it is, with --set IsolationProfile/restricted:spec.level=baseline).`,
    );
    expect(err).toContain(hint);
    const there = await whatIf(...weaker, '--tenants', 'dev', '--tenants', 'all', '--tenants', 'team-?a/*');
    expect(there.code).toBe(5);
  });

  test.each([
    'spec.__proto__.frozen=true',
    'spec["__proto__"].frozen=true',
    '["spec"]["__proto__"]["frozen"]=true',
    '/spec/__proto__/frozen=true',
    '__proto__.frozen=true',
    '["__proto__"]["frozen"]=true',
    '/__proto__/frozen=true',
    'spec.__proto__={frozen: true}',
    '__proto__={frozen: true}',
    'spec.constructor.prototype.frozen=true',
    'constructor.prototype.frozen=true',
    'spec.constructor=1',
    'spec.toString.frozen=true',
    'toString=1',
    '+spec.__proto__=1',
    '+spec.allow.constructor=1',
    '-spec.__proto__.frozen',
    '-spec.__proto__',
    '-spec.toString',
  ])('%s names no field, and edits nothing but the object', async (edit) => {
    const { code, err } = await whatIf('--set', `IsolationProfile/restricted:${edit}`);
    expect([code, err]).toEqual([2, expect.stringMatching(edit.startsWith('-') ? /There is nothing at/ : /has no field/)]);
    expect(Reflect.ownKeys(Object.prototype)).not.toContain('frozen');
    expect(Reflect.ownKeys(Object)).not.toContain('frozen');
  });

  test.each([
    [['--set', 'IsolationProfile/restricted:spec.levle=sandboxed'], 'spec has no field "levle"', 'Did you mean level?'],
    [['--set', 'IsolationProfile/restricted:spec.level=sandbox'], 'spec.level', 'sandboxed'],
    [['--set', 'IsolationProfile/restrictd:spec.level=sandboxed'], 'There is no IsolationProfile restrictd', 'Did you mean restricted?'],
    [['--set', 'IsolationProfil/restricted:spec.level=sandboxed'], 'The package has no IsolationProfil', 'Did you mean IsolationProfile?'],
    [['--set', 'IsolationProfile/restricted:-spec.nothing'], 'There is nothing at spec.nothing', 'tenantplane schema KIND'],
    [['--set', 'spec.level=sandboxed'], 'cannot be read', 'Write it as'],
    [['--use', 'restricted=nothing'], 'There is no IsolationProfile nothing', 'There are: restricted, sandboxed'],
    [['--use', 'nobody=sandboxed'], 'no tenant uses nobody', 'Write it as'],
    [['--use', 'restricted=sandboxed', '--tenants', 'qqa'], 'The package has no tenant qqa.', 'Did you mean qa?'],
    [
      ['--use', 'IsolationProfile/restricted=sandboxed', '--use', 'restricted=sandboxed', '--tenants', 'qa'],
      'no tenant of qa uses restricted',
      'team-dev/dev',
    ],
    [[], 'What if what?', '--set'],
  ])('%j says what is wrong', async (words, text, hint) => {
    const { code, err } = await whatIf(...words);
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(err).toContain(hint);
  });
});
