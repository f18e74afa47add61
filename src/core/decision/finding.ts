import type { Finding } from '../plan/plan-types.ts';
import type { Source } from '../plan/tenant-context.ts';
import { fill, type ReasonName, reasonOf } from './reasons.ts';

/** A finding with its sentence filled in from the registry. */
export function finding(
  name: ReasonName,
  params: Readonly<Record<string, string>>,
  source: Source,
  where: { readonly pointer?: string; readonly tenant?: string } = {},
): Finding {
  const row = reasonOf(name);
  return {
    reason: name,
    code: row.code,
    severity: row.severity,
    message: fill(row.message, params),
    remedy: fill(row.remedy, params),
    source,
    ...where,
  };
}
