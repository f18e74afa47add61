import { asString, type JsonObject, objectAt, objectsOf } from './json.ts';
import { stringMap } from './object.ts';

type Labels = ReadonlyMap<string, string>;

/**
 * Whether labels match a LabelSelector (`matchLabels` and `matchExpressions`; an empty selector matches everything).
 * `NotIn` and `DoesNotExist` hold for an absent key, as in Kubernetes (apimachinery, labels.Requirement.Matches).
 */
export function matchesSelector(selector: JsonObject, labels: Labels): boolean {
  return selectorMatcher(selector)(labels);
}

/** The same for many sets of labels: the selector is read once. */
export function selectorMatcher(selector: JsonObject): (labels: Labels) => boolean {
  const equalities = [...stringMap(objectAt(selector, 'matchLabels'))];
  const expressions = objectsOf(selector['matchExpressions']).map((expression) => ({
    key: asString(expression['key']) ?? '',
    values: new Set<unknown>(Array.isArray(expression['values']) ? expression['values'] : []),
    holds: OPERATORS[asString(expression['operator']) ?? ''],
  }));
  return (labels) =>
    equalities.every(([key, value]) => labels.get(key) === value) &&
    expressions.every(({ key, values, holds }) => holds?.(labels.get(key), values) === true);
}

const OPERATORS: Readonly<Record<string, (value: string | undefined, values: ReadonlySet<unknown>) => boolean>> = {
  In: (value, values) => value !== undefined && values.has(value),
  NotIn: (value, values) => value === undefined || !values.has(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};
