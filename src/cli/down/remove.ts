import { setTimeout as sleep } from 'node:timers/promises';
import { stringAt } from '../../core/kube/json.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { type Failure, isReason } from '../../kube/failure.ts';
import { deleteObject } from '../../kube/objects/delete.ts';
import { getObject } from '../../kube/objects/get.ts';
import { type Call, refOf } from '../../kube/objects/object-path.ts';
import { masked } from '../../report/mask-credentials.ts';
import { TenantplaneError } from '../errors.ts';
import type { Standing } from './survey.ts';

const PAUSE = 250;

/** Deletes each, and no other that has its name meanwhile; then waits until all are gone. @throws TenantplaneError where the host refuses one */
export async function removeAll(all: readonly Standing[], call: Call): Promise<void> {
  for (const each of all) await remove(each, call);
  for (const each of all) while (await isThere(each, call)) await sleep(PAUSE, undefined, { signal: call.signal });
}

/** @throws TenantplaneError where the host refuses it */
export async function remove({ resource, object }: Standing, call: Call): Promise<void> {
  const answer = await deleteObject(refOf(resource, object), { ...call, preconditions: { uid: uidOf(object) } });
  if ('failure' in answer && !isGone(answer.failure)) throw refused(object, answer.failure);
}

/** Whether that very object is on the host. @throws TenantplaneError where the host does not say */
async function isThere({ resource, object }: Standing, call: Call): Promise<boolean> {
  const read = await getObject(refOf(resource, object), call);
  if ('value' in read) return uidOf(read.value) === uidOf(object);
  if (isReason(read.failure, 'NotFound')) return false;
  throw refused(object, read.failure);
}

/** Another one of its name is a conflict: the one that was meant is gone. */
function isGone(failure: Failure): boolean {
  return isReason(failure, 'NotFound') || isReason(failure, 'Conflict');
}

export function uidOf(object: KubeObject): string {
  return stringAt(object, 'metadata', 'uid') ?? '';
}

/** `Deployment team-dev/web` */
export function titleOf(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return `${kindOf(object)} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}

function refused(object: KubeObject, { message }: Failure): TenantplaneError {
  return new TenantplaneError('system', `${titleOf(object)} was not deleted: ${masked(message).replace(/\.$/, '')}.`, {
    hint: 'Down needs an admin of the host, whom its admission policies trust (trustedWriters and trustedGroups of RenderTenant).',
  });
}
