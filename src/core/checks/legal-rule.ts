import { isObject, type Json, type JsonObject, own, type Path } from '../kube/json.ts';
import { quoted } from './legal-value.ts';
import { isLabelValue, isQualifiedName } from './metadata-checks.ts';

export const LABEL_KEY: string = 'a label key: an optional domain and /, then at most 63 letters, digits and -_.';
export const LABEL_VALUE: string = 'a label value: at most 63 letters, digits and -_., beginning and ending with a letter or digit';

export interface Illegal {
  /** below the object that was looked at */
  readonly path: Path;
  readonly found: string;
  readonly wanted: string;
}

/** What is wrong with several fields of an object together. */
export type Rule = (object: JsonObject) => readonly (Illegal | undefined)[];

/** A field that may not be set as others are. */
export function unless(legal: boolean, path: Path, found: string, wanted: string): Illegal | undefined {
  return legal ? undefined : { path, found, wanted };
}

/** A union of the API: the server wants exactly one of its fields. */
export function oneFieldOf(...fields: readonly string[]): Rule {
  return (object) => {
    const set = fields.filter((field) => (own(object, field) ?? undefined) !== undefined);
    const [first = '', second = ''] = set;
    if (set.length === 0)
      return [{ path: [], found: `without ${fields.slice(0, -1).join(', ')} and ${fields.at(-1) ?? ''}`, wanted: 'with one of them' }];
    return set.length === 1 ? [] : [{ path: [second], found: `set beside ${first}`, wanted: 'the only one' }];
  };
}

export function empty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export function numberAt(object: JsonObject | undefined, field: string, absent: number): number {
  const value = own(object, field);
  return typeof value === 'number' ? value : absent;
}

export function labels(map: Json | undefined, path: Path): Illegal[] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([name, value]) => {
    if (!isQualifiedName(name)) return [{ path: [...path, name], found: 'under an illegal key', wanted: LABEL_KEY }];
    return typeof value === 'string' && !isLabelValue(value) ? [{ path: [...path, name], found: quoted(value), wanted: LABEL_VALUE }] : [];
  });
}

/** Items of a list that say what one before them says. */
export function twice(holder: JsonObject, list: string, field: string): Illegal[] {
  const items = own(holder, list);
  if (!Array.isArray(items)) return [];
  const seen = new Set<Json>();
  return items.flatMap((item, index) => {
    const value = isObject(item) ? own(item, field) : undefined;
    if (typeof value !== 'string' || value === '') return [];
    if (seen.has(value)) return [{ path: [list, index, field], found: `${quoted(value)} again`, wanted: 'said once in the list' }];
    seen.add(value);
    return [];
  });
}
