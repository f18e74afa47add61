import { describe, expect, it } from 'vitest';
import type { Plan, PreviousObject } from '../../../src/core/plan/plan-types.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { devPackage, type Files, planFiles, previousOf, profile, tenant, treeOf } from '../../support/observe.ts';

const LEVEL = 'platform/prioritylevelconfiguration.flowcontrol.apiserver.k8s.io_tenantplane-tenant.yaml';
const PROFILE = 'platform/profile.yaml';
const files = devPackage({});
const BAD: Files = { 'tenants/dev/objects/bad.yaml': tenant('mine') };

/** As the shells hand it over: a file says whether it is the same. */
function treeOn(given: Files): PreviousObject[] {
  return previousOf(planFiles(given)).map((entry) => ({ ...entry, matches: (desired) => emitYaml(desired) === emitYaml(entry.object) }));
}

const policiesOf = (result: Plan): string[] =>
  [...treeOf(result).keys()].filter((path) => /^platform\/validatingadmissionpolicy.*_tenantplane-restricted-/.test(path));
const heldOf = (result: Plan): string[] =>
  result.decisions.filter(({ reason }) => reason === 'ProfileHeld').map(({ message, severity }) => `${severity}: ${message}`);

describe('a tenant whose tree stays as it was', () => {
  const changed: Files = { ...files, ...BAD, [PROFILE]: profile('restricted', 'sandboxed') };

  it('keeps the admission policies that it was rendered for, and the render says so', () => {
    const result = planFiles(changed, {}, treeOn(files));
    expect(result.tenants.map(({ frozen }) => frozen !== undefined)).toEqual([true]);
    const rewritten = policiesOf(result).filter((path) => treeOf(result).get(path) !== treeOf(planFiles(files)).get(path));
    expect(rewritten).toEqual([]);
    expect(result.removed).toEqual([]);
    expect(heldOf(result)[0]).toMatch(/^warning: .*tenantplane-restricted-.* namespace team-dev/);
  });

  it('holds those of no other profile', () => {
    const two = {
      ...files,
      'tenants/qa/tenant.yaml': tenant('qa', { profile: 'open' }),
      'platform/open.yaml': profile('open', 'baseline'),
    };
    const now = { ...two, ...BAD, [PROFILE]: changed[PROFILE] ?? '', 'platform/open.yaml': profile('open', 'restricted') };
    const result = planFiles(now, {}, treeOn(two));
    const text = (plan: Plan): string =>
      [...treeOf(plan)].flatMap(([path, held]) => (/_tenantplane-open-/.test(path) ? [held] : [])).join('');
    expect(text(result)).not.toBe('');
    expect(text(result)).not.toBe(text(planFiles(two)));
    expect(heldOf(result).filter((message) => message.includes('tenantplane-open'))).toEqual([]);
  });

  it('gets policies where the tree has none of its profile yet', () => {
    const bare = treeOn(files).filter(({ source }) => !source.path.startsWith('platform/validating'));
    const result = planFiles({ ...files, ...BAD }, {}, bare);
    expect(policiesOf(result).length).toBeGreaterThan(2);
    expect(heldOf(result)).toEqual([]);
  });

  it('lets policies be that are the same', () => {
    expect(heldOf(planFiles({ ...files, ...BAD }, {}, treeOn(files)))).toEqual([]);
  });

  it.each<[string, Files]>([
    ['its profile asks for none any more', { ...files, ...BAD, [PROFILE]: profile('restricted', 'baseline') }],
    [
      'its TenantCluster names another profile, and the old one is gone',
      { ...files, ...BAD, [PROFILE]: profile('open', 'baseline'), 'tenants/dev/tenant.yaml': tenant('dev', { profile: 'open' }) },
    ],
  ])('keeps the priority level that its FlowSchema names, and its policies: %s', (_, given) => {
    const result = planFiles(given, { maxDeletions: 100 }, treeOn(files));
    expect(treeOn(files).map(({ source }) => source.path)).toContain(LEVEL);
    expect(result.removed.filter((path) => path.startsWith('platform/'))).toEqual([]);
  });
});
