import { setTimeout as sleep } from 'node:timers/promises';
import { at, objectsOf, stringAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { isReason } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import { TENANT_CLUSTERS } from '../../reconciler/process/watched-kinds.ts';
import { visible } from '../../report/escape.ts';
import { fullName } from '../kubeconfig/find-tenant.ts';
import { uidOf } from './remove.ts';

const PAUSE = 250;

/**
 * Says how far each teardown is, until all TenantClusters are gone.
 * @returns those that are not in time, as they were read last
 */
export async function awaitGone(
  tenants: readonly KubeObject[],
  call: Call,
  limit: number,
  say: (line: string) => void,
): Promise<readonly KubeObject[]> {
  const [told, last, begin] = [new Map<string, string>(), new Map(tenants.map((each) => [fullName(each), each])), performance.now()];
  while (last.size > 0 && performance.now() - begin < limit) {
    for (const [name, tenant] of [...last]) {
      const ref = { resource: TENANT_CLUSTERS, namespace: namespaceOf(tenant) ?? '', name: nameOf(tenant) };
      const read = await getObject(ref, call);
      // one of its name that is new is another one’s
      const gone = 'value' in read ? uidOf(read.value) !== uidOf(tenant) : isReason(read.failure, 'NotFound');
      const words = gone ? 'its control plane is gone' : 'value' in read ? stateOf(read.value) : `cannot be read: ${read.failure.message}`;
      if (told.get(name) !== words) say(`${name}  ${visible(words)}`);
      told.set(name, words);
      if (gone) last.delete(name);
      else if ('value' in read) last.set(name, read.value);
    }
    if (last.size > 0) await sleep(PAUSE, undefined, { signal: call.signal });
  }
  return [...last.values()];
}

/** What holds it up, else what is being done. */
function stateOf(tenant: KubeObject): string {
  const conditions = objectsOf(at(tenant, 'status', 'conditions'));
  const told = ['Paused', 'Stalled', 'Reconciling'].flatMap((type) => conditions.filter((each) => each['type'] === type));
  const deleting = told.find(({ reason }) => ABOUT_DELETION.has(String(reason)));
  return deleting === undefined ? 'waits for the reconciler' : `${stringAt(deleting, 'reason')}: ${stringAt(deleting, 'message') ?? ''}`;
}
/** The others may be of before. */
const ABOUT_DELETION: ReadonlySet<string> = new Set(['DeletionHeld', 'AccessMissing', 'Deleting']);
