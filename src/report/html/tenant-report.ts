import type { Plan } from '../../core/plan/plan-types.ts';
import type { Review } from '../../core/review/review.ts';
import { tally, tenantId } from '../tally.ts';
import { matrixOf } from './matrix-model.ts';
import type { ReportModel, TenantModel } from './model.ts';

/** What of a report is about one tenant alone, or about none. */
export function tenantReport(model: ReportModel, plan: Plan, tenant: TenantModel | undefined): ReportModel {
  const { stamp, stopped, findings, review } = model;
  const about = ({ tenant: name }: { readonly tenant?: string }): boolean =>
    tenant === undefined ? name === undefined : name === tenant.key || name === tenant.name;
  const own = review === undefined ? undefined : reviewOf(review, tenant?.key);
  return {
    title: tenant?.label ?? '',
    ...(stamp !== undefined && { stamp }),
    ...(own !== undefined && { review: own }),
    counts: tenant?.counts ?? tally(model.shared.map(({ decision }) => decision)),
    tenants: tenant === undefined ? [] : [tenant],
    shared: tenant === undefined ? model.shared : [],
    findings: findings.filter(about),
    stopped,
    matrix: matrixOf({ ...plan, decisions: [], tenants: plan.tenants.filter((known) => tenantId(known) === tenant?.key) }),
  };
}

/** @returns undefined where nothing of it is the tenant's */
function reviewOf(review: Review, key: string | undefined): Review | undefined {
  const own = ({ tenant }: { readonly tenant?: string }): boolean => tenant === key;
  const changes = review.changes.filter(own);
  const refusals = review.refusals.filter(own);
  const isolation = review.isolation.filter(own);
  if (changes.length + refusals.length + isolation.length === 0) return undefined;
  const used = new Set([...changes, ...refusals, ...isolation].flatMap(({ causes }) => causes));
  return { ...review, changes, refusals, isolation, causes: review.causes.filter(({ id }) => used.has(id)) };
}
