import type { Json, JsonObject } from '../core/kube/json.ts';
import { isVisible, visibleLines } from './escape.ts';

/**
 * A document as YAML that is looked at. YAML holds format characters as they are, such as the ones that turn a line round; where
 * there are any, all values are shown. A line of a block that a workflow's runner would take for a command, wherever it is indented
 * to, shows all as well, and its breaks with them. Not for objects that somebody applies: those keep their values.
 */
export function visibleYaml(document: JsonObject, emit: (document: JsonObject) => string): string {
  const text = emit(document);
  return isVisible(text) && !COMMAND.test(text) ? text : emit(shown(document));
}

/** GitHub's runner takes the white space off before it looks. */
const COMMAND = /^\s*::/m;

function shown(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [visibleLines(key), shownValue(value)]));
}

function shownValue(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return value.map((item) => shownValue(item) ?? null);
  return typeof value === 'object' && value !== null ? shown(value) : value;
}

function shownText(text: string): string {
  const lines = visibleLines(text);
  return COMMAND.test(lines) ? lines.replaceAll('\n', '\\n') : lines;
}
