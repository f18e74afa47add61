import { stringAt } from '../../core/kube/json.ts';
import { type KubeObject, namespaceOf } from '../../core/kube/object.ts';
import type { Result } from '../failure.ts';
import { type Resource, resourcePath } from '../transport/resource-path.ts';
import { sendJson } from '../transport/send-json.ts';
import { type Call, limits, needNamespace } from './object-path.ts';

export interface CreateOptions extends Call {
  readonly fieldManager: string;
  readonly dryRun?: boolean;
}

/** Times that a creation is sent which lost its ResourceQuota to other writers: the server itself says to send it again. */
const TRIES = 5;

/** Makes an object that is not there; `AlreadyExists` is a failure. */
export async function createObject(
  resource: Resource,
  object: KubeObject,
  { fieldManager, dryRun = false, ...call }: CreateOptions,
): Promise<Result<KubeObject>> {
  const namespace = namespaceOf(object);
  needNamespace(resource, namespace);
  const query = { fieldManager, dryRun: dryRun ? 'All' : undefined };
  const path = resourcePath(resource, { ...(namespace !== undefined && { namespace }) }, query);
  for (let left = TRIES; ; left -= 1) {
    const made = await sendJson(call.transport, {
      method: 'POST',
      path,
      body: { type: 'application/json', value: object },
      ...limits(call),
    });
    if (!isQuotaRace(made) || left === 1) return made;
  }
}

/** Nothing was made: several writers counted against one quota at the same time. */
function isQuotaRace(made: Result<KubeObject>): boolean {
  if (!('failure' in made) || made.failure.kind !== 'status' || made.failure.reason !== 'Conflict') return false;
  return stringAt(made.failure.details, 'kind') === 'resourcequotas';
}
