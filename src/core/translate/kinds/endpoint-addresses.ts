import { malformed } from '../../checks/shape.ts';
import { type Cidr, contains, parseAddress, parseCidr } from '../../kube/cidr.ts';
import { at, isObject, type Json, type Path, stringAt } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit, Refusal } from '../edit.ts';
import { isDnsName, listed, underSuffix } from './dns-suffix.ts';
import { referTo } from './reference.ts';

/** Destinations that a node would reach on itself or on its own link: its services, its cloud's metadata (CVE-2021-25737). */
const CLOSED: readonly (readonly [range: string, name: string])[] = [
  ['0.0.0.0/8', 'this host'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['::/128', 'this host'],
  ['::1/128', 'loopback'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
  ['fd00:ec2::/32', 'cloud metadata'],
  ['64:ff9b::/96', 'an IPv4 address behind NAT64'],
  ['64:ff9b:1::/48', 'an IPv4 address behind NAT64'],
];
const CLOSED_RANGES: readonly { readonly range: Cidr; readonly name: string }[] = CLOSED.flatMap(([text, name]) => {
  const range = parseCidr(text);
  return range === undefined ? [] : [{ range, name }];
});

/** Why an endpoint address is refused; undefined where it is an ordinary address. */
export function addressRefusal(address: Json | undefined, path: Path): Refusal | undefined {
  const parsed = typeof address === 'string' ? parseAddress(address) : undefined;
  if (typeof address !== 'string' || parsed === undefined) return malformed(path, address, 'an IP address');
  // the API server's own readers differ on what such an address is, so it is none here
  const mapped = parsed.bits === 32 && address.includes(':') ? 'an IPv4 address in IPv6 form' : undefined;
  const why = mapped ?? CLOSED_RANGES.find(({ range }) => contains(range, parsed))?.name;
  return why === undefined ? undefined : { reason: 'EndpointAddressBlocked', params: { address, why }, path };
}

/** A name in a slice of address type FQDN is followed like an ExternalName. */
export function nameRefusal(name: Json | undefined, path: Path, ctx: TenantContext): Refusal | undefined {
  if (typeof name !== 'string' || !isDnsName(name)) return malformed(path, name, 'a DNS name');
  const { externalNames } = ctx.profile.allow;
  if (underSuffix(name, externalNames)) return undefined;
  return { reason: 'ExternalNameBlocked', params: { value: name, allowed: listed(externalNames) }, path };
}

/**
 * What an endpoint says about itself: a pod of the tenant is named as on the host, any other target is left out, and so is the
 * node, since nodes are the host's.
 */
export function translateEndpoint(edit: Edit, path: Path, subject: Subject, ctx: TenantContext): void {
  edit.remove([...path, 'nodeName'], 'rw.reference');
  const target = at(edit.object, ...path, 'targetRef');
  if (!isObject(target)) return;
  const name = stringAt(target, 'name') ?? '';
  const namespace = stringAt(target, 'namespace') || subject.virtualNamespace;
  if (stringAt(target, 'kind') !== 'Pod' || namespace !== subject.virtualNamespace || ctx.find('Pod', namespace, name) === undefined) {
    edit.remove([...path, 'targetRef'], 'rw.reference');
    return;
  }
  referTo(edit, [...path, 'targetRef', 'name'], ctx, 'Pod', namespace);
  edit.set([...path, 'targetRef', 'namespace'], ctx.tenant.namespace, 'rw.reference');
  for (const field of ['uid', 'resourceVersion']) edit.remove([...path, 'targetRef', field], 'rw.strip-server-fields');
}
