import type { KubeObject } from '../../core/kube/object.ts';
import type { Result } from '../failure.ts';
import { sendJson } from '../transport/send-json.ts';
import { type Call, limits, type ObjectRef, objectPath } from './object-path.ts';

/** The object as it is now; `NotFound` is a failure as the server says it. */
export function getObject(ref: ObjectRef, call: Call): Promise<Result<KubeObject>> {
  return sendJson(call.transport, { path: objectPath(ref), ...limits(call) });
}
