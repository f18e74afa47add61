import { asArray, asString, type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { stringMap } from '../kube/object.ts';

/** The values that one label key may have: these only, or all but these; and whether the label may be absent. */
export interface Reach {
  readonly absent: boolean;
  readonly except: boolean;
  readonly values: ReadonlySet<string>;
}
/** A LabelSelector as what it asks of each key. */
export type Terms = ReadonlyMap<string, Reach>;

/** What a LabelSelector asks of each key; undefined where it can match nothing at all. */
export function termsOf(selector: JsonObject): Terms | undefined {
  const terms = new Map<string, Reach>();
  for (const [key, value] of stringMap(objectAt(selector, 'matchLabels'))) {
    terms.set(key, { absent: false, except: false, values: new Set([value]) });
  }
  for (const expression of objectsOf(selector['matchExpressions'])) {
    const reach = reachOf(expression);
    if (reach === undefined) return undefined;
    const key = asString(expression['key']) ?? '';
    const before = terms.get(key);
    terms.set(key, before === undefined ? reach : both(before, reach));
  }
  for (const [key, reach] of terms) {
    if (!reach.absent && !reach.except && reach.values.size === 0) return undefined;
    if (reach.absent && reach.except && reach.values.size === 0) terms.delete(key);
  }
  return terms;
}

/** Whether some set of labels matches all of the selectors. */
export function compatible(selectors: readonly JsonObject[]): boolean {
  const matchExpressions = selectors.flatMap((selector) => [
    ...[...stringMap(objectAt(selector, 'matchLabels'))].map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...objectsOf(selector['matchExpressions']),
  ]);
  return termsOf({ matchExpressions }) !== undefined;
}

function reachOf(expression: JsonObject): Reach | undefined {
  const values = new Set((asArray(expression['values']) ?? []).filter((value) => typeof value === 'string'));
  switch (asString(expression['operator'])) {
    case 'In':
      return { absent: false, except: false, values };
    case 'NotIn':
      return { absent: true, except: true, values };
    case 'Exists':
      return { absent: false, except: true, values: new Set() };
    case 'DoesNotExist':
      return { absent: true, except: false, values: new Set() };
    default:
      return undefined;
  }
}

function both(a: Reach, b: Reach): Reach {
  const absent = a.absent && b.absent;
  if (a.except && b.except) return { absent, except: true, values: new Set([...a.values, ...b.values]) };
  const [only, filter] = a.except ? [b, a] : [a, b];
  return { absent, except: false, values: new Set([...only.values].filter((value) => filter.values.has(value) !== filter.except)) };
}

/** The LabelSelector of a term: single values as `matchLabels`, since that is what people write. */
export function selectorOf(terms: Terms): JsonObject {
  const matchLabels: JsonObject = {};
  const matchExpressions: JsonObject[] = [];
  for (const [key, { absent, except, values }] of [...terms].sort(byText)) {
    const list = [...values].sort();
    const [only] = list;
    if (!except && list.length === 1 && only !== undefined) matchLabels[key] = only;
    else if (!except && list.length > 1) matchExpressions.push({ key, operator: 'In', values: list });
    else if (!except) matchExpressions.push({ key, operator: 'DoesNotExist' });
    else {
      if (!absent) matchExpressions.push({ key, operator: 'Exists' });
      if (list.length > 0) matchExpressions.push({ key, operator: 'NotIn', values: list });
    }
  }
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
}

/** One text for all selectors that ask the same. */
export function textOf(terms: Terms): string {
  const rows = [...terms].map(([key, reach]) => [key, reach.absent, reach.except, [...reach.values].sort()] as const);
  return JSON.stringify(rows.sort(byText));
}

export function byText(a: readonly [string, ...unknown[]], b: readonly [string, ...unknown[]]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}

/** What the terms say of pods with the labels: they match none, each, or some. */
export function share(labels: ReadonlyMap<string, string>, terms: Terms): 'none' | 'all' | 'some' {
  let result: 'all' | 'some' = 'all';
  for (const [key, reach] of terms) {
    const value = labels.get(key);
    if (value === undefined) result = 'some';
    else if (reach.values.has(value) === reach.except) return 'none';
  }
  return result;
}

/** The selector of those pods with the labels that match the terms too, where some do. */
export function narrowed(labels: ReadonlyMap<string, string>, terms: Terms): JsonObject {
  const all = new Map(terms);
  for (const [key, value] of labels) all.set(key, { absent: false, except: false, values: new Set([value]) });
  return selectorOf(all);
}
