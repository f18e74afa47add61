import { describe, expect, test } from 'vitest';
import { compileIsolation } from '../../../src/core/isolation/compile.ts';
import { controlMatrix, notEnforced } from '../../../src/core/isolation/controls.ts';
import { tenantContext } from './tenant.ts';

const levels = ['baseline', 'restricted', 'sandboxed'] as const;

describe('declared controls', () => {
  test.each(levels)('of %s are each enforced by something, or said not to be', (level) => {
    for (const egressPolicy of ['deny-by-default', 'allow-same-tenant', 'unrestricted'] as const) {
      const ctx = tenantContext({ profile: { level }, tenant: { egressPolicy, resources: { cpu: '4' }, podCIDR: '10.0.0.0/16' } });
      for (const row of controlMatrix(ctx, compileIsolation(ctx, []))) {
        const said = row.enforcedBy.length > 0 || row.notEnforced !== undefined;
        expect(said, `${level} ${row.field}=${row.value}`).toBe(true);
      }
    }
  });

  test('of restricted and what enforces them', () => {
    const ctx = tenantContext({ tenant: { egressPolicy: 'allow-same-tenant', resources: { cpu: '4' } } });
    const rows = controlMatrix(ctx, compileIsolation(ctx, []));
    expect(Object.fromEntries(rows.map((row) => [`${row.field}=${row.value}`, row.enforcedBy]))).toEqual({
      'controls.podSecurity=restricted': ['Namespace/team-dev', 'Namespace/cp-x-dev-x-team-dev', 'render'],
      'controls.defaultDenyNetworkPolicy=true': ['NetworkPolicy/tenantplane-default-deny'],
      'controls.requireResourceRequests=true': ['LimitRange/tenantplane-defaults', 'render'],
      'controls.blockHostPathVolumes=true': ['Namespace/team-dev', 'Namespace/cp-x-dev-x-team-dev', 'render'],
      'controls.blockPrivilegedContainers=true': ['Namespace/team-dev', 'Namespace/cp-x-dev-x-team-dev', 'render'],
      'controls.apiFairness=tenant': [],
      'networking.egressPolicy=allow-same-tenant': [
        'NetworkPolicy/tenantplane-default-deny',
        'NetworkPolicy/tenantplane-allow-same-tenant',
      ],
      'resources=cpu=4': ['ResourceQuota/tenantplane-quota'],
    });
  });

  test.each<[Parameters<typeof tenantContext>[0], string[]]>([
    [{}, ['controls.apiFairness']],
    [{ profile: { level: 'baseline' } }, []],
    [
      { profile: { level: 'baseline' }, tenant: { podCIDR: '10.0.0.0/16', serviceCIDR: '10.1.0.0/16' } },
      ['networking.podCIDR', 'networking.serviceCIDR'],
    ],
    [{ profile: { level: 'baseline' }, tenant: { egressPolicy: 'unrestricted' } }, ['networking.egressPolicy']],
    [
      {
        profile: { level: 'baseline', network: { hostCIDRs: ['203.0.113.0/24'], dnsPeers: [] } },
        tenant: { egressPolicy: 'unrestricted' },
      },
      [],
    ],
    [{ profile: { level: 'baseline' }, tenant: { dnsServiceIP: '10.96.0.53', dns: 'aliases' } }, ['networking.dnsServiceIP']],
  ])('that nothing enforces are named (%j)', (given, fields) => {
    const rows = notEnforced(tenantContext(given));
    expect(rows.map(({ field }) => field)).toEqual(fields);
    for (const { why, fix } of rows) expect([why, fix]).not.toContain('');
  });
});
