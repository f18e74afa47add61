import { contains, formatCidr, parseAddress, parseCidr } from '../kube/cidr.ts';
import type { HostFacts, TenantSettings } from '../plan/settings.ts';

/** Something in a tenant's DNS settings that the host would refuse, or that would take another tenant's address. */
export interface DnsProblem {
  readonly tenant: TenantSettings;
  readonly pointer: string;
  readonly what: string;
  readonly fix: string;
}

const POINTER = '/spec/networking/dnsServiceIP';

/** Checks of the whole fleet: each DNS server needs an address of its own, inside the host's service range where that is known. */
export function dnsProblems(tenants: readonly TenantSettings[], host: HostFacts): readonly DnsProblem[] {
  const servers = tenants.filter((tenant) => tenant.dns === 'server');
  const holders = new Map<string, TenantSettings[]>();
  for (const tenant of servers) {
    const address = canonical(tenant.dnsServiceIP);
    if (address !== undefined) holders.set(address, [...(holders.get(address) ?? []), tenant]);
  }
  return servers.flatMap((tenant) => {
    const problem = problemOf(tenant, host, holders);
    return problem === undefined ? [] : [{ tenant, pointer: POINTER, ...problem }];
  });
}

function problemOf(
  tenant: TenantSettings,
  host: HostFacts,
  holders: ReadonlyMap<string, readonly TenantSettings[]>,
): Pick<DnsProblem, 'what' | 'fix'> | undefined {
  const { dnsServiceIP } = tenant;
  const where = `of TenantCluster ${tenant.namespace}/${tenant.name}`;
  if (dnsServiceIP === undefined) {
    return {
      what: `networking.dns: server ${where} needs networking.dnsServiceIP, the address that its pods ask`,
      fix: 'Set networking.dnsServiceIP to a free address of the host’s service range.',
    };
  }
  const address = parseAddress(dnsServiceIP);
  if (address === undefined) {
    return {
      what: `networking.dnsServiceIP ${dnsServiceIP} ${where} is no IP address`,
      fix: 'Set a free address of the host’s service range.',
    };
  }
  const others = (holders.get(canonical(dnsServiceIP) ?? '') ?? []).filter((other) => other !== tenant);
  if (others.length > 0) {
    const names = others.map((other) => `${other.namespace}/${other.name}`).join(', ');
    return {
      what: `networking.dnsServiceIP ${dnsServiceIP} ${where} is also that of ${names}`,
      fix: 'Give each tenant an address of its own.',
    };
  }
  const ranges = host.serviceCIDRs.map(parseCidr).filter((range) => range !== undefined);
  if (ranges.length > 0 && !ranges.some((range) => contains(range, address))) {
    return {
      what: `networking.dnsServiceIP ${dnsServiceIP} ${where} is outside the host’s service range ${host.serviceCIDRs.join(', ')}`,
      fix: 'Set a free address of that range.',
    };
  }
  return undefined;
}

/** One text for each address, however it is written. */
function canonical(text: string | undefined): string | undefined {
  const address = parseAddress(text ?? '');
  return address === undefined ? undefined : formatCidr({ ...address, prefix: address.bits });
}
