import type { Found } from '../../core/explain/find-subjects.ts';
import { locate } from '../../krm/yaml/locate.ts';
import { type Issue, issuesOf } from '../../report/issues.ts';
import type { TextStyle } from '../../report/text.ts';
import { placedIssues } from '../answer/placed-issues.ts';
import type { PlanPart } from './plan-part.ts';

/** What someone should look at among these decisions, by the rules that `validate` goes by. */
export function issuesOfFound(found: readonly Found[]): readonly Issue[] {
  return issuesOf({ tenants: [], shared: [], decisions: found.map(({ decision }) => decision), findings: [], removed: [], stopped: false });
}

/** A style that knows the line of the field that each of these issues is about. */
export function placedFound(found: readonly Found[], { texts }: Pick<PlanPart, 'texts'>, style: TextStyle): Promise<TextStyle> {
  return placedIssues(issuesOfFound(found), style, async (path, document, pointer) => {
    const text = texts.get(path);
    return text === undefined ? undefined : (await locate(text, document, pointer))?.line;
  });
}
