import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLedger } from '../../src/report/check-ledger.ts';
import { policy, profile, tenant } from '../support/observe.ts';
import { configMap, tenantplane } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

/** A tenant that broke its own YAML, and a platform that became stricter since: every command says the same of both. */

const NAMESPACE = 'host/team-dev/namespace_team-dev.yaml';
const LIMITS = 'host/team-dev/limitrange_tenantplane-defaults.yaml';
const INTERNET = 'host/team-dev/networkpolicy.networking.k8s.io_tenantplane-allow-egress-internet.yaml';
const OBJECT = 'host/team-dev/configmap_a-x-default-x-dev.yaml';
const LEDGER = '.tenantplane/team-dev.dev.ndjson';
const UNRESTRICTED = '  networking: {egressPolicy: unrestricted}\n';

async function broken(): Promise<string> {
  const root = scratch();
  put(root, {
    'platform/profile.yaml': profile('restricted', 'baseline'),
    'platform/policy.yaml': policy(),
    'tenants/dev/tenant.yaml': tenant('dev', { spec: UNRESTRICTED }),
    'tenants/dev/objects/a.yaml': configMap('a'),
  });
  expect((await tenantplane(['render', '-q', '--ledger', '--fail-on', 'never'], { cwd: root })).code).toBe(0);
  put(root, {
    'platform/profile.yaml': profile('restricted', 'restricted', '  limits: {max: {memory: 2Gi}}\n'),
    'tenants/dev/tenant.yaml': tenant('dev'),
    'tenants/dev/objects/a.yaml': configMap('a', 'changed'),
    'tenants/dev/objects/bad.yaml': 'a: [',
  });
  return root;
}

async function said(root: string, ...argv: string[]): Promise<string> {
  const { out, err } = await tenantplane(argv, { cwd: root });
  return out + err;
}

const text = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

test('before the render: --check, diff, why and isolation agree on what is written and what waits', async () => {
  const root = await broken();
  const check = await tenantplane(['render', '--check'], { cwd: root });
  expect(check.code).toBe(4);
  for (const path of [NAMESPACE, LIMITS, INTERNET]) expect(check.out).toContain(path);
  expect(check.out).not.toContain(OBJECT);
  expect(await said(root, 'why', NAMESPACE)).toMatch(/exists because[\s\S]+is stale/);
  expect(await said(root, 'why', NAMESPACE)).not.toContain('frozen:');
  expect(await said(root, 'why', INTERNET)).toMatch(/leaves because[\s\S]+leaves the tree with the next render/);
  expect(await said(root, 'why', 'cm/a', '--tenant', 'dev')).toMatch(/would exist because[\s\S]+frozen: .+bad\.yaml/);
  expect(await said(root, 'why-not', NAMESPACE)).toContain('is on the host after all');
  const isolation = await said(root, 'isolation', 'dev');
  expect(isolation).toMatch(/^tenant team-dev\/dev .+, frozen: tenants\/dev\/objects\/bad\.yaml/);
  expect(isolation).toMatch(/controls\.podSecurity +restricted +partly /);
  // that is for a render to see to, and it saw to it for the objects that it last wrote
  expect(isolation).toMatch(/allow\.ingressClasses +none +unknown /);
});

test('the render writes the boundary, says what may not suit it, and is then up to date', async () => {
  const root = await broken();
  const before = text(root, OBJECT);
  const { code, out } = await tenantplane(['render', '--ledger'], { cwd: root });
  expect([code, text(root, OBJECT)]).toEqual([1, before]);
  expect(out).toMatch(/^ {2}0 projected {3}\d+ made /m);
  expect(out).toContain(
    '  frozen: only its boundary is written, its own objects stay as they last were and may be refused when made anew. Why: ',
  );
  expect(out).toMatch(/ProfileMovedOn\n {4}The boundary of tenant team-dev\/dev \(Namespace\/team-dev,.+ may be refused/);
  expect(text(root, NAMESPACE)).toContain('pod-security.kubernetes.io/enforce: restricted');
  expect(() => text(root, INTERNET)).toThrow(/ENOENT/);
  expect(await tenantplane(['render', '--check'], { cwd: root })).toMatchObject({ code: 1, out: expect.stringContaining('is up to date') });
  expect(await said(root, 'why', NAMESPACE)).toContain('is what a render gives\n');
});

test('the ledger has the boundary as it is written and the objects as they stand, and audit compares it', async () => {
  const root = await broken();
  const lines = (): string[] => text(root, LEDGER).split('\n');
  const before = lines().filter((line) => line.includes('|ConfigMap|') || line.includes('v1/ConfigMap|'));
  const stale = await tenantplane(['audit', 'verify', '-o', 'json'], { cwd: root });
  expect(JSON.parse(stale.out).checks).toContainEqual(expect.objectContaining({ check: 'ledger', result: 'failed' }));
  await tenantplane(['render', '-q', '--ledger'], { cwd: root });
  expect(checkLedger(text(root, LEDGER))).toMatchObject({ whole: true });
  expect(lines().filter((line) => line.includes('v1/ConfigMap|'))).toEqual(before);
  expect(lines().filter((line) => line.includes('allow-egress-internet'))).toEqual([]);
  expect(lines().join('\n')).toContain('tenantplane-defaults');
  const { out } = await tenantplane(['audit', 'verify', '-o', 'json'], { cwd: root });
  const checks: readonly { readonly check: string; readonly result: string }[] = JSON.parse(out).checks;
  expect(checks.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(checks).toContainEqual(expect.objectContaining({ check: 'ledger', detail: expect.stringContaining('as to its boundary alone') }));
  // mended, it is what a render from nothing gives
  put(root, { 'tenants/dev/objects/bad.yaml': '' });
  await tenantplane(['render', '-q', '--ledger'], { cwd: root });
  const mended = text(root, LEDGER);
  put(root, { [LEDGER]: '' });
  await tenantplane(['render', '-q', '--ledger'], { cwd: root });
  expect(text(root, LEDGER)).toBe(mended);
});

test('diff tells that isolation became stronger, and of no object of the tenant', async () => {
  const base = await broken();
  const head = await broken();
  put(base, {
    'platform/profile.yaml': profile('restricted', 'baseline'),
    'tenants/dev/tenant.yaml': tenant('dev', { spec: UNRESTRICTED }),
    'tenants/dev/objects/a.yaml': configMap('a'),
    'tenants/dev/objects/bad.yaml': '',
  });
  const { out } = await tenantplane(['diff', '--base', base, '--head', head, '-o', 'json'], { cwd: base });
  const report: { changes: { host: { kind: string; name: string }; verb: string }[]; isolation: { control: string; direction: string }[] } =
    JSON.parse(out);
  const changes = report.changes.map(({ host, verb }) => `${verb} ${host.kind}/${host.name}`);
  expect(changes).toContain('changed Namespace/team-dev');
  expect(changes).toContain('removed NetworkPolicy/tenantplane-allow-egress-internet');
  expect(changes.filter((change) => change.includes('ConfigMap/a'))).toEqual([]);
  expect(report.isolation).toContainEqual(expect.objectContaining({ control: 'controls.podSecurity', direction: 'stronger' }));
});

interface Told {
  readonly control: string;
  readonly holds: string;
  readonly enforcedBy: readonly string[];
  readonly notEnforced?: { readonly why: string; readonly fix: string };
}

test('isolation calls nothing enforced that the objects as they stand were not rendered under', async () => {
  const root = await broken();
  const facts = 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {networkPolicies: enforced}\n';
  put(root, { 'facts.yaml': facts, 'platform/profile.yaml': profile('restricted', 'sandboxed') });
  await tenantplane(['render', '-q'], { cwd: root });
  expect(text(root, OBJECT)).not.toContain('changed');
  const controls = async (): Promise<readonly Told[]> => JSON.parse(await said(root, 'isolation', 'dev', '-o', 'json')).tenants[0].controls;
  const frozen = await controls();
  const runtime = frozen.find(({ control }) => control === 'controls.runtimeClassName');
  expect(runtime).toMatchObject({ holds: 'partly', notEnforced: { why: expect.stringContaining('as they were last rendered') } });
  expect(frozen.filter(({ holds, enforcedBy }) => holds === 'enforced' && enforcedBy.includes('render'))).toEqual([]);
  // what bounds running pods as well is written, and holds
  expect(frozen.find(({ control }) => control === 'networking.egressPolicy')).toMatchObject({ holds: 'enforced' });
  const table = (await said(root, 'isolation', 'dev')).replace(/\s+/g, ' ');
  expect(table).toContain('WHAT TO DO');
  expect(table).toContain('Fix what is reported for the tenant;');
  expect(await said(root, 'isolation')).toMatch(/controls\.podSecurity[\s\S]*and \d+ more/);
  put(root, { 'tenants/dev/objects/bad.yaml': '' });
  expect((await controls()).find(({ control }) => control === 'controls.runtimeClassName')).toMatchObject({ holds: 'enforced' });
});

test('as long as it is frozen every command says that its objects may be refused when made anew, and none that anything changes', async () => {
  const root = await broken();
  await tenantplane(['render', '-q'], { cwd: root });
  for (const argv of [['render'], ['render', '--check'], ['validate']]) {
    const out = await said(root, ...argv);
    expect(out, argv.join(' ')).toContain('its own objects stay as they last were and may be refused when made anew. Why: ');
    expect(out, argv.join(' ')).not.toContain('ProfileMovedOn');
  }
  put(root, { 'tenants/dev/objects/bad.yaml': '' });
  expect(await said(root, 'render')).not.toContain('made anew');
});
