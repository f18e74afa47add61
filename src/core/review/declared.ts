import type { ControlRow } from '../isolation/controls.ts';
import type { JsonObject } from '../kube/json.ts';
import type { TenantPlan } from '../plan/plan-types.ts';
import { resolveProfile } from '../plan/resolve-settings.ts';

/** What a tenant's isolation declares, as text by control, and by which kinds of means each is enforced. */
export interface Declared {
  readonly value: string;
  readonly means: ReadonlySet<string>;
  /** host objects that enforce it: `Kind/name` */
  readonly objects: readonly string[];
  readonly gap?: string;
}

/** @param profile the profile object that the tenant is planned with, where it is known */
export function declaredBy(tenant: TenantPlan, profile: JsonObject | undefined): ReadonlyMap<string, Declared> {
  const declared = new Map<string, Declared>(tenant.controls.map((row) => [row.field, rowOf(row)]));
  if (profile === undefined) return declared;
  for (const [field, value] of Object.entries(profileTexts(profile))) {
    if (value !== undefined) declared.set(field, { value, means: new Set(), objects: [] });
  }
  return declared;
}

function rowOf({ value, enforcedBy, notEnforced }: ControlRow): Declared {
  return {
    value,
    means: new Set(enforcedBy.map((means) => means.split('/', 1)[0] ?? '')),
    objects: enforcedBy,
    ...(notEnforced !== undefined && { gap: notEnforced.why }),
  };
}

/** Fields of a profile that open or close something and are in no row of the controls. */
function profileTexts(object: JsonObject): Readonly<Record<string, string | undefined>> {
  const { allow, network, quota, limits, ingressHostSuffixes } = resolveProfile(object);
  const listed = (names: readonly string[]): string => [...names].sort().join(' ') || 'none';
  const pairs = (record: Readonly<Record<string, string>>): string =>
    Object.entries(record)
      .map(([name, amount]) => `${name}=${amount}`)
      .sort()
      .join(',');
  return {
    'allow.annotations': listed(allow.annotations),
    'allow.externalMetrics': String(allow.externalMetrics),
    'allow.gatewayNamespaces': listed(allow.gatewayNamespaces),
    'allow.secretStores': listed(allow.secretStores),
    'allow.seccompProfiles': listed(allow.seccompProfiles),
    'allow.ingressHostSuffixes': listed(ingressHostSuffixes),
    'network.hostCIDRs': listed(network.hostCIDRs),
    quota: pairs(quota) || undefined,
    limits: pairs(limits.max) || undefined,
  };
}
