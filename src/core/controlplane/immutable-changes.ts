// STUB
import { at, equal } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
export function immutableChanges(live: KubeObject, desired: KubeObject): readonly string[] {
  return equal(at(live, 'spec', 'volumeClaimTemplates'), at(desired, 'spec', 'volumeClaimTemplates')) ? [] : ['size'];
}
