import { equal, isObject, type Json, stringAt } from '../../kube/json.ts';
import type { KubeObject } from '../../kube/object.ts';
import { parseQuantity } from '../../kube/quantity.ts';

/**
 * Whether a live object already says all that we would apply. Fields of others beside ours are none of our business, as in server-side apply:
 * named items of a list are found by their name; lists of anything else, and selectors, are one value.
 */
export function covers(live: KubeObject, desired: KubeObject): boolean {
  return says(live, desired);
}

function says(live: Json | undefined, desired: Json): boolean {
  // servers leave out what is empty
  if (live === undefined) return isEmpty(desired);
  if (isObject(desired))
    return isObject(live) && Object.entries(desired).every(([key, value]) => value === undefined || saysField(key, live[key], value));
  if (Array.isArray(desired)) return Array.isArray(live) && saysAll(live, desired);
  if (live === desired) return true;
  // 0.5 is stored as 500m
  if (typeof live !== 'string' || typeof desired !== 'string') return false;
  const [stored, wanted] = [parseQuantity(live), parseQuantity(desired)];
  return stored !== undefined && stored === wanted;
}

/** Maps that Kubernetes takes as one value: with a key more in its selector, a Service leads nowhere. */
const WHOLE: ReadonlySet<string> = new Set(['selector', 'nodeSelector', 'matchLabels']);

function saysField(key: string, live: Json | undefined, desired: Json): boolean {
  return WHOLE.has(key) && isObject(live) && isObject(desired) ? equal(live, desired) : says(live, desired);
}

function saysAll(live: readonly Json[], desired: readonly Json[]): boolean {
  if (desired.length === 0) return live.length === 0;
  if (!desired.every((item) => nameIn(item) !== undefined))
    return live.length === desired.length && desired.every((item, index) => says(live[index], item));
  return desired.every((item) =>
    says(
      live.find((each) => nameIn(each) === nameIn(item)),
      item,
    ),
  );
}

function isEmpty(value: Json): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function nameIn(item: Json): string | undefined {
  return stringAt(item, 'name') ?? stringAt(item, 'mountPath');
}
