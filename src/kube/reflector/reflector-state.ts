import type { Failure } from '../failure.ts';

export type ReflectorState =
  | { readonly phase: 'listing' }
  | { readonly phase: 'watching' }
  /** the store holds what was last seen, and nothing is taken out of it meanwhile */
  | { readonly phase: 'waiting'; readonly failure: Failure }
  | { readonly phase: 'stopped' };

/** How often what happened, for metrics. */
export interface ReflectorCounts {
  /** whole lists, the first among them */
  lists: number;
  /** watches that began */
  watches: number;
  /** versions that the server had forgotten */
  expired: number;
  /** changes that no watch told of, and that a later list showed */
  missed: number;
  /** exceptions of those who are told */
  errors: number;
}
