import { asArray, equal, isObject, type Json, type JsonObject } from '../kube/json.ts';
import { type KubeObject, kindOf } from '../kube/object.ts';
import { parseQuantity } from '../kube/quantity.ts';
import { namedItems } from './list-keys.ts';
import { hasQuantities, isQuantityField } from './quantity-fields.ts';

/** A place in a list: where it stands on the side that has it, and its name where its keys tell it from the others. */
export interface ItemStep {
  readonly before?: number;
  readonly after?: number;
  readonly shown?: string;
}

export type Step = string | ItemStep;

/** One place where two objects do not mean the same. An absent value is absent, and so is a null. */
export interface Difference {
  readonly path: readonly Step[];
  readonly before?: Json;
  readonly after?: Json;
  /** the items are the same, in another order; both values are their names */
  readonly order?: true;
}

/**
 * Where two objects do not mean the same: maps without regard to order, lists of named items by their names, quantities by their
 * amount. The order of named items counts in pod templates alone, where the API server takes another order for another template.
 */
export function compareObjects(before: KubeObject, after: KubeObject): Difference[] {
  const found: Difference[] = [];
  walk(before, after, [], { found, quantities: hasQuantities(after), ordered: inPods(after) });
  return found;
}

interface Walk {
  readonly found: Difference[];
  readonly quantities: boolean;
  readonly ordered: (path: readonly Step[]) => boolean;
}

function walk(was: Json | undefined, is: Json | undefined, path: readonly Step[], to: Walk): void {
  const [before, after] = [was ?? undefined, is ?? undefined];
  if (equal(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) walk(own(before, key), own(after, key), [...path, key], to);
    return;
  }
  const [items, others] = [asArray(before), asArray(after)];
  if (items !== undefined && others !== undefined) walkList(items, others, path, to);
  else if (!(to.quantities && sameAmount(before, after, path))) to.found.push(difference(path, before, after));
}

function walkList(before: readonly Json[], after: readonly Json[], path: readonly Step[], to: Walk): void {
  const field = path.at(-1);
  const named = typeof field === 'string' ? namedItems(field, before, after) : undefined;
  if (named === undefined) {
    walkPlaces(before, after, path, to);
    return;
  }
  const [old, now] = named;
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(id), now.get(id)];
    const step = { ...(was && { before: was.index }), ...(is && { after: is.index }), shown: is?.shown ?? was?.shown ?? '' };
    walk(was?.value, is?.value, [...path, step], to);
  }
  const common = (from: ReadonlyMap<string, { shown: string }>, other: ReadonlyMap<string, unknown>): string[] =>
    [...from].flatMap(([id, { shown }]) => (other.has(id) ? [shown] : []));
  const [was, is] = [common(old, now), common(now, old)];
  if (to.ordered(path) && !equal(was, is)) to.found.push({ path, before: was, after: is, order: true });
}

/** By place, but for what both begin and end with. */
function walkPlaces(before: readonly Json[], after: readonly Json[], path: readonly Step[], to: Walk): void {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && equal(before[start], after[start])) start += 1;
  let end = 0;
  while (end < least - start && equal(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const [was, is] = [before.length - end, after.length - end];
  for (let index = start; index < Math.max(was, is); index += 1) {
    const step = { ...(index < was && { before: index }), ...(index < is && { after: index }) };
    walk(index < was ? before[index] : undefined, index < is ? after[index] : undefined, [...path, step], to);
  }
}

function difference(path: readonly Step[], before: Json | undefined, after: Json | undefined): Difference {
  return { path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function sameAmount(before: Json | undefined, after: Json | undefined, path: readonly Step[]): boolean {
  if (before === undefined || after === undefined || !isQuantityField(path)) return false;
  const amount = parseQuantity(before);
  return amount !== undefined && amount === parseQuantity(after);
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function inPods(object: KubeObject): Walk['ordered'] {
  if (kindOf(object) === 'Pod') return (path) => path[0] === 'spec';
  return (path) => path.includes('template');
}
