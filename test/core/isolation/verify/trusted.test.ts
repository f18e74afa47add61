import { describe, expect, test } from 'vitest';
import { compileProfile, compileShared } from '../../../../src/core/isolation/platform.ts';
import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import { knownHost } from '../../../../src/core/isolation/verify/known-host.ts';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { kindOf } from '../../../../src/core/kube/object.ts';
import { resolveHost } from '../../../../src/core/plan/host-facts.ts';
import { resolveProfile } from '../../../../src/core/plan/resolve-settings.ts';
import { inputOf } from './tenants.ts';

/** As a render with other trusted writers leaves the host. */
function trusting(trustedWriters: readonly string[], trustedGroups: readonly string[]): BoundaryInput {
  const input = inputOf('rest-allo-none');
  const stated = { trustedWriters: [...trustedWriters], trustedGroups: [...trustedGroups] };
  const host = resolveHost({ ...stated, version: '1.37' });
  const compiled = [...compileProfile(resolveProfile(input.profile), host).objects, ...compileShared(host)];
  const live = [...input.live.filter((object) => !kindOf(object).startsWith('Validating')), ...compiled.map(({ object }) => object)];
  return { ...input, live };
}

describe('whom the policies trust', () => {
  test.each([
    [['system:serviceaccount:delivery:applier'], ['ops']],
    [["o'brien\\ \n", 'a, b'], ["g']"]],
    [['only'], []],
    [[], ['ops']],
  ])('is read from them where nobody says it: %j %j', (writers, groups) => {
    const report = verifyBoundary(trusting(writers, groups));
    expect(report.trusted).toEqual({ writers, groups, taken: true });
    expect(report.rows.filter(({ verdict }) => verdict !== 'as-planned')).toEqual([]);
  });

  test('must be what was said, where somebody did', () => {
    const input = trusting(['mallory'], ['ops']);
    const stated = { trustedWriters: ['applier'], trustedGroups: ['ops'] };
    const { rows, trusted, enforced } = verifyBoundary({ ...input, facts: knownHost({}, stated) });
    expect(trusted).toEqual({ writers: ['applier'], groups: ['ops'], taken: false });
    expect(rows.filter(({ verdict }) => verdict === 'drifted').length).toBeGreaterThan(5);
    expect(enforced).toBe(false);
  });

  test('is the same in all of them: one that says otherwise is drifted', () => {
    const one = trusting(['applier', 'mallory'], ['ops']).live.find(({ metadata }) => JSON.stringify(metadata).includes('shared-objects'));
    const input = trusting(['applier'], ['ops']);
    const live = input.live.map((object) =>
      one !== undefined && JSON.stringify(object['metadata']) === JSON.stringify(one['metadata']) && kindOf(object) === kindOf(one)
        ? one
        : object,
    );
    const found = verifyBoundary({ ...input, live }).rows.filter(({ verdict }) => verdict !== 'as-planned');
    expect(found.map(({ object: { name }, way }) => [name, way])).toEqual([['tenantplane-shared-objects', 'weaker']]);
  });

  test('is found where half of them say otherwise, whichever half is taken for right', () => {
    const [one, other] = [trusting(['applier'], []), trusting(['applier', 'mallory'], [])];
    const half = one.live.map((object, index) => (index % 2 === 0 ? object : (other.live[index] ?? object)));
    const report = verifyBoundary({ ...one, live: half });
    expect(report.trusted.taken).toBe(true);
    expect(report.enforced).toBe(false);
  });

  test('may be changed in all of them without a drift, unless somebody said whom: then the report only names whom', () => {
    const changed = trusting(['applier', 'mallory'], ['ops']);
    const unsaid = verifyBoundary(changed);
    expect([unsaid.enforced, unsaid.trusted]).toEqual([true, { writers: ['applier', 'mallory'], groups: ['ops'], taken: true }]);
    const said = verifyBoundary({ ...changed, facts: { ...knownHost({ version: '1.37' }), trustedWriters: ['applier'] } });
    expect([said.enforced, said.trusted.writers]).toEqual([false, ['applier']]);
    const drifted = said.rows.filter(({ verdict }) => verdict === 'drifted');
    expect(drifted.every(({ way, fields }) => way === 'weaker' && fields.some((field) => field.startsWith('/spec')))).toBe(true);
  });

  test('an empty host trusts the usual appliers, and has no boundary', () => {
    const report = verifyBoundary({ ...inputOf('rest-allo-none'), live: [] });
    expect(report.trusted.taken).toBe(false);
    expect(report.enforced).toBe(false);
    expect(report.rows.every(({ verdict }) => verdict === 'missing')).toBe(true);
  });
});

test('what HostFacts say of the host is what policies are compiled with', () => {
  const input = inputOf('rest-allo-none');
  const facts = knownHost({ version: '1.28' });
  // such a host serves no admission policies of that version, so none is planned
  const rows = verifyBoundary({ ...input, facts }).rows;
  expect(rows.filter(({ object: { kind } }) => kind.startsWith('Validating'))).toEqual([]);
  expect(rows.filter(({ verdict }) => verdict !== 'as-planned').map(({ object, fields }) => [object.kind, ...fields])).toEqual([
    ['Namespace', '/metadata/labels/pod-security.kubernetes.io~1enforce-version'],
    ['Namespace', '/metadata/labels/pod-security.kubernetes.io~1enforce-version'],
  ]);
});

test('configuration that is not legal is refused by name', () => {
  const input = inputOf('rest-allo-none');
  const profile = { ...input.profile, spec: { level: 'none' } };
  expect(() => verifyBoundary({ ...input, profile })).toThrow(/IsolationProfile is not legal: .*level/);
});
