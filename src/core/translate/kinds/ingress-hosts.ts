import { asArray, type Json, type Path } from '../../kube/json.ts';
import { type KubeObject, kindOf } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { Refusal } from '../edit.ts';
import { isDnsName, listed, underSuffix } from './dns-suffix.ts';
import { annotatedHosts } from './host-annotations.ts';
import { itemsAt } from './items.ts';

interface HostClaim {
  readonly host: Json | undefined;
  readonly path: Path;
}

/** Every place where an Ingress names a host: rules, and certificates, since a controller may answer for those alone. */
function hostClaims(object: KubeObject): HostClaim[] {
  const rules = itemsAt(object, 'spec', 'rules').map(({ item, path }) => ({ host: item['host'], path: [...path, 'host'] }));
  const tls = itemsAt(object, 'spec', 'tls').flatMap(({ item, path }) =>
    (asArray(item['hosts']) ?? []).map((host, index) => ({ host, path: [...path, 'hosts', index] })),
  );
  return [...rules, ...tls];
}

/** The hosts that an Ingress answers for by its rules and certificates, sorted, once each. */
export function specHosts(object: KubeObject): string[] {
  return sortedHosts(hostClaims(object).flatMap(({ host }) => (typeof host === 'string' ? [host] : [])));
}

/** All hosts that an object claims: any one by annotations, an Ingress by its rules too. Over the fleet a host has one owner. */
export function claimedHosts(object: KubeObject): string[] {
  const annotated = annotatedHosts(object);
  return kindOf(object) === 'Ingress'
    ? sortedHosts([...specHosts(object), ...annotated])
    : annotated.length === 0
      ? []
      : sortedHosts(annotated);
}

function sortedHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host) => host.toLowerCase()).filter((host) => host !== ''))].sort();
}

/** A host that is empty or a wildcard claims names of others; any other one must lie under a suffix of the tenant's. */
export function hostRefusals(object: KubeObject, ctx: TenantContext): Refusal[] {
  const suffixes = ctx.tenant.ingressHostSuffixes;
  const claims = hostClaims(object);
  const refusals: Refusal[] = [];
  const refuse = (host: string, path: Path): void => {
    refusals.push({ reason: 'IngressHostBlocked', params: { host, allowed: listed(suffixes) }, path });
  };
  for (const { host, path } of claims) {
    if (typeof host !== 'string' || host === '') refuse('"" (every host)', path);
    else if (!isDnsName(host) || !underSuffix(host, suffixes)) refuse(host, path);
  }
  if (claims.length === 0) refuse('"" (every host)', ['spec', 'rules']);
  return refusals;
}
