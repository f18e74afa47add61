import type { Json, JsonObject } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import type { Result } from '../failure.ts';
import { sendJson } from '../transport/send-json.ts';
import { type Call, limits, type ObjectRef, objectPath } from './object-path.ts';

export interface PatchOptions extends Call {
  readonly fieldManager: string;
  readonly subresource?: 'status';
}

/** One step of a JSON patch (RFC 6902); `test` makes the whole patch fail where the value is another. */
export type JsonPatchStep =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** JSON merge patch (RFC 7386): null removes a field, a list is replaced as a whole. With a resourceVersion in it, another one is a conflict. */
export function mergePatch(ref: ObjectRef, patch: JsonObject, options: PatchOptions): Promise<Result<KubeObject>> {
  return send(ref, 'application/merge-patch+json', patch, options);
}

/** All steps or none. */
export function jsonPatch(ref: ObjectRef, steps: readonly JsonPatchStep[], options: PatchOptions): Promise<Result<KubeObject>> {
  return send(
    ref,
    'application/json-patch+json',
    steps.map((step): JsonObject => ({ ...step })),
    options,
  );
}

function send(
  ref: ObjectRef,
  type: string,
  value: Json,
  { fieldManager, subresource, ...call }: PatchOptions,
): Promise<Result<KubeObject>> {
  return sendJson(call.transport, {
    method: 'PATCH',
    path: objectPath(ref, { fieldManager }, subresource),
    body: { type, value },
    ...limits(call),
  });
}

/** Replaces the whole object that was read; where it has changed since, that is a conflict. */
export function replaceObject(
  ref: ObjectRef,
  object: KubeObject,
  { fieldManager, subresource, ...call }: PatchOptions,
): Promise<Result<KubeObject>> {
  const path = objectPath(ref, { fieldManager }, subresource);
  return sendJson(call.transport, { method: 'PUT', path, body: { type: 'application/json', value: object }, ...limits(call) });
}
