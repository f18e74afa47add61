import { KEY } from '../identity/metadata.ts';
import { contains, formatCidr, parseCidr } from '../kube/cidr.ts';
import type { JsonObject } from '../kube/json.ts';
import type { DnsPeer, ProfileSettings } from '../plan/settings.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { RECONCILER } from './reconciler.ts';

/** The pod label of a tenant's control plane. */
export const CONTROL_PLANE_POD: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'tenantplane-control-plane' };

const KUBE_DNS: DnsPeer = { namespace: 'kube-system', podLabels: { 'k8s-app': 'kube-dns' }, port: 53 };

/** The tenant's own namespace of that role. All three labels, since a tenant's name alone is not unique in the fleet. */
export function tenantNamespace(ctx: TenantContext, role: 'workload' | 'control-plane'): JsonObject {
  return {
    matchLabels: { [KEY.role]: role, [KEY.tenant]: ctx.tenantLabel, [KEY.tenantNamespace]: ctx.tenant.namespace },
  };
}

export function controlPlanePeer(ctx: TenantContext): JsonObject {
  return { namespaceSelector: tenantNamespace(ctx, 'control-plane'), podSelector: { matchLabels: { ...CONTROL_PLANE_POD } } };
}

export function reconcilerPeer(): JsonObject {
  return {
    namespaceSelector: hostNamespace(RECONCILER.namespace),
    podSelector: { matchLabels: { 'app.kubernetes.io/name': RECONCILER.name } },
  };
}

/** A namespace of the host by its name, a label that the API server sets itself (KEP-2161). */
export function hostNamespace(name: string): JsonObject {
  return { matchLabels: { 'kubernetes.io/metadata.name': name } };
}

/** The DNS servers of the host that pods ask. */
export function dnsPeers(network: ProfileSettings['network']): readonly DnsPeer[] {
  return network.dnsPeers.length > 0 ? network.dnsPeers : [KUBE_DNS];
}

/** One rule for each kind of DNS server of the host; ports are the pods', since policies see traffic after DNAT. */
export function dnsRules(ctx: TenantContext): JsonObject[] {
  return dnsPeers(ctx.profile.network).map((peer) => ({
    to: [{ namespaceSelector: hostNamespace(peer.namespace), podSelector: { matchLabels: { ...peer.podLabels } } }],
    ports: [
      { protocol: 'UDP', port: peer.port },
      { protocol: 'TCP', port: peer.port },
    ],
  }));
}

/**
 * What "the internet" leaves out: cloud metadata of AWS (link-local, and fd00:ec2::/32), Alibaba, Oracle and Azure; link-local,
 * loopback, private and carrier-grade ranges, where the host's pods, Services and nodes usually are; and IPv6 ranges whose addresses
 * a NAT64 gateway turns into any IPv4 address, also one of those (RFC 6052, RFC 8215).
 */
const NOT_INTERNET = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '100.100.100.200/32',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.192/32',
  '192.168.0.0/16',
  '64:ff9b:1::/48',
  '64:ff9b::/96',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
] as const;

/**
 * The internet as ipBlock peers. Ranges are canonical and none lies inside another (strict validation from Kubernetes 1.36);
 * a family of which the host's ranges take everything has no peer. A host range that cannot be read leaves no peer at all:
 * what it meant to close must not stay open.
 */
export function internetPeers(hostCIDRs: readonly string[]): JsonObject[] {
  const ranges = [...NOT_INTERNET, ...hostCIDRs].map(parseCidr);
  const known = ranges.filter((range) => range !== undefined);
  if (known.length < ranges.length) return [];
  return (['0.0.0.0/0', '::/0'] as const).flatMap((cidr) => {
    const all = parseCidr(cidr);
    const inside = known.filter((range) => all !== undefined && contains(all, range));
    if (inside.some((range) => range.prefix === 0)) return [];
    const widest = inside.filter((range) => !inside.some((other) => other.prefix < range.prefix && contains(other, range)));
    return [{ ipBlock: { cidr, except: [...new Set(widest.map(formatCidr))].sort() } }];
  });
}
