import type { JsonObject } from '../kube/json.ts';
import { byText, type Reach, selectorOf, type Terms, termsOf, textOf } from './selector-terms.ts';

/** More terms than this are more policies than a CNI should be given for one allowance; the caller stays closed instead. */
export const MAX_TERMS = 64;
/** Bound of the work in comparisons, since a tenant may write any number of selectors and branches may end without a term. */
const MAX_WORK = 1_000_000;

/**
 * Selectors that together match exactly the label sets that none of `selectors` matches, no set twice. NetworkPolicies only
 * add up, so "every pod but those" has to be said positively.
 *
 * Splits on the key that most selectors share: for each of its values what is left of the selectors is complemented on its own.
 * n selectors with a common key give n+1 terms at most when each has one further requirement. Order of input is no matter.
 */
export function complementSelectors(selectors: readonly JsonObject[]): JsonObject[] | 'too-many' {
  const wanted = distinct(selectors.map(termsOf).filter((terms) => terms !== undefined));
  const found: JsonObject[] = [];
  let work = 0;

  const split = (rest: readonly Terms[], chosen: Terms): boolean => {
    if (rest.some((terms) => terms.size === 0)) return true;
    if (rest.length === 0) {
      found.push(selectorOf(chosen));
      return found.length <= MAX_TERMS;
    }
    const key = commonestKey(rest);
    const named = [...new Set(rest.flatMap((terms) => [...(terms.get(key)?.values ?? [])]))].sort();
    work += rest.length * (named.length + 2);
    if (work > MAX_WORK) return false;
    for (const [reach, left] of branches(key, named, rest)) if (!split(left, new Map(chosen).set(key, reach))) return false;
    return true;
  };
  if (!split(wanted, new Map())) return 'too-many';
  return found
    .map((selector) => [JSON.stringify(selector), selector] as const)
    .sort(byText)
    .map(([, selector]) => selector);
}

/** The parts of a key's values that the selectors tell apart, each with the selectors that still may match there. */
function branches(key: string, named: readonly string[], rest: readonly Terms[]): (readonly [Reach, readonly Terms[]])[] {
  /** one entry for each different remainder: the values, the absence, and all other values that lead to it */
  const parts = new Map<string, { left: Terms[]; values: string[]; absent: boolean; other: boolean }>();
  const part = (holds: (reach: Reach) => boolean) => {
    const indexes: number[] = [];
    for (const [index, terms] of rest.entries()) {
      const reach = terms.get(key);
      if (reach === undefined || holds(reach)) indexes.push(index);
    }
    const id = indexes.join();
    const known = parts.get(id);
    if (known !== undefined) return known;
    const left = distinct(indexes.map((index) => without(rest[index] ?? new Map(), key)));
    const made = { left, values: [], absent: false, other: false };
    parts.set(id, made);
    return made;
  };
  for (const value of named) part((reach) => reach.values.has(value) !== reach.except).values.push(value);
  part((reach) => reach.absent).absent = true;
  part((reach) => reach.except).other = true;

  return [...parts.values()].flatMap(({ left, values, absent, other }) =>
    reaches(named, values, absent, other).map((reach) => [reach, left] as const),
  );
}

/** A part as reaches that one selector can say each; "these values, or absent" takes two. */
function reaches(named: readonly string[], values: readonly string[], absent: boolean, other: boolean): Reach[] {
  if (other) return [{ absent, except: true, values: new Set(named.filter((value) => !values.includes(value))) }];
  const said: Reach[] = [];
  if (values.length > 0) said.push({ absent: false, except: false, values: new Set(values) });
  if (absent) said.push({ absent: true, except: false, values: new Set() });
  return said;
}

/** The key that most selectors still depend on; of equals the first in the alphabet. */
function commonestKey(rest: readonly Terms[]): string {
  const counts = new Map<string, number>();
  for (const terms of rest) for (const key of terms.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
  let best = '';
  for (const [key, count] of counts) {
    const bestCount = counts.get(best) ?? 0;
    if (count > bestCount || (count === bestCount && key < best)) best = key;
  }
  return best;
}

function without(terms: Terms, key: string): Terms {
  const left = new Map(terms);
  left.delete(key);
  return left;
}

function distinct(selectors: readonly Terms[]): Terms[] {
  return [...new Map(selectors.map((terms) => [textOf(terms), terms])).values()];
}
