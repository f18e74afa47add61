import { fill, type ReasonName, reasonOf } from '../core/decision/reasons.ts';
import type { Issue } from './issues.ts';

/** What the registry says of a reason, for an issue that no decision or finding brings with it. */
export function registered(
  name: ReasonName,
  params: Readonly<Record<string, string>>,
): Pick<Issue, 'code' | 'reason' | 'message' | 'remedy'> {
  const { code, message, remedy } = reasonOf(name);
  return { code, reason: name, message: fill(message, params), remedy: fill(remedy, params) };
}
