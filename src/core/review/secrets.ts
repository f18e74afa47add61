import { type KubeObject, kindOf } from '../kube/object.ts';
import type { Step } from './compare-objects.ts';

const DATA: ReadonlySet<Step | undefined> = new Set(['data', 'stringData']);
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Whether values at a place may be a Secret's: they are in no review, and no digest of them. A kind of that name counts however
 * it is spelled, so do sealed ones, and what a tool noted of the object in an annotation.
 */
export function hidesAt(object: KubeObject): (path: readonly Step[]) => boolean {
  const kind = kindOf(object).toLowerCase();
  if (kind.includes('secret'))
    return (path) => DATA.has(path[0]) || path.includes('annotations') || path.includes('encryptedData') || path.includes('template');
  return (path) => path.includes(LAST_APPLIED);
}
