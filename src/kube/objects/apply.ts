import { objectAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import type { Result } from '../failure.ts';
import type { Resource } from '../transport/resource-path.ts';
import { sendJson } from '../transport/send-json.ts';
import { type Call, limits, objectPath, refOf } from './object-path.ts';

export interface ApplyOptions extends Call {
  /** one for each purpose: a field that a manager no longer applies is removed */
  readonly fieldManager: string;
  /** takes over fields of other managers; only where the object is proven ours */
  readonly force: boolean;
  readonly dryRun?: boolean;
  readonly subresource?: 'status';
}

/**
 * Server-side apply: makes the object, or sets exactly the fields that are given. What others own and `force` does not take is
 * a failure that `fieldConflicts` reads.
 */
export function applyObject(
  resource: Resource,
  object: KubeObject,
  { fieldManager, force, dryRun = false, subresource, ...call }: ApplyOptions,
): Promise<Result<KubeObject>> {
  const query = { fieldManager, force, dryRun: dryRun ? 'All' : undefined };
  // what was read from a server holds them, and an applied object may not
  const { managedFields: _, ...metadata } = objectAt(object, 'metadata') ?? {};
  return sendJson(call.transport, {
    method: 'PATCH',
    path: objectPath(refOf(resource, object), query, subresource),
    // JSON is YAML
    body: { type: 'application/apply-patch+yaml', value: { ...object, metadata } },
    ...limits(call),
  });
}
