import { CHANGE_REASONS } from './registry/change-reasons.ts';
import { IDENTITY_REASONS } from './registry/identity-reasons.ts';
import { INPUT_REASONS } from './registry/input-reasons.ts';
import { ISOLATION_REASONS } from './registry/isolation-reasons.ts';
import { REFINEMENT_REASONS } from './registry/refinement-reasons.ts';
import { REMOVAL_REASONS } from './registry/removal-reasons.ts';
import { SCOPE_REASONS } from './registry/scope-reasons.ts';

/**
 * The registry of reason codes, one file for each thousand. Append-only: a number is never reused and never means something
 * else; a test compares it with its golden copy. The name doubles as Event and condition reason. `{braces}` are parameters.
 */
export type Disposition = 'Planned' | 'OutOfScope' | 'Rejected' | 'Conflict' | 'Deferred' | 'Held' | 'Failed' | 'Undecided';
export type Severity = 'info' | 'warning' | 'error';

export interface Reason {
  readonly code: `TP${number}`;
  readonly disposition: Disposition;
  /** how results, annotations of CI systems and exit codes see it: `error` is REJECT, `warning` is SKIP or something to look at */
  readonly severity: Severity;
  readonly message: string;
  readonly remedy: string;
}

type Registry = typeof IDENTITY_REASONS &
  typeof SCOPE_REASONS &
  typeof ISOLATION_REASONS &
  typeof REFINEMENT_REASONS &
  typeof REMOVAL_REASONS &
  typeof CHANGE_REASONS &
  typeof INPUT_REASONS;

export const REASONS: Registry = {
  ...IDENTITY_REASONS,
  ...SCOPE_REASONS,
  ...ISOLATION_REASONS,
  ...REFINEMENT_REASONS,
  ...REMOVAL_REASONS,
  ...CHANGE_REASONS,
  ...INPUT_REASONS,
};

export type ReasonName = keyof typeof REASONS;

export function reasonOf(name: ReasonName): Reason {
  const row: readonly [number, Disposition, Severity, string, string?] = REASONS[name];
  return { code: `TP${row[0]}`, disposition: row[1], severity: row[2], message: row[3], remedy: row[4] ?? '' };
}

/** The sentence or remedy with its parameters filled in; an unknown parameter is left in braces so that a test sees it. */
export function fill(template: string, params: Readonly<Record<string, string>>): string {
  if (!template.includes('{')) return template;
  // One piece: a fleet keeps a sentence for each object, and V8 keeps what `+=` made as a tree of its pieces.
  return partsOf(template)
    .map((part, index) => (index % 2 === 0 ? part : Object.hasOwn(params, part) ? params[part] : `{${part}}`))
    .join('');
}

const PARTS = new Map<string, readonly string[]>();

/** Text and parameter names in turn. Templates are few and used for every object, so each is taken apart once. */
function partsOf(template: string): readonly string[] {
  let parts = PARTS.get(template);
  if (parts === undefined) {
    parts = template.split(/\{(\w+)\}/);
    PARTS.set(template, parts);
  }
  return parts;
}
