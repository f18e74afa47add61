import { internetPeers } from '../../isolation/peers.ts';
import { type Cidr, contains, formatCidr, parseCidr } from '../../kube/cidr.ts';
import { asArray, asString, isObject, type JsonObject, objectAt, stringAt } from '../../kube/json.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { type NamespaceReach, scopedSelector, selectedNamespaces } from '../selectors.ts';

export type Direction = 'ingress' | 'egress';
/** The field of a rule that lists its peers. */
export const PEERS: Readonly<Record<Direction, 'from' | 'to'>> = { ingress: 'from', egress: 'to' };

export interface TranslatedPeer {
  /** none where the peer is left out */
  readonly peers: readonly JsonObject[];
  /** what it would have opened; undefined where it opens no more than it may, or selects nothing */
  readonly widens?: string;
}

/** All addresses of a family: the usual way to write "everyone", whose pods have addresses too. */
type Family = '0.0.0.0/0' | '::/0';

/** Whether a rule of the tenant's is for everyone: it names nobody, or all addresses of a family without exception. */
export function meansEveryone(rule: JsonObject, direction: Direction): boolean {
  const peers = asArray(rule[PEERS[direction]]) ?? [];
  return peers.length === 0 || peers.some((peer) => isObject(peer) && wholeFamily(objectAt(peer, 'ipBlock')) !== undefined);
}

function wholeFamily(block: JsonObject | undefined): Family | undefined {
  const range = parseCidr(stringAt(block, 'cidr') ?? '');
  if (range?.prefix !== 0 || (asArray(block?.['except']) ?? []).length > 0) return undefined;
  return formatCidr(range) === '::/0' ? '::/0' : '0.0.0.0/0';
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
  if (namespaces === undefined && pods === undefined) return { peers: [], widens: 'a peer that names nobody' };
  const reach: NamespaceReach = namespaces === undefined ? [virtualNamespace] : selectedNamespaces(ctx, namespaces);
  if (reach.length === 0) return { peers: [] };
  return { peers: [{ podSelector: scopedSelector(pods ?? {}, ctx, virtualNamespace, reach) }] };
}

/** Whether the profile leaves that direction open, so that "everyone" may stay. */
export function leftOpen(ctx: TenantContext, direction: Direction): boolean {
  return direction === 'ingress' && !ctx.profile.defaultDeny;
}

/**
 * The peers that "everyone" comes down to where the profile closes the direction. Gateways are not among them: here they could
 * call all pods that the policy selects, so what they may call is an allowance of ours (`isolation/gateway-allowances.ts`).
 */
export function everyonePeers(ctx: TenantContext, direction: Direction, families: readonly Family[] = ['0.0.0.0/0', '::/0']): JsonObject[] {
  const tenant: JsonObject = { podSelector: scopedSelector({}, ctx, '', 'all') };
  if (direction === 'ingress') return [tenant];
  return [tenant, ...internet(ctx).filter((peer) => families.some((family) => family === stringAt(peer, 'ipBlock', 'cidr')))];
}

/** The same in words, for those who wrote the rule. */
export function everyoneIs(ctx: TenantContext, direction: Direction): string {
  const gateways = ctx.profile.allow.gatewayNamespaces.length > 0;
  if (direction === 'ingress') return `the tenant’s own pods${gateways ? ', and gateways where an Ingress leads' : ''}`;
  return internet(ctx).length > 0 ? 'the tenant’s own pods and the internet' : 'the tenant’s own pods';
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
  const widens = direction === 'ingress' ? `calls from addresses ${text}` : `calls to addresses ${text}`;
  const family = wholeFamily(block);
  if (family !== undefined) return { peers: everyonePeers(ctx, direction, [family]), widens };
  if (direction === 'ingress' || wanted === undefined) return { peers: [], widens };
  const own = (asArray(block['except']) ?? []).flatMap((except) => parseCidr(asString(except) ?? '') ?? []);
  for (const peer of internet(ctx)) {
    const all = parseCidr(stringAt(peer, 'ipBlock', 'cidr') ?? '');
    if (all === undefined || !contains(all, wanted)) continue;
    const closed = (asArray(objectAt(peer, 'ipBlock')?.['except']) ?? []).flatMap((except) => parseCidr(asString(except) ?? '') ?? []);
    if (closed.some((range) => contains(range, wanted))) return { peers: [], widens };
    const except = outermost([...own, ...closed.filter((range) => contains(wanted, range))]);
    return { peers: [{ ipBlock: { cidr: formatCidr(wanted), ...(except.length > 0 && { except: except.map(formatCidr).sort() }) } }] };
  }
  return { peers: [], widens };
}

/** Ranges are nested or apart, so in order of address, wide ones first, the last one kept is the only one that could hold the next. */
function outermost(ranges: readonly Cidr[]): Cidr[] {
  const ordered = [...ranges].sort((a, b) => a.bits - b.bits || (a.value < b.value ? -1 : a.value > b.value ? 1 : a.prefix - b.prefix));
  const kept: Cidr[] = [];
  for (const range of ordered) {
    const outer = kept.at(-1);
    if (outer === undefined || !contains(outer, range)) kept.push(range);
  }
  return kept;
}
