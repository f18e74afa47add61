import type { KubeObject } from '../../core/kube/object.ts';
import type { Result } from '../failure.ts';
import { sendJson } from '../transport/send-json.ts';
import { type Call, type ObjectRef, objectPath } from './object-path.ts';

/** The object as it is now; `NotFound` is a failure as the server says it. */
export function getObject(ref: ObjectRef, { transport, signal }: Call): Promise<Result<KubeObject>> {
  return sendJson(transport, { path: objectPath(ref), signal });
}
