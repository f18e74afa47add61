import { isObject, type Json, own } from '../kube/json.ts';
import { apiVersionOf, groupOf, type KubeObject, kindOf } from '../kube/object.ts';
import type { Step } from './compare-objects.ts';

/** What of an object a review may tell. */
export interface Hiding {
  hides(path: readonly (Step | number)[], ...values: readonly (Json | undefined)[]): boolean;
  /** how many steps of a place are told: below that, keys may be values as well */
  depth(path: readonly Step[]): number;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Values of Secrets are in no review, and no digest of them. A malformed Secret may have them anywhere, so all of it is hidden but
 * the few fields that never hold one. A kind of that name counts however it is spelled; what else is called one (sealed, external)
 * is told but for what it keeps of its Secret; of any object, what a tool noted of it in an annotation is hidden.
 */
export function hidingIn(object: KubeObject): Hiding {
  const kind = kindOf(object).toLowerCase();
  if (!kind.includes('secret')) return NOTED;
  return kind === 'secret' || !groupOf(apiVersionOf(object)).includes('.') ? SECRET : ALIKE;
}

const TOLD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'immutable', 'type', 'metadata.name', 'metadata.namespace']);
/** Maps whose keys are told. */
const KEYS: ReadonlySet<string> = new Set(['', 'data', 'stringData', 'metadata', 'metadata.labels', 'metadata.annotations']);

const SECRET: Hiding = {
  hides: (path, ...values) => !TOLD.has(path.join('.')) || values.some((value) => typeof value === 'object'),
  depth(path) {
    let depth = 1;
    while (typeof path[depth] === 'string' && KEYS.has(path.slice(0, depth).join('.'))) depth += 1;
    return depth;
  },
};

const WHOLE = (path: readonly Step[]): number => path.length;
const PARTS: ReadonlySet<Step | number | undefined> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);
const KEPT: readonly string[] = ['annotations', 'encryptedData', 'template'];

/** A map may hold what is hidden; so may a list where a map belongs. */
const ALIKE: Hiding = {
  hides: (path, ...values) =>
    !PARTS.has(path[0]) ||
    typeof (path[1] ?? '') !== 'string' ||
    KEPT.some((step) => path.includes(step)) ||
    values.some((value) => isObject(value) || (path.length === 1 && Array.isArray(value))),
  depth: WHOLE,
};

const NOTED: Hiding = {
  hides: (path, ...values) => path.includes(LAST_APPLIED) || values.some((value) => isNoted(path, value)),
  depth: WHOLE,
};

function isNoted(path: readonly (Step | number)[], value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  const annotations = path.at(-1) === 'annotations' ? value : own(value, 'annotations');
  return isObject(annotations) && Object.hasOwn(annotations, LAST_APPLIED);
}
