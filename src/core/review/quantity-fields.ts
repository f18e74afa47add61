import { apiVersionOf, groupOf, type KubeObject } from '../kube/object.ts';
import type { Step } from './compare-objects.ts';

/** Maps whose values are quantities, from the end of the place; `[]` is an item of a list. */
const MAPS: readonly (readonly string[])[] = [
  ['resources', 'requests'],
  ['resources', 'limits'],
  ['spec', 'hard'],
  ['spec', 'capacity'],
  ['spec', 'overhead'],
  ['spec', 'resources'],
  ['spec', 'quota'],
  ...['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'].flatMap((field) => [
    ['limits', '[]', field],
    ['spec', 'limits', field],
  ]),
];
/** Fields that are one themselves. */
const FIELDS: readonly (readonly string[])[] = [
  ['emptyDir', 'sizeLimit'],
  ['resourceFieldRef', 'divisor'],
  ['target', 'averageValue'],
];
/** Maps of the author’s own words, which are text whatever they look like. */
const TEXTS: ReadonlySet<Step> = new Set(['labels', 'annotations', 'matchLabels', 'selector', 'nodeSelector', 'data', 'stringData']);

/** Whether a field of the API holds a quantity, which may be written in several ways: `500m` is `0.5`. Text of others is text. */
export function isQuantityField(path: readonly Step[]): boolean {
  if (path[0] !== 'spec' || path.some((step) => TEXTS.has(step))) return false;
  return FIELDS.some((field) => endsWith(path, field)) || MAPS.some((map) => endsWith(path.slice(0, -1), map));
}

function endsWith(path: readonly Step[], end: readonly string[]): boolean {
  const from = path.length - end.length;
  return from >= 0 && end.every((step, index) => (typeof path[from + index] === 'string' ? path[from + index] : '[]') === step);
}

/** Kinds of the API itself and of ours: what a field of a custom kind means is its own. */
export function hasQuantities(object: KubeObject): boolean {
  const group = groupOf(apiVersionOf(object));
  return !group.includes('.') || group.endsWith('.k8s.io') || group === 'tenantplane.io';
}
