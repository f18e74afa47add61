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

/** What stops all, and the tree as a whole, stand in the index. @returns undefined where nothing of it is the tenant's */
function reviewOf({ before, after, unchanged, ...review }: Review, key: string | undefined): Review | undefined {
  const own = <Row extends { readonly tenant?: string }>(rows: readonly Row[]): readonly Row[] =>
    rows.filter(({ tenant }) => tenant === key);
  const changes = own(review.changes);
  const refusals = own(review.refusals);
  const outOfScope = own(review.outOfScope);
  const isolation = own(review.isolation);
  const frozen = own(review.frozen);
  const stops = own(review.stops);
  const warnings = own(review.warnings);
  const caused = [...changes, ...refusals, ...outOfScope, ...isolation];
  if (caused.length + frozen.length + stops.length + warnings.length === 0) return undefined;
  const used = new Set(caused.flatMap(({ causes }) => causes));
  const causes = review.causes.filter(({ id }) => used.has(id));
  return { before, after, unchanged, changes, refusals, outOfScope, isolation, frozen, stops, warnings, causes };
}
