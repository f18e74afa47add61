import { shellWord } from '../core/decision/shell-word.ts';
import type { NearMisses } from '../core/explain/near-misses.ts';
import type { MissingEntry } from '../core/explain/policy-entry.ts';
import type { JsonObject } from '../core/kube/json.ts';
import { some } from './text.ts';

/** What someone may have meant or overlooked, a line each. */
export function nearWords({ namespaces, kinds, names, listed }: NearMisses, missing: MissingEntry | undefined): readonly string[] {
  const [first] = namespaces;
  return [
    ...(first === undefined ? [] : [`there is one in ${some(namespaces)} (--virtual-namespace ${shellWord(first)})`]),
    ...(kinds.length === 0 ? [] : [`of that name there is ${some(kinds)}`]),
    ...(names.length === 0 ? [] : [`did you mean ${some(names)}?`]),
    ...(missing === undefined ? [] : [`SyncPolicy ${missing.policy} lists ${some(listed)}`]),
  ];
}

/** The entry of a policy that would project an object, as YAML has it on one line; a value that is no plain word is quoted. */
export function entryWords(entry: JsonObject): string {
  const pairs = Object.entries(entry).map(
    ([key, value]) => `${key}: ${/^[A-Za-z][\w./-]*$/.test(String(value)) ? String(value) : JSON.stringify(value)}`,
  );
  return `{${pairs.join(', ')}}`;
}
