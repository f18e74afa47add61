import { describe, expect, it } from 'vitest';
import { plan } from '../../../src/core/plan/plan.ts';
import type { Plan } from '../../../src/core/plan/plan-types.ts';
import { devPackage, type Files, observe, planFiles, previousOf, profile, tenant, treeOf } from '../../support/observe.ts';

const FLOW = 'platform/flowschema.flowcontrol.apiserver.k8s.io_tenantplane-team-dev.yaml';
const LEVEL = 'platform/prioritylevelconfiguration.flowcontrol.apiserver.k8s.io_tenantplane-tenant.yaml';
const files = devPackage({});
const old = previousOf(planFiles(files));

function platformOf(result: Plan): string[] {
  return [...treeOf(result).keys()].filter((path) => path.startsWith('platform/')).sort();
}

const PROFILES = 'platform/profile.yaml';

function withProfile(text: string): Files {
  return { ...files, [PROFILES]: text };
}

describe('what the fleet shares', () => {
  it('stands once, whatever the number of tenants, and each tenant has a flow of its own', () => {
    const two = { ...files, 'tenants/qa/tenant.yaml': tenant('qa') };
    expect(platformOf(planFiles(files))).toEqual(expect.arrayContaining([FLOW, LEVEL]));
    const added = platformOf(planFiles(two)).filter((path) => !platformOf(planFiles(files)).includes(path));
    expect(added).toEqual([FLOW.replace('team-dev', 'team-qa')]);
  });

  it('is another package’s where its profile is', () => {
    const foreign = plan({ ...observe(files), foreign: ({ path }) => path === PROFILES });
    expect(platformOf(foreign)).toEqual([FLOW]);
    expect(foreign.tenants[0]?.controls.find(({ field }) => field === 'controls.apiFairness')?.enforcedBy).toContain(
      'PriorityLevelConfiguration/tenantplane-tenant',
    );
  });

  it('goes when no profile asks for it any more', () => {
    const baseline = planFiles(withProfile(profile('restricted', 'baseline')), { maxDeletions: 100 }, old);
    expect(baseline.removed).toEqual(expect.arrayContaining([FLOW, LEVEL]));
    const gone = [...baseline.decisions, ...baseline.tenants.flatMap(({ decisions }) => decisions)].filter(({ host }) =>
      [FLOW, LEVEL].includes(host?.file ?? ''),
    );
    expect(gone.map(({ reason, message }) => [reason, message]).sort()).toEqual([
      ['ScopeRemoved', expect.stringContaining('no longer ask for it')],
      ['ScopeRemoved', expect.stringContaining('no profile of the package asks for it')],
    ]);
  });

  it.each<[string, Files]>([
    ['the profile is missing', withProfile('')],
    ['the profile is not legal', withProfile(profile('restricted', 'loose'))],
    ['the tenant is frozen', { ...files, 'tenants/dev/objects/tc.yaml': tenant('mine') }],
  ])('stays as long as the tenants that need it: %s', (_, given) => {
    const result = planFiles(given, { maxDeletions: 100 }, old);
    expect(result.tenants.map(({ frozen }) => frozen !== undefined)).toEqual([true]);
    expect(result.removed.filter((path) => path.startsWith('platform/'))).toEqual([]);
  });

  it('goes with the last tenant of the fleet', () => {
    const { 'tenants/dev/tenant.yaml': _gone, ...rest } = files;
    const result = planFiles(rest, { maxDeletions: 100, allowEmpty: true }, old);
    expect(result.removed).toContain(FLOW);
    expect(result.decisions.find(({ host }) => host?.file === FLOW)?.reason).toBe('TenantRemoved');
  });
});
