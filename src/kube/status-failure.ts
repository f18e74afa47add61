import { type Json, type JsonObject, objectAt, stringAt } from '../core/kube/json.ts';
import type { StatusFailure } from './failure.ts';

/** Reads a Status, or makes one of what a proxy in between sent in its place. */
export function statusFailure(code: number, body: Json | undefined, retryAfter?: string): StatusFailure {
  const details: JsonObject = objectAt(body, 'details') ?? {};
  const told = details['retryAfterSeconds'];
  const seconds = typeof told === 'number' && told > 0 ? told : secondsOf(retryAfter);
  return {
    kind: 'status',
    code,
    reason: stringAt(body, 'reason') ?? '',
    message: stringAt(body, 'message') || `The server answered ${code} without a word of why.`,
    details,
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  };
}

/** API servers send whole seconds; the date that HTTP allows too would need their clock. */
function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
