import type { Found } from '../../core/explain/find-subjects.ts';
import { type Issue, issuesOf } from '../../report/issues.ts';

/** What someone should look at among these decisions, by the rules that `validate` goes by. */
export function issuesOfFound(found: readonly Found[]): readonly Issue[] {
  return issuesOf({ tenants: [], shared: [], decisions: found.map(({ decision }) => decision), findings: [], removed: [], stopped: false });
}
