import { malformed } from '../../checks/shape.ts';
import { at, isObject, type JsonObject, type Path } from '../../kube/json.ts';
import type { Refusal } from '../edit.ts';

const KEY = /^[-._a-zA-Z0-9]{1,253}$/;
/** Go's standard encoding: padded, line breaks allowed. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Keys and values of `data` and its like. A value is never shown: it may be a Secret's; the key says enough. */
export function dataRefusals(object: JsonObject, field: string, form: 'text' | 'base64'): Refusal[] {
  const map = at(object, field);
  if (map === undefined || map === null) return [];
  if (!isObject(map)) return [malformed([field], map, 'a map')];
  const refusals: Refusal[] = [];
  for (const [key, value] of Object.entries(map)) {
    const path: Path = [field, key];
    if (!KEY.test(key) || key === '.' || key.startsWith('..'))
      refusals.push(wrong(path, 'a key', 'a key of letters, digits, "-", "_" and "."'));
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') refusals.push(malformed(path, value, form === 'text' ? 'a string (quote it)' : 'base64'));
    else if (form === 'base64' && !isBase64(value)) refusals.push(wrong(path, 'a string that is no base64', 'base64'));
  }
  return refusals;
}

function isBase64(text: string): boolean {
  const packed = text.replace(/[\r\n]/g, '');
  return packed.length % 4 === 0 && BASE64.test(packed);
}

function wrong(path: Path, found: string, wanted: string): Refusal {
  const refusal = malformed(path, undefined, wanted);
  return { ...refusal, params: { ...refusal.params, found } };
}
