import { at, isObject, type Json, type JsonObject, type Path } from '../../kube/json.ts';

export interface Item {
  readonly item: JsonObject;
  readonly path: Path;
}

/** The maps of a list with their paths. Items of another shape are passed over; the shape check of the kind refuses them. */
export function itemsAt(root: Json | undefined, ...path: (string | number)[]): Item[] {
  const list = at(root, ...path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) => (isObject(item) ? [{ item, path: [...path, index] }] : []));
}

/** The maps of a list inside an item, with their paths from the root. */
export function itemsIn(holder: Item, ...path: (string | number)[]): Item[] {
  return itemsAt(holder.item, ...path).map((inner) => ({ item: inner.item, path: [...holder.path, ...inner.path] }));
}
