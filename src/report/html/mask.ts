import { isObject, type Json, type JsonObject, objectAt, put } from '../../core/kube/json.ts';
import { kindOf } from '../../core/kube/object.ts';
import { nearest } from '../../schema/nearest.ts';
import { HIDDEN } from '../decision-record.ts';

/** What may be shown of an object: of a Secret, and of what becomes one, the keys and never a value. */
export function masked(object: JsonObject): JsonObject {
  const kind = secretKind(object);
  const hidden = kind === undefined ? undefined : VALUES[kind];
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(object)) if (value !== undefined) put(copy, key, value);
  for (const path of [...(hidden ?? []), ...EVERY_KIND]) hideValues(copy, path);
  if (hidden !== undefined) hideValues(copy, ['metadata', 'annotations']);
  // a misspelt `data` holds the same values
  if (kind === 'Secret') for (const key of Object.keys(copy)) if (!isOpen(key, copy[key])) hideValues(copy, [key]);
  return copy;
}

/**
 * The tenant's object beside its projection: an annotation that does not pass may hold anything, the last applied
 * configuration for one, so only its key is shown.
 */
export function maskedSource(source: JsonObject, host: JsonObject | undefined): JsonObject {
  const copy = masked(source);
  const passed = objectAt(host, 'metadata', 'annotations');
  replaceEach(copy, ['metadata', 'annotations'], (key, value) => (passed !== undefined && passed[key] === value ? value : HIDDEN));
  return copy;
}

/** The kind of secrets that an object is of, or was meant to be: a misspelt one is refused, and holds the same values. */
function secretKind(object: JsonObject): string | undefined {
  const kind = kindOf(object).trim();
  if (Object.hasOwn(VALUES, kind)) return kind;
  const meant = nearest(kind, Object.keys(VALUES));
  return meant ?? (Object.hasOwn(object, 'stringData') ? 'Secret' : undefined);
}

function isOpen(key: string, value: Json | undefined): boolean {
  return OPEN_FIELDS.has(key) || (key === 'immutable' && typeof value === 'boolean');
}

/** Where kinds keep secret values. Encrypted ones are hidden too: an old key may be known. */
const VALUES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Secret: [],
  SealedSecret: [
    ['spec', 'encryptedData'],
    ['spec', 'template', 'data'],
    ['spec', 'template', 'stringData'],
    ['spec', 'template', 'metadata', 'annotations'],
  ],
  ExternalSecret: [
    ['spec', 'target', 'template', 'data'],
    ['spec', 'target', 'template', 'templateFrom'],
    ['spec', 'target', 'template', 'metadata', 'annotations'],
  ],
};
const OPEN_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type']);
const EVERY_KIND = [['metadata', 'managedFields']] as const;

function hideValues(root: JsonObject, path: readonly string[]): void {
  replaceEach(root, path, () => HIDDEN);
}

/** Copies what lies on the way, so that the object that was given stays as it is. */
function replaceEach(root: JsonObject, path: readonly string[], value: (key: string, before: Json) => Json): void {
  const [step, ...rest] = path;
  const at = step === undefined || !Object.hasOwn(root, step) ? undefined : root[step];
  if (step === undefined || at === undefined || at === null) return;
  // what should be a map and is none may be a value that slipped one level up
  if (!isObject(at)) {
    put(root, step, HIDDEN);
    return;
  }
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(at)) if (item !== undefined) put(copy, key, rest.length === 0 ? value(key, item) : item);
  put(root, step, copy);
  if (rest.length > 0) replaceEach(copy, rest, value);
}
