import { type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { selectorMatcher } from '../kube/labels.ts';
import { stringMap } from '../kube/object.ts';

/** What is known: it is so, it is not, or a fact is missing. */
export type Sure = 'yes' | 'no' | 'maybe';

/** Labels as far as they are known offline: controllers and other packages add some. */
export interface Labels {
  readonly known: ReadonlyMap<string, string>;
  /** whether a key may be there with a value that is not known, or not be there at all */
  open(key: string): boolean;
}

export function allKnown(known: ReadonlyMap<string, string>): Labels {
  return { known, open: () => false };
}

/** A LabelSelector, read once, as a question about labels. */
export function selecting(selector: JsonObject): (labels: Labels) => Sure {
  const matchLabels = [...stringMap(objectAt(selector, 'matchLabels'))];
  const matchExpressions = objectsOf(selector['matchExpressions']);
  const keys = [...matchLabels.map(([key]) => key), ...matchExpressions.map((expression) => stringAt(expression, 'key') ?? '')];
  const whole = selectorMatcher(selector);
  return (labels) => {
    if (!keys.some((key) => labels.open(key))) return whole(labels.known) ? 'yes' : 'no';
    const closed = {
      matchLabels: Object.fromEntries(matchLabels.filter(([key]) => !labels.open(key))),
      matchExpressions: matchExpressions.filter((expression) => !labels.open(stringAt(expression, 'key') ?? '')),
    };
    return selectorMatcher(closed)(labels.known) ? 'maybe' : 'no';
  };
}

/** All of them hold. */
export function all(...facts: readonly Sure[]): Sure {
  return facts.includes('no') ? 'no' : facts.includes('maybe') ? 'maybe' : 'yes';
}

/** One of them holds. */
export function any(facts: readonly Sure[]): Sure {
  return facts.includes('yes') ? 'yes' : facts.includes('maybe') ? 'maybe' : 'no';
}
