import type { TenantContext } from '../../plan/tenant-context.ts';
import type { Verdict, Way } from './boundary-report.ts';
import type { Pair } from './pairs.ts';

/** What an object that nobody planned does to the boundary; undefined where it does nothing to it. */
export interface Effect {
  readonly verdict: Verdict;
  readonly control: string;
  readonly way?: Way;
  readonly fields?: readonly string[];
  readonly why: string;
}

export interface Judged {
  readonly ctx: TenantContext;
  readonly pairs: readonly Pair[];
}

/** Names of users and of RBAC's objects may hold anything. */
export function printable(text: string): string {
  return text.replace(/[^\w:.@/+ -]/g, '?').slice(0, 400);
}
