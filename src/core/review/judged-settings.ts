import { checkConfig } from '../../schema/check-config.ts';
import type { JsonObject } from '../kube/json.ts';
import { nameOf } from '../kube/object.ts';
import { type Assignment, tenantKeyOf } from '../plan/assign.ts';
import type { InputObject, TenantPlan } from '../plan/plan-types.ts';
import { resolvePolicy, resolveProfile, resolveTenant } from '../plan/resolve-settings.ts';
import type { HostFacts, PolicySettings, TenantSettings } from '../plan/settings.ts';
import { tenantId } from './sides.ts';

export type ReviewedProfile = ReturnType<typeof resolveProfile>;

/** The configuration of one tenant, or of a profile alone, as its isolation is judged by it. */
export interface Judged {
  /** the TenantCluster as written, with the defaults of its schema */
  readonly cluster: JsonObject;
  readonly tenant: TenantSettings;
  readonly profile: ReviewedProfile;
  /** undefined of a profile alone */
  readonly policy?: PolicySettings;
  readonly host: HostFacts;
}

/** Configuration of one side by name. */
export interface JudgedSettings {
  /** @param stood the TenantCluster that the tree of a frozen tenant was made from, in the place of the package's */
  ofTenant(tenant: TenantPlan, stood?: JsonObject): Judged | undefined;
  ofProfile(name: string): Judged | undefined;
  readonly profiles: readonly string[];
}

export function judgedSettings({ tenantClusters, profiles, policies }: Assignment, host: HostFacts): JudgedSettings {
  const clusters = new Map(tenantClusters.map(({ object }) => [tenantKeyOf(object), object]));
  const profileOf = byName(profiles, resolveProfile);
  const policyOf = byName(policies, resolvePolicy);
  return {
    ofTenant(plan, stood) {
      const object = stood ?? clusters.get(tenantId(plan));
      const cluster = object === undefined ? undefined : legal(object);
      if (cluster === undefined) return undefined;
      const { profile: name, policy } = resolveTenant(cluster);
      const profile = profileOf(name);
      if (profile === undefined) return undefined;
      const settings = policyOf(policy);
      return { cluster, tenant: resolveTenant(cluster), profile, host, ...(settings !== undefined && { policy: settings }) };
    },
    ofProfile(name) {
      const profile = profileOf(name);
      return profile === undefined ? undefined : { cluster: {}, tenant: resolveTenant({}), profile, host };
    },
    profiles: profiles.map(({ object }) => nameOf(object)),
  };
}

/** As the planner reads it; undefined where the schema refuses it. */
function legal(object: JsonObject): JsonObject | undefined {
  return checkConfig(object).value as JsonObject | undefined;
}

function byName<T>(inputs: readonly InputObject[], resolve: (object: JsonObject) => T): (name: string) => T | undefined {
  // the first of two, as the planner takes it
  const objects = new Map([...inputs].reverse().map(({ object }) => [nameOf(object), object]));
  const known = new Map<string, T | undefined>();
  return (name) => {
    const object = objects.get(name);
    if (object === undefined || known.has(name)) return known.get(name);
    const value = legal(object);
    known.set(name, value === undefined ? undefined : resolve(value));
    return known.get(name);
  };
}
