import { isObject, type Json, type JsonObject, objectAt, objectsOf, type Path, stringAt } from '../../kube/json.ts';
import { amount, atLeast, atMost, type Comparison, type Difference, each } from './comparison.ts';

/** Defaults give way to what a container states, and bounds hold for both. */
const FIELDS: Readonly<Record<string, Comparison>> = {
  max: each(atMost),
  min: each(atLeast),
  maxLimitRequestRatio: each(atMost),
  default: each(amount('other')),
  defaultRequest: each(amount('other')),
};

/** The items of a LimitRange, each type once, with what the API server fills in (core/v1, SetDefaults_LimitRangeItem). */
export const limitItems: Comparison = (planned, live, path) => {
  const [wanted, found] = [byType(planned), byType(live)];
  const types = new Set([...wanted.keys(), ...found.keys()]);
  return [...types].flatMap((type): readonly Difference[] => {
    const [one, other] = [wanted.get(type), found.get(type)];
    if (other === undefined) return [{ path, way: 'weaker' }];
    const at: Path = [...path, other.index];
    if (one === undefined) return [{ path: at, way: 'stronger' }];
    return Object.entries(FIELDS).flatMap(([field, compare]) => compare(one.item[field], other.item[field], [...at, field]));
  });
};

function byType(limits: Json | undefined): Map<string, { readonly item: JsonObject; readonly index: number }> {
  return new Map(objectsOf(limits).map((item, index) => [stringAt(item, 'type') ?? '', { item: filled(item), index }]));
}

function filled(item: JsonObject): JsonObject {
  if (item['type'] !== 'Container') return item;
  const part = (name: string): JsonObject => objectAt(item, name) ?? {};
  const limit = { ...part('max'), ...part('default') };
  return { ...item, default: limit, defaultRequest: { ...part('min'), ...limit, ...part('defaultRequest') } };
}

/** A quota's hard values: another resource under a bound closes more. */
export const hardValues: Comparison = (planned, live, path) => each(atMost)(isObject(planned) ? planned : {}, live, path);
