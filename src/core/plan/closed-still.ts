import { KEY } from '../identity/metadata.ts';
import { internetPeers } from '../isolation/peers.ts';
import { type Cidr, cover, formatCidr, parseCidr } from '../kube/cidr.ts';
import { asArray, asString, at, type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { annotationsOf, type KubeObject, kindOf } from '../kube/object.ts';
import type { TenantContext } from './tenant-context.ts';

/**
 * Ranges that a projected NetworkPolicy leaves out as it stands, though neither the platform nor the tenant asks for that now: the
 * profile closed them once. A frozen tenant's policy may only become narrower, so it keeps them until the tenant is rendered again.
 *
 * @returns none where the tenant's own policy cannot be read, since a range may be its own then
 */
export function closedStill(policy: KubeObject, ctx: TenantContext): readonly string[] {
  const annotations = annotationsOf(policy);
  const [namespace, name] = [annotations.get(KEY.virtualNamespace) ?? '', annotations.get(KEY.virtualName) ?? ''];
  const source = kindOf(policy) === 'NetworkPolicy' ? ctx.find('NetworkPolicy.networking.k8s.io', namespace, name) : undefined;
  if (source === undefined) return [];
  const asked = [...internetPeers(ctx.profile.network.hostCIDRs), ...peersOf(source.object)].flatMap(exceptions);
  const idle = peersOf(policy)
    .flatMap(exceptions)
    .filter((range) => !cover(asked, range));
  return [...new Set(idle.map(formatCidr))].sort();
}

function peersOf(policy: KubeObject): readonly JsonObject[] {
  return objectsOf(at(policy, 'spec', 'egress')).flatMap((rule) => objectsOf(rule['to']));
}

function exceptions(peer: JsonObject): readonly Cidr[] {
  return (asArray(objectAt(peer, 'ipBlock')?.['except']) ?? []).flatMap((except) => parseCidr(asString(except) ?? '') ?? []);
}
