import type { ControlRow } from '../core/isolation/controls.ts';
import { visible } from './escape.ts';
import { columns } from './text.ts';

/** What is declared for a tenant, what enforces it, and what nothing does: a line a control. */
export function controlLines(controls: readonly ControlRow[]): string[] {
  const rows = controls.map(({ field, value, enforcedBy, notEnforced }): [string, string] => {
    const by = enforcedBy.length === 0 ? [] : [`by ${enforcedBy.join(', ')}`];
    const not = notEnforced === undefined ? [] : [`not enforced: ${notEnforced.why}`];
    return [`  # ${visible(`${field}=${value}`)}`, visible([...by, ...not].join('; '))];
  });
  return columns(rows);
}
