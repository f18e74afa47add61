import { asArray, equal, isObject, type Json, type Path } from '../../kube/json.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import type { Way } from './boundary-report.ts';
import { canonicalText, selectorText } from './canonical.ts';

/** One place where a live object is not as planned. */
export interface Difference {
  readonly path: Path;
  readonly way: Way;
}

/** How a field is compared: nothing where the live value means what the planned one does. */
export type Comparison = (planned: Json | undefined, live: Json | undefined, path: Path) => readonly Difference[];

/** Nobody's concern. */
export const any: Comparison = () => [];

/** The same value, or what the API server takes for it where it is left out. */
export function exact(way: Way = 'weaker', unsaid?: Json): Comparison {
  return (planned, live, path) => (equal(planned ?? unsaid, live ?? unsaid) ? [] : [{ path, way }]);
}

/** A LabelSelector; left out, it selects everything. */
export const selector: Comparison = (planned, live, path) =>
  selectorText(planned ?? {}) === selectorText(live ?? {}) ? [] : [{ path, way: 'weaker' }];

interface SetOptions {
  /** what two items are compared by */
  readonly text?: (item: Json) => string;
  /** what an item that nobody planned makes of it; `any` where it is nobody's concern */
  readonly extra: (item: Json) => Way | 'any';
  readonly lacking: (item: Json) => Way;
}

/** A list whose order means nothing. */
export function setOf({ text = canonicalText, extra, lacking }: SetOptions): Comparison {
  return (planned, live, path) => {
    const [wanted, found] = [planned, live].map((list) => (asArray(list) ?? []).map((item) => [text(item), item] as const));
    const [had, have] = [new Set(wanted?.map(([key]) => key)), new Set(found?.map(([key]) => key))];
    return [
      ...(found ?? []).flatMap(([key, item], index): Difference[] => {
        const way = had.has(key) ? 'any' : extra(item);
        return way === 'any' ? [] : [{ path: [...path, index], way }];
      }),
      ...(wanted ?? []).flatMap(([key, item]): Difference[] => (have.has(key) ? [] : [{ path, way: lacking(item) }])),
    ];
  };
}

/** Quantities of which less is stricter; what nothing bounds is not bound at all. */
export const atMost: Comparison = (planned, live, path) => bound(planned, live, path, (wanted, found) => found < wanted);

/** Quantities of which more is stricter. */
export const atLeast: Comparison = (planned, live, path) => bound(planned, live, path, (wanted, found) => found > wanted);

function bound(
  planned: Json | undefined,
  live: Json | undefined,
  path: Path,
  stricter: (wanted: bigint, found: bigint) => boolean,
): readonly Difference[] {
  const [wanted, found] = [parseQuantity(planned), parseQuantity(live)];
  if (wanted === found && (wanted !== undefined || equal(planned, live))) return [];
  const strict = planned === undefined ? found !== undefined : wanted !== undefined && found !== undefined && stricter(wanted, found);
  return [{ path, way: strict ? 'stronger' : 'weaker' }];
}

/** The same quantity, however it is written. */
export function amount(way: Way): Comparison {
  return (planned, live, path) => (bound(planned, live, path, () => true).length === 0 ? [] : [{ path, way }]);
}

/** Each entry of a map by one comparison. */
export function each(compare: Comparison): Comparison {
  return (planned, live, path) => {
    const [wanted, found] = [isObject(planned) ? planned : {}, isObject(live) ? live : {}];
    const keys = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...keys].flatMap((key) => compare(wanted[key], found[key], [...path, key]));
  };
}
