import type { Plan, TenantPlan } from '../../core/plan/plan-types.ts';
import { concerns } from '../../report/render-text.ts';
import { tenantId } from '../../report/tally.ts';
import { TenantplaneError } from '../errors.ts';
import { noTenant } from '../package/no-tenant.ts';

/**
 * The part of a plan that `--tenant` asks for. Everything was checked; this limits what is written and told: the tenants'
 * own folders, but nothing shared.
 * @param names `NAME` or `NAMESPACE/NAME`; none means all
 */
export function selectTenants(plan: Plan, names: readonly string[]): Plan {
  if (names.length === 0) return plan;
  const chosen = new Set<TenantPlan>();
  for (const name of names) {
    const found = plan.tenants.filter((tenant) => tenantId(tenant) === name || tenant.name === name);
    if (found.length > 1) {
      throw new TenantplaneError('usage', `There are ${found.length} tenants called ${name}: ${found.map(tenantId).join(', ')}.`, {
        hint: 'Say which one, as NAMESPACE/NAME.',
      });
    }
    const [tenant] = found;
    if (tenant === undefined) throw noTenant(name, plan.tenants.map(tenantId));
    chosen.add(tenant);
  }
  const tenants = plan.tenants.filter((tenant) => chosen.has(tenant));
  const folders = tenants.map((tenant) => `${tenant.namespace}/`);
  return {
    ...plan,
    tenants,
    shared: [],
    decisions: [],
    findings: plan.findings.filter(({ reason, tenant: of }) =>
      of === undefined ? !OF_SHARED.has(reason) : tenants.some((tenant) => concerns({ tenant: of }, tenant)),
    ),
    removed: plan.removed.filter((path) => folders.some((folder) => path.startsWith(folder))),
  };
}

/** What is said of shared files, of which these are none. */
const OF_SHARED: ReadonlySet<string> = new Set(['ProfileMovedOn', 'ProfileHeld', 'SharedTooLarge']);
