import { expect, test } from 'vitest';
import { previousFile } from '../../../src/cli/render/previous-tree.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { type Files, planFiles, policy, previousOf, profile, tenant } from '../../support/observe.ts';

/** Ways in which somebody once lost a boundary, or kept an old one, without a word. */

const CM = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const PVC =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
const base: Files = {
  'platform/profile.yaml': profile(),
  'platform/policy.yaml': policy(),
  'tenants/dev/tenant.yaml': tenant('dev'),
  'tenants/dev/objects/a.yaml': CM,
  'tenants/qa/tenant.yaml': tenant('qa'),
  'tenants/qa/objects/a.yaml': CM,
};
const FROZEN = { 'tenants/dev/objects/bad.yaml': tenant('mine') };
const UNRESTRICTED = '  networking: {egressPolicy: unrestricted}\n';
const big = { maxDeletions: 1000 };
const without = (files: Files, ...gone: string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !gone.includes(path)));

test('a frozen tenant holds up nothing that a profile allows its neighbours', () => {
  const looser = profile('restricted', 'restricted', '  allow: {daemonSets: true, endpoints: true}\n');
  const { removed } = planFiles({ ...base, ...FROZEN, 'platform/profile.yaml': looser }, big, previousOf(planFiles(base)));
  expect(removed.filter((path) => /restricted-(daemonsets|endpoints)/.test(path))).toHaveLength(4);
});

test('the guards of the fleet stay as long as the tree of one tenant does', () => {
  const one = without(base, 'tenants/qa/tenant.yaml', 'tenants/qa/objects/a.yaml');
  const gone = without(one, 'platform/profile.yaml', 'tenants/dev/tenant.yaml');
  const { removed } = planFiles(gone, { ...big, allowEmpty: true }, previousOf(planFiles(one)));
  expect(removed).toEqual([]);
});

test('render-isolation keeps what isolates a tenant whose TenantCluster is lost', () => {
  const { removed, findings } = planFiles(without(base, 'tenants/dev/tenant.yaml'), { scope: 'isolation' }, previousOf(planFiles(base)));
  expect(findings.map(({ reason }) => reason)).toContain('TenantClusterLost');
  expect(removed).toEqual([]);
});

test('render-isolation keeps what isolates a tenant that moved away from its data', () => {
  const files = { ...base, 'tenants/dev/objects/data.yaml': PVC };
  const moved = { ...files, 'tenants/dev/tenant.yaml': tenant('dev', { namespace: 'team-new' }) };
  for (const scope of ['everything', 'sync', 'isolation'] as const) {
    const { removed, findings } = planFiles(moved, { scope }, previousOf(planFiles(files)));
    expect([scope, findings.map(({ reason }) => reason)]).toEqual([scope, expect.arrayContaining(['TenantMoved'])]);
    expect([scope, removed]).toEqual([scope, []]);
  }
});

test('a comment in the boundary of a frozen tenant is no change that waits', () => {
  const commented = previousOf(planFiles(base)).map((entry) =>
    /team-dev\/(namespace|networkpolicy)/.test(entry.source.path)
      ? previousFile(entry.source.path, () => `# by hand\n${emitYaml(entry.object)}`)
      : entry,
  );
  const { findings } = planFiles({ ...base, ...FROZEN }, big, commented);
  expect(findings.map(({ reason }) => reason)).not.toContain('BoundaryWaits');
});

test('a pool that is taken from a frozen tenant is taken, and that is said', () => {
  const spec = '  mode: dedicated\n  nodePool: {nodeSelector: {pool: qa}, tolerations: [{key: pool, value: qa, effect: NoSchedule}]}\n';
  const before = previousOf(planFiles({ ...base, 'tenants/dev/tenant.yaml': tenant('dev', { spec }) }));
  const { findings, tenants } = planFiles({ ...base, ...FROZEN, 'tenants/qa/tenant.yaml': tenant('qa', { spec }) }, big, before);
  const written = tenants.find(({ name }) => name === 'dev')?.files ?? [];
  const namespace = written.find(({ path }) => path === 'team-dev/namespace_team-dev.yaml');
  expect(JSON.stringify(namespace?.object)).not.toContain('qa');
  expect(findings.map(({ reason, message }) => `${reason}: ${message}`)).toContainEqual(
    expect.stringMatching(/^ProfileMovedOn: The boundary of tenant team-dev\/dev \(.*Namespace\/team-dev\) changes/),
  );
});

test('where the platform contradicts itself nothing of the boundary is written, and that is said', () => {
  const before = previousOf(planFiles({ ...base, 'tenants/dev/tenant.yaml': tenant('dev', { spec: UNRESTRICTED }) }));
  const sandboxed = { ...base, 'platform/profile.yaml': profile('restricted', 'sandboxed') };
  const { findings, tenants } = planFiles({ ...sandboxed, 'tenants/dev/tenant.yaml': tenant('dev', { spec: UNRESTRICTED }) }, big, before);
  const dev = tenants.find(({ name }) => name === 'dev');
  expect([dev?.frozen, dev?.files]).toEqual([expect.stringContaining('contradicts level sandboxed'), []]);
  expect(findings.map(({ reason, message }) => `${reason}: ${message}`)).toContainEqual(
    expect.stringMatching(/^BoundaryWaits: Tenant team-dev\/dev .*Namespace\/team-dev.* stay as they last were/),
  );
});

test('a profile that leaves a package without tenants is told', () => {
  const platform = { 'p.yaml': profile(), 'o.yaml': profile('other'), 's.yaml': policy() };
  const { removed, findings, stopped } = planFiles(
    without(platform, 'p.yaml'),
    { allowEmpty: true },
    previousOf(planFiles(platform, { allowEmpty: true })),
  );
  expect(removed.filter((path) => path.includes('validatingadmissionpolic'))).toHaveLength(18);
  expect(stopped).toBe(true);
  expect(findings.map(({ reason }) => reason)).toEqual(['ProfilePoliciesHeld']);
});
