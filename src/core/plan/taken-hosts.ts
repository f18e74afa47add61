import type { Refusal } from '../translate/edit.ts';
import { claimedHosts } from '../translate/kinds/ingress-hosts.ts';
import type { TenantDraft } from './draft-tenant.ts';
import type { OldTree } from './old-tree.ts';
import type { InputObject } from './plan-types.ts';
import { isProjected, placeOf } from './project.ts';

/** Refusals by the place of the object in the input. */
export type PlacedRefusals = ReadonlyMap<string, Refusal>;

/** One tenant's input, and its draft for whoever needs it. */
export interface Claimant {
  readonly tenant: string;
  readonly inputs: readonly InputObject[];
  draft(): TenantDraft;
}

/**
 * Over the fleet the incumbent keeps a host, whether a rule of an Ingress claims it or an annotation of any object; without one, nobody gets it. One tenant may repeat its own. Tenants are
 * drafted here only where two of them name one host, so that a fleet is not held in memory for a conflict that it does not have.
 */
export function takenHosts(claimants: readonly Claimant[], old: OldTree): PlacedRefusals {
  const rivals = rivalsIn(claimants);
  if (rivals.length === 0) return new Map();
  const claims = new Map<string, { readonly tenant: string; readonly place: string }[]>();
  for (const { tenant, draft } of rivals) {
    for (const projection of draft().projections) {
      if (projection.edit === undefined || !isProjected(projection)) continue;
      for (const host of claimedHosts(projection.edit.object)) push(claims, host, { tenant, place: placeOf(projection) });
    }
  }
  const refusals = new Map<string, Refusal>();
  for (const [host, list] of claims) {
    const tenants = [...new Set(list.map(({ tenant }) => tenant))].sort();
    if (tenants.length < 2) continue;
    const incumbent = old.incumbentOf(host);
    for (const { tenant, place } of list) {
      if (tenant === incumbent) continue;
      const owner = incumbent ?? tenants.filter((other) => other !== tenant).join(', ');
      refusals.set(place, { reason: 'IngressHostTaken', params: { host, owner: `tenant ${owner}` } });
    }
  }
  return refusals;
}

/** Tenants that name a host which another one names as well, whether or not either would be projected. */
function rivalsIn(claimants: readonly Claimant[]): readonly Claimant[] {
  const byHost = new Map<string, Claimant[]>();
  for (const claimant of claimants) {
    const hosts = new Set(claimant.inputs.flatMap(({ object }) => claimedHosts(object)));
    for (const host of hosts) push(byHost, host, claimant);
  }
  const rivals = new Set<Claimant>();
  for (const list of byHost.values()) if (list.length > 1) for (const claimant of list) rivals.add(claimant);
  return claimants.filter((claimant) => rivals.has(claimant));
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
