import { asArray, isObject, type Json, type JsonObject, objectAt, objectsOf } from '../../kube/json.ts';
import { byText, termsOf, textOf } from '../selector-terms.ts';

/** One text for all values that are equal as JSON: keys in order, integers of any size. */
export function canonicalText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? '');
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${members.join(',')}}`;
}

/** The same for values whose lists are sets, and where an empty list, map or text and what is false mean what is left out. */
export function setText(value: Json | undefined): string {
  return canonicalText(asSets(value));
}

function asSets(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    // an empty text in a list is an item: the core group, not nothing
    const items = value.map((item) => asSets(item) ?? item);
    const ordered = items.map((item) => [canonicalText(item), item] as const).sort(byText);
    return ordered.length === 0 ? undefined : ordered.map(([, item]) => item);
  }
  if (!isObject(value)) return value === false || value === '' || value === null ? undefined : value;
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const set = asSets(item);
    return set === undefined ? [] : [[key, set] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** One text for all LabelSelectors that select the same; an absent one has none. */
export function selectorText(selector: Json | undefined): string {
  if (!isObject(selector)) return 'absent';
  const terms = termsOf(selector);
  return terms === undefined ? 'nothing' : textOf(terms);
}

/** What a rule of a NetworkPolicy admits, one text for each peer and port; a list that is empty or left out is everyone or every port. */
export function ruleTexts(rule: JsonObject, peers: 'from' | 'to'): readonly string[] | 'too-many' {
  const [who, where] = [listed(rule[peers], peerText), listed(rule['ports'], portText)];
  if (who.length * where.length > MAX_PAIRS) return 'too-many';
  return who.flatMap((peer) => where.map((port) => `${peer} ${port}`));
}

/** A planned rule has a handful; one that somebody made this large is not ours. */
const MAX_PAIRS = 10_000;

function listed(value: Json | undefined, text: (item: JsonObject) => string): string[] {
  const items = objectsOf(value).map(text);
  return items.length === 0 ? ['all'] : items;
}

function peerText(peer: JsonObject): string {
  const block = objectAt(peer, 'ipBlock');
  const range = block === undefined ? 'absent' : `${canonicalText(block['cidr'])}-${setText(asArray(block['except']) ?? [])}`;
  return `${selectorText(peer['namespaceSelector'])};${selectorText(peer['podSelector'])};${range}`;
}

function portText({ protocol, port, endPort }: JsonObject): string {
  return canonicalText([protocol ?? 'TCP', port ?? null, endPort ?? null]);
}
