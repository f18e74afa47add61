import type { Json, JsonObject } from '../core/kube/json.ts';
import { isVisible, visibleLines } from './escape.ts';

/**
 * A document as YAML that is looked at. YAML holds format characters as they are, such as the ones that turn a line round; where
 * there are any, all values are shown. Not for objects that somebody applies: those keep their values.
 */
export function visibleYaml(document: JsonObject, emit: (document: JsonObject) => string): string {
  const text = emit(document);
  return isVisible(text) ? text : emit(shown(document));
}

function shown(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [visibleLines(key), shownValue(value)]));
}

function shownValue(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return visibleLines(value);
  if (Array.isArray(value)) return value.map((item) => shownValue(item) ?? null);
  return typeof value === 'object' && value !== null ? shown(value) : value;
}
