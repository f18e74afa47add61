import { hostNamespace, internetPeers } from '../../isolation/peers.ts';
import { type Cidr, contains, formatCidr, parseCidr } from '../../kube/cidr.ts';
import { asArray, asString, type JsonObject, objectAt, stringAt } from '../../kube/json.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { type NamespaceReach, scopedSelector, selectedNamespaces } from '../selectors.ts';

export type Direction = 'ingress' | 'egress';
/** The field of a rule that lists its peers. */
export const PEERS: Readonly<Record<Direction, 'from' | 'to'>> = { ingress: 'from', egress: 'to' };

export interface TranslatedPeer {
  /** undefined where the peer is left out */
  readonly peer?: JsonObject;
  /** what it would have opened; undefined where it merely selects nothing */
  readonly widens?: string;
}

/**
 * A peer as it stands on the host, where all virtual namespaces of a tenant share one: pods by labels, tenant and virtual
 * namespace, whichever way the tenant named them. Selected by label, a peer is the tenant's own and widens nothing.
 */
export function translatePeer(peer: JsonObject, direction: Direction, virtualNamespace: string, ctx: TenantContext): TranslatedPeer {
  const block = objectAt(peer, 'ipBlock');
  if (block !== undefined) return translateBlock(block, direction, ctx);
  const namespaces = objectAt(peer, 'namespaceSelector');
  const pods = objectAt(peer, 'podSelector');
  if (namespaces === undefined && pods === undefined) return { widens: 'a peer that names nobody' };
  const reach: NamespaceReach = namespaces === undefined ? [virtualNamespace] : selectedNamespaces(ctx, namespaces);
  if (reach.length === 0) return {};
  // Names of pods in labels are those of the one namespace meant; with several there is no single pod of that name.
  const named = reach !== 'all' && reach.length === 1 ? (reach[0] ?? virtualNamespace) : virtualNamespace;
  return { peer: { podSelector: scopedSelector(pods ?? {}, ctx, named, reach) } };
}

/** The peers that "everyone" comes down to, or undefined where the profile leaves that direction open and nothing need be said. */
export function everyonePeers(ctx: TenantContext, direction: Direction): JsonObject[] | undefined {
  if (direction === 'ingress' && !ctx.profile.defaultDeny) return undefined;
  const tenant: JsonObject = { podSelector: scopedSelector({}, ctx, '', 'all') };
  if (direction === 'egress') return [tenant, ...internet(ctx)];
  // Gateways are everyone too: a pod with such a policy is no longer covered by our allowance for them.
  return [tenant, ...[...ctx.profile.allow.gatewayNamespaces].sort().map((name) => ({ namespaceSelector: hostNamespace(name) }))];
}

/** What the tenant may reach outside the cluster: nothing, or the internet without the host's and private ranges. */
function internet(ctx: TenantContext): JsonObject[] {
  const open = ctx.tenant.egressPolicy === 'unrestricted' && ctx.profile.level !== 'sandboxed';
  return open ? internetPeers(ctx.profile.network.hostCIDRs) : [];
}

/** A range of addresses: towards the tenant never, from it the part that is internet, and only where egress is unrestricted. */
function translateBlock(block: JsonObject, direction: Direction, ctx: TenantContext): TranslatedPeer {
  const text = stringAt(block, 'cidr') ?? '';
  const wanted = parseCidr(text);
  const what = direction === 'ingress' ? `calls from addresses ${text}` : `calls to addresses ${text}`;
  if (direction === 'ingress' || wanted === undefined) return { widens: what };
  const own = (asArray(block['except']) ?? []).flatMap((except) => parseCidr(asString(except) ?? '') ?? []);
  for (const peer of internet(ctx)) {
    const all = parseCidr(stringAt(peer, 'ipBlock', 'cidr') ?? '');
    if (all === undefined || !contains(all, wanted)) continue;
    const closed = (asArray(objectAt(peer, 'ipBlock')?.['except']) ?? []).flatMap((except) => parseCidr(asString(except) ?? '') ?? []);
    if (closed.some((range) => contains(range, wanted))) return { widens: what };
    const except = outermost([...own, ...closed.filter((range) => contains(wanted, range))]);
    return { peer: { ipBlock: { cidr: formatCidr(wanted), ...(except.length > 0 && { except: except.map(formatCidr).sort() }) } } };
  }
  return { widens: what };
}

function outermost(ranges: readonly Cidr[]): Cidr[] {
  return ranges.filter(
    (range, index) => !ranges.some((other, at) => at !== index && contains(other, range) && (other.prefix < range.prefix || at < index)),
  );
}
