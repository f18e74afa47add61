import { describe, expect, test } from 'vitest';
import { dnsProblems } from '../../../src/core/dns/dns-problems.ts';
import { tenantContext } from '../isolation/tenant.ts';

const tenant = (name: string, dnsServiceIP?: string) =>
  tenantContext({ tenant: { name, namespace: `team-${name}`, dns: 'server', ...(dnsServiceIP !== undefined && { dnsServiceIP }) } }).tenant;
const problems = (tenants: ReturnType<typeof tenant>[], serviceCIDRs: string[] = []) =>
  dnsProblems(tenants, {
    clusterDomain: 'cluster.local',
    serviceCIDRs,
    trustedWriters: [],
    trustedGroups: [],
    runtimeTolerations: new Map(),
  }).map(({ what }) => what);

describe('DNS addresses over the fleet', () => {
  test('that differ and lie in the host’s range are fine', () => {
    expect(
      problems([tenant('a', '10.96.0.53'), tenant('b', '10.96.0.54'), tenant('c', 'fd00::53')], ['10.96.0.0/12', 'fd00::/108']),
    ).toEqual([]);
  });

  test('of two tenants at once are named on both sides, however they are written', () => {
    expect(problems([tenant('a', 'fd00::53'), tenant('b', 'FD00:0::53')])).toEqual([
      'networking.dnsServiceIP fd00::53 of TenantCluster team-a/a is also that of team-b/b',
      'networking.dnsServiceIP FD00:0::53 of TenantCluster team-b/b is also that of team-a/a',
    ]);
  });

  test('outside the host’s range are named, and unknown ranges rule nothing out', () => {
    expect(problems([tenant('a', '192.168.0.53')], ['10.96.0.0/12'])).toEqual([
      'networking.dnsServiceIP 192.168.0.53 of TenantCluster team-a/a is outside the host’s service range 10.96.0.0/12',
    ]);
    expect(problems([tenant('a', '192.168.0.53')])).toEqual([]);
  });

  test.each([
    [undefined, 'networking.dns: server of TenantCluster team-a/a needs networking.dnsServiceIP, the address that its pods ask'],
    ['10.96.0.300', 'networking.dnsServiceIP 10.96.0.300 of TenantCluster team-a/a is no IP address'],
  ])('%s is no address', (address, what) => {
    expect(problems([tenant('a', address)])).toEqual([what]);
  });

  test('of a tenant in mode aliases do not count', () => {
    const aliases = tenantContext({ tenant: { name: 'b', dns: 'aliases', dnsServiceIP: '10.96.0.53' } }).tenant;
    expect(problems([tenant('a', '10.96.0.53'), aliases])).toEqual([]);
  });
});
