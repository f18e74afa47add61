import type { Check } from '../../checks/check.ts';
import { shapeRefusals } from '../../checks/shape.ts';
import type { ProfileSettings } from '../../plan/settings.ts';

/** A kind that a profile must allow as well as the SyncPolicy (projection rules, section 8). */
export function optInCheck(field: string, allowed: (allow: ProfileSettings['allow']) => boolean): Check {
  return {
    id: `profile.${field}`,
    run: (subject, ctx) =>
      allowed(ctx.profile.allow)
        ? []
        : [
            {
              reason: 'OptInNeeded',
              params: { kind: subject.row.kind, field: `spec.${field}`, profile: ctx.profile.name },
              control: field,
            },
          ],
  };
}

/**
 * Fields and types of a whole object. Closed: an unknown field is refused, since a server may give it a meaning that no check
 * looked at; so is `[null]`, which Go reads as a list with one empty item, and an empty rule or peer means "everything".
 */
export function shapeCheck(type: string): Check {
  return { id: `shape.${type}`, run: (subject) => shapeRefusals(subject.object, type, []) };
}
