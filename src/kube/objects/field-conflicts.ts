import { objectsOf, stringAt } from '../../core/kube/json.ts';
import type { Failure } from '../failure.ts';

/** A field that somebody else applies with another value. */
export interface FieldConflict {
  /** `.data.color`, `.spec.containers[name="web"].image` */
  readonly field: string;
  /** its field manager */
  readonly manager: string;
}

/** Who else owns what a server-side apply did not take; empty for every other failure. */
export function fieldConflicts(failure: Failure): readonly FieldConflict[] {
  if (failure.kind !== 'status' || failure.code !== 409) return [];
  return objectsOf(failure.details['causes'])
    .filter((cause) => cause['reason'] === 'FieldManagerConflict')
    .map((cause) => ({ field: stringAt(cause, 'field') ?? '', manager: managerIn(stringAt(cause, 'message') ?? '') }));
}

/** The server says it in words only: `conflict with "kubectl-client-side-apply" using apps/v1`. */
function managerIn(message: string): string {
  const quoted = /^conflict with ("(?:[^"\\]|\\.)*")/.exec(message)?.[1];
  if (quoted === undefined) return message;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Another object than the one that was meant, or a later state of it: read it again. */
export function isConflict(failure: Failure): boolean {
  return failure.kind === 'status' && failure.reason === 'Conflict' && fieldConflicts(failure).length === 0;
}
