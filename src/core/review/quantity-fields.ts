import { apiVersionOf, groupOf, type KubeObject } from '../kube/object.ts';
import type { Step } from './compare-objects.ts';

/** Maps whose values are quantities, by name. */
const MAPS: ReadonlySet<Step> = new Set([
  'requests',
  'limits',
  'hard',
  'max',
  'min',
  'default',
  'defaultRequest',
  'maxLimitRequestRatio',
  'overhead',
  'capacity',
]);
/** Fields that are one themselves. */
const FIELDS: ReadonlySet<Step> = new Set(['sizeLimit', 'divisor', 'averageValue', 'cpu', 'memory', 'storage']);

/** Whether a field of the API holds a quantity, which may be written in several ways: `500m` is `0.5`. Text of others is text. */
export function isQuantityField(path: readonly Step[]): boolean {
  const [last, parent] = [path.at(-1), path.at(-2)];
  return path[0] === 'spec' && ((parent !== undefined && MAPS.has(parent)) || (last !== undefined && FIELDS.has(last)));
}

/** Kinds of the API itself and of ours: what a field of a custom kind means is its own. */
export function hasQuantities(object: KubeObject): boolean {
  const group = groupOf(apiVersionOf(object));
  return !group.includes('.') || group.endsWith('.k8s.io') || group === 'tenantplane.io';
}
