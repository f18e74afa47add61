import { finding as registered } from '../core/decision/finding.ts';
import type { ReasonName } from '../core/decision/reasons.ts';
import type { Finding } from '../core/plan/plan-types.ts';
import type { Source } from '../core/plan/tenant-context.ts';

/** What a reader wants to say beyond the registry's row of the reason. */
export interface FindingDetails {
  readonly params?: Readonly<Record<string, string>>;
  /** a remedy that is more exact than the registry's */
  readonly remedy?: string;
  readonly severity?: Finding['severity'];
  readonly pointer?: string;
}

/** A finding of a registered reason about a piece of input. */
export function finding(reason: ReasonName, source: Source, details: FindingDetails = {}): Finding {
  const { params = {}, remedy, severity, pointer } = details;
  return {
    ...registered(reason, params, source, pointer === undefined ? {} : { pointer }),
    ...(remedy !== undefined && { remedy }),
    ...(severity !== undefined && { severity }),
  };
}
