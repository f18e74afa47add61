import { describe, expect, test } from 'vitest';
import { compileDnsServer } from '../../../src/core/dns/server.ts';
import { compileIsolation } from '../../../src/core/isolation/compile.ts';
import type { CompiledObject } from '../../../src/core/isolation/compiled-object.ts';
import { controlMatrix } from '../../../src/core/isolation/controls.ts';
import { compileProfile, compileShared } from '../../../src/core/isolation/platform.ts';
import type { TenantContext } from '../../../src/core/plan/tenant-context.ts';
import { tenantContext } from './tenant.ts';

/** All that enforces a tenant's controls: its own objects, and those that its profile has once on the host. */
function compiled(ctx: TenantContext): readonly CompiledObject[] {
  return [
    ...compileIsolation(ctx, []),
    ...compileDnsServer(ctx, []),
    ...compileProfile(ctx.profile, ctx.host).objects,
    ...compileShared(ctx.host),
  ];
}

const levels = ['baseline', 'restricted', 'sandboxed'] as const;

describe('declared controls', () => {
  test.each(levels)('of %s are each enforced by something, or said not to be', (level) => {
    for (const egressPolicy of ['deny-by-default', 'allow-same-tenant', 'unrestricted'] as const) {
      const ctx = tenantContext({ profile: { level }, tenant: { egressPolicy, resources: { cpu: '4' }, podCIDR: '10.0.0.0/16' } });
      for (const row of controlMatrix(ctx, compiled(ctx))) {
        const said = row.enforcedBy.length > 0 || row.notEnforced !== undefined;
        expect(said, `${level} ${row.field}=${row.value}`).toBe(true);
      }
    }
  });

  test('that admission policies alone enforce are said to be open on a host before 1.30', () => {
    const ctx = tenantContext({ host: { minor: 29 } });
    const open = controlMatrix(ctx, compiled(ctx)).filter(({ notEnforced }) => notEnforced !== undefined);
    expect(open.map(({ field }) => field)).toEqual(['always.ownObjects', 'always.namespaces']);
  });

  test('of restricted and what enforces them', () => {
    const ctx = tenantContext({ tenant: { egressPolicy: 'allow-same-tenant', resources: { cpu: '4' } } });
    const rows = controlMatrix(ctx, compiled(ctx));
    const policy = (name: string): string => `ValidatingAdmissionPolicy/tenantplane-${ctx.profile.name}-${name}`;
    expect(Object.fromEntries(rows.map((row) => [`${row.field}=${row.value}`, row.enforcedBy]))).toMatchObject({
      'controls.podSecurity=restricted': ['Namespace/team-dev', 'Namespace/cp-x-dev-x-team-dev', policy('pods'), 'render'],
      'controls.defaultDenyNetworkPolicy=true': ['NetworkPolicy/tenantplane-default-deny', policy('networks')],
      'controls.requireResourceRequests=true': ['LimitRange/tenantplane-defaults', 'render'],
      'controls.blockHostPathVolumes=true': ['Namespace/team-dev', 'Namespace/cp-x-dev-x-team-dev', policy('pods'), 'render'],
      'controls.blockPrivilegedContainers=true': ['Namespace/team-dev', 'Namespace/cp-x-dev-x-team-dev', policy('pods'), 'render'],
      'controls.apiFairness=tenant': ['FlowSchema/tenantplane-team-dev', 'PriorityLevelConfiguration/tenantplane-tenant'],
      'networking.egressPolicy=allow-same-tenant': [
        'NetworkPolicy/tenantplane-default-deny',
        'NetworkPolicy/tenantplane-allow-same-tenant',
        policy('networks'),
      ],
      'resources=cpu=4': ['ResourceQuota/tenantplane-quota'],
      'allow.priorityClasses=none': ['ResourceQuota/tenantplane-no-high-priority', policy('pods'), policy('workloads'), 'render'],
      'always.disruptionBudgets=none that lets no pod go': ['ValidatingAdmissionPolicy/tenantplane-shared-disruptions', 'render'],
      'always.ownObjects=tenantplane-… written by trusted writers': ['ValidatingAdmissionPolicy/tenantplane-shared-objects'],
    });
  });

  test.each<[Parameters<typeof tenantContext>[0], string[]]>([
    [{}, []],
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
    [{ profile: { level: 'baseline' }, tenant: { dnsServiceIP: '10.96.0.53', dns: 'server' } }, []],
  ])('that nothing enforces are named (%j)', (given, fields) => {
    const ctx = tenantContext(given);
    const rows = controlMatrix(ctx, compiled(ctx)).filter(({ notEnforced }) => notEnforced !== undefined);
    expect(rows.map(({ field }) => field)).toEqual(fields);
    for (const { notEnforced } of rows) expect([notEnforced?.why, notEnforced?.fix]).not.toContain('');
  });
});
