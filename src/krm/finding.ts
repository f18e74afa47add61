import { fill, type ReasonName, reasonOf } from '../core/decision/reasons.ts';
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

/** A finding of a registered reason, with its sentence filled in. */
export function finding(reason: ReasonName, source: Source, details: FindingDetails = {}): Finding {
  const row = reasonOf(reason);
  const params = details.params ?? {};
  return {
    reason,
    code: row.code,
    severity: details.severity ?? row.severity,
    message: fill(row.message, params),
    remedy: details.remedy ?? fill(row.remedy, params),
    source,
    ...(details.pointer === undefined ? {} : { pointer: details.pointer }),
  };
}
