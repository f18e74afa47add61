import type { RuleId } from '../translate/rules.ts';

/**
 * The field of the configuration that a rule follows, where it follows one. A rule without a row holds for every tenant, whatever
 * is configured.
 */
const FIELDS: Partial<Readonly<Record<RuleId, readonly [kind: 'IsolationProfile' | 'TenantCluster', field: string]>>> = {
  'rw.runtime-class': ['IsolationProfile', 'runtimeClassName'],
  'rw.security-context': ['IsolationProfile', 'podSecurity'],
  'rw.user-namespace': ['IsolationProfile', 'userNamespaces'],
  'rw.resources': ['IsolationProfile', 'limits'],
  'rw.priority': ['IsolationProfile', 'allow.priorityClasses'],
  'rw.dns': ['TenantCluster', 'networking.dns'],
};

/** The cause of what a rule changed, as decisions spell causes: `IsolationProfile/restricted#runtimeClassName`. */
export function causeOfRule(rule: RuleId, tenant: { readonly name: string; readonly profile: string }): string | undefined {
  const [kind, field] = FIELDS[rule] ?? [];
  if (kind === undefined || field === undefined) return undefined;
  return `${kind}/${kind === 'IsolationProfile' ? tenant.profile : tenant.name}#${field}`;
}
