import type { Decision } from '../decision/decision.ts';
import type { JsonObject } from '../kube/json.ts';

/** What to add to a tenant's SyncPolicy so that an object of a kind that it does not list is projected. */
export interface MissingEntry {
  readonly policy: string;
  readonly entry: JsonObject;
  /** what the kind needs beside it, as `what-if --set` takes it */
  readonly needs?: string;
}

export function missingEntry({ reason, source, params }: Decision, policy: string): MissingEntry | undefined {
  if (source === undefined || policy === '' || (reason !== 'KindNotListed' && reason !== 'KindUnknown')) return undefined;
  const { apiVersion, kind } = source;
  // the planner does not know where objects of such a kind live
  const scope = reason === 'KindUnknown' ? { scope: 'Namespaced' } : {};
  const needs = params['needs'];
  return { policy, entry: { apiVersion, kind, direction: 'toHost', ...scope }, ...(typeof needs === 'string' && { needs }) };
}
