import { asString, type JsonObject, objectAt, objectsOf } from './json.ts';
import { stringMap } from './object.ts';

/**
 * Whether labels match a LabelSelector (`matchLabels` and `matchExpressions`; an empty selector matches everything).
 * `NotIn` and `DoesNotExist` hold for an absent key, as in Kubernetes (apimachinery, labels.Requirement.Matches).
 */
export function matchesSelector(selector: JsonObject, labels: ReadonlyMap<string, string>): boolean {
  for (const [key, value] of stringMap(objectAt(selector, 'matchLabels'))) if (labels.get(key) !== value) return false;
  for (const expression of objectsOf(selector['matchExpressions'])) {
    const key = asString(expression['key']) ?? '';
    const values = Array.isArray(expression['values']) ? expression['values'] : [];
    const value = labels.get(key);
    const holds = OPERATORS[asString(expression['operator']) ?? ''];
    if (holds === undefined || !holds(value, values)) return false;
  }
  return true;
}

const OPERATORS: Readonly<Record<string, (value: string | undefined, values: readonly unknown[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};
