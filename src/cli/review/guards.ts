import { reasonOf } from '../../core/decision/reasons.ts';
import type { Review } from '../../core/review/review.ts';
import { plural } from '../../report/text.ts';
import { stopTexts } from './review-words.ts';

/** What a review may not hold, where a pipeline says so. */
export interface Guards {
  readonly noWeakerIsolation: boolean;
  readonly maxChanges?: number;
  readonly maxDeletes?: number;
}

/** Which guards refuse a review, one sentence each. */
export function refusedBy(review: Review, { noWeakerIsolation, maxChanges, maxDeletes }: Guards): string[] {
  const deletes = review.changes.filter(({ verb }) => verb === 'removed').length;
  return [
    ...(noWeakerIsolation ? [...unknown(review), ...weakened(review)] : []),
    ...(maxChanges !== undefined && review.changes.length > maxChanges
      ? [`${plural(review.changes.length, 'host object changes', 'host objects change')}, and --max-changes allows ${maxChanges}`]
      : []),
    ...(maxDeletes !== undefined && deletes > maxDeletes
      ? [`${plural(deletes, 'host object is', 'host objects are')} deleted, and --max-deletes allows ${maxDeletes}`]
      : []),
  ];
}

/** What is not rendered has no isolation to compare. */
function unknown(review: Review): string[] {
  const { notJudged = [] } = review;
  return [
    ...stopTexts(review).map((text) => `isolation is not known: ${text}`),
    ...(notJudged.length === 0
      ? []
      : [
          `isolation is not known: ${ofThese(notJudged)} ${notJudged.length === 1 ? 'was' : 'were'} frozen before, and no rendered copy of the TenantCluster says under what; compare with the last version that renders`,
        ]),
  ];
}

/** Once for each control, however many tenants it is of. */
function weakened({ isolation }: Review): string[] {
  const { code } = reasonOf('IsolationWeakened');
  const tenants = new Map<string, string[]>();
  for (const { tenant, control, before, after, direction } of isolation) {
    if (direction !== 'weaker') continue;
    const key = `${control} from ${before} to ${after}`;
    tenants.set(key, [...(tenants.get(key) ?? []), tenant]);
  }
  return [...tenants].map(([change, of]) => `${code} IsolationWeakened: ${change} for ${ofThese(of)}`);
}

function ofThese(tenants: readonly string[]): string {
  return tenants.length > 3 ? plural(tenants.length, 'tenant') : tenants.join(', ');
}
