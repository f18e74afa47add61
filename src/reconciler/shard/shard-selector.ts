import { byText, type Terms, termsOf } from '../../core/isolation/selector-terms.ts';
import { type Misread, parseSelector } from './parse-selector.ts';

/**
 * The one text for all selectors that select the same: who is for the same TenantClusters has to wait for the same Lease.
 * @returns the empty text for a selector that selects all; what is wrong with one that cannot be read, or that selects nothing
 */
export function shardSelector(text: string): string | Misread {
  const parsed = parseSelector(text);
  if (!('matchExpressions' in parsed)) return parsed;
  const terms = termsOf({ matchExpressions: [...parsed.matchExpressions] });
  return terms === undefined ? { at: 1, problem: 'its requirements exclude each other, so it selects nothing' } : textOf(terms);
}

function textOf(terms: Terms): string {
  return [...terms]
    .sort(byText)
    .flatMap(([key, { absent, except, values }]) => {
      const list = [...values].sort();
      const one = list.length === 1;
      if (!except) return list.length === 0 ? [`!${key}`] : [one ? `${key}=${list.join()}` : `${key} in (${list.join()})`];
      const not = list.length === 0 ? [] : [one ? `${key}!=${list.join()}` : `${key} notin (${list.join()})`];
      return absent ? not : [key, ...not];
    })
    .join();
}
