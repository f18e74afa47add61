import type { JsonObject } from '../../core/kube/json.ts';
import type { Result } from '../failure.ts';
import { sendJson } from '../transport/send-json.ts';
import { type Call, limits, type ObjectRef, objectPath } from './object-path.ts';

export interface DeleteOptions extends Call {
  /** of the object that is meant: another one of its name, or a later state, stays, and is a conflict */
  readonly preconditions: { readonly uid: string; readonly resourceVersion?: string };
  /** whether what it owns goes before it, after it, or stays */
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

/** @returns the object where it goes on existing for a while, for finalizers or its grace period; else a Status */
export function deleteObject(
  ref: ObjectRef,
  { preconditions, propagation = 'Background', gracePeriodSeconds, ...call }: DeleteOptions,
): Promise<Result<JsonObject>> {
  const value: JsonObject = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { ...preconditions },
    propagationPolicy: propagation,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  };
  return sendJson(call.transport, { method: 'DELETE', path: objectPath(ref), body: { type: 'application/json', value }, ...limits(call) });
}
