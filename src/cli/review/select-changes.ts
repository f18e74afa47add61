import { PROFILE, type Review } from '../../core/review/review.ts';
import { noTenant } from '../package/no-tenant.ts';

/** The part of a review that is about some tenants, and what all tenants share. Everything was compared; this limits what is told. */
export function selectChanges(review: Review, globs: readonly string[]): Review {
  if (globs.length === 0) return review;
  const wanted = (tenant: string | undefined): boolean =>
    tenant === undefined || tenant.startsWith(PROFILE) || matchesTenant(tenant, globs);
  const changes = review.changes.filter(({ tenant }) => wanted(tenant));
  const refusals = review.refusals.filter(({ tenant }) => wanted(tenant));
  const outOfScope = review.outOfScope.filter(({ tenant }) => wanted(tenant));
  const stops = review.stops.filter(({ tenant }) => wanted(tenant));
  const warnings = review.warnings.filter(({ tenant }) => wanted(tenant));
  const isolation = review.isolation.filter(({ tenant }) => wanted(tenant));
  const frozen = review.frozen.filter(({ tenant }) => wanted(tenant));
  const { notJudged } = review;
  return {
    ...review,
    ...(notJudged !== undefined && { notJudged: notJudged.filter(wanted) }),
    changes,
    refusals,
    outOfScope,
    stops,
    warnings,
    isolation,
    frozen,
  };
}

/**
 * Each glob is to name a tenant that one of the sides has: guards would hold of nothing.
 * @param known `namespace/name` of the tenants of both sides
 * @throws TenantplaneError
 */
export function needTenants(globs: readonly string[], known: readonly string[], { before, after }: Pick<Review, 'before' | 'after'>): void {
  const none = globs.find((glob) => glob !== 'all' && !known.some((tenant) => matchesTenant(tenant, [glob])));
  if (none !== undefined) throw noTenant(none, known, ` on either side (${before.label}, ${after.label})`);
}

/** Whether a tenant (`namespace/name`) is one of those named: `*` and `?` in NAME or NAMESPACE/NAME. */
export function matchesTenant(tenant: string, globs: readonly string[]): boolean {
  const name = tenant.slice(tenant.indexOf('/') + 1);
  return globs.some((glob) => glob === 'all' || matches(glob, glob.includes('/') ? tenant : name));
}

/** Linear but for one star at a time, so that no pattern takes long. */
function matches(glob: string, text: string): boolean {
  let [at, star, from, place] = [0, -1, 0, 0];
  while (place < text.length) {
    if (glob[at] === '*') {
      star = at;
      from = place;
      at += 1;
    } else if (glob[at] === '?' || glob[at] === text[place]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      from += 1;
      place = from;
    } else return false;
  }
  return /^\**$/.test(glob.slice(at));
}
