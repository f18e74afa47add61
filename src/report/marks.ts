import type { Decision } from '../core/decision/decision.ts';
import type { Severity } from '../core/decision/reasons.ts';
import { isRefusal, outcomeOf } from './tally.ts';

/** Marks of a finding or of a note, by how grave it is: in every answer that people read. */
export const MARKS: Readonly<Record<Severity, '!' | '?' | '='>> = { error: '!', warning: '?', info: '=' };

/** The mark of an object that is not on the host: refused or waiting, to look at, read alone, or nothing that a policy covers. */
export function markOf(decision: Decision): '!' | '?' | '=' | '.' {
  if (isRefusal(decision)) return '!';
  if (decision.severity !== 'info') return '?';
  return outcomeOf(decision) === 'read' ? '=' : '.';
}
