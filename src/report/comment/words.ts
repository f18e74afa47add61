import type { ObjectRef } from '../../core/decision/decision.ts';
import type { Json } from '../../core/kube/json.ts';
import type { FieldChange, HostChange, InputChange, Review } from '../../core/review/review.ts';
import { pair, short } from '../change-words.ts';
import { markdownCode, visible } from '../escape.ts';
import { jsonText } from '../json-text.ts';

/** Names of Kubernetes are shorter; what is longer is no name, and a comment has no room for it. */
const LONGEST = 300;
const LONGEST_VALUE = 160;
const FIELDS = 12;

export const SIGNS: Readonly<Record<HostChange['verb'], string>> = { added: '+', changed: '~', removed: '-' };

export function code(text: string, inTable = false): string {
  return markdownCode(short(visible(text), LONGEST), inTable);
}

export function objectName({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Most edits that one line names. */
const CAUSES = 3;

/** Edits that may each be the cause, in the words of the pull request. */
export function causesText(ids: readonly string[] | undefined, causes: ReadonlyMap<string, InputChange>, inTable = false): string {
  return andOr((ids ?? []).map((id) => causeText(id, causes, inTable)));
}

export function andOr(texts: readonly string[]): string {
  const more = texts.length - CAUSES;
  return [...texts.slice(0, CAUSES), ...(more > 0 ? [`${more} more`] : [])].join(' and/or ');
}

/** The same for the same edits, whichever is named first. */
export function causeKey({ causes }: { readonly causes: readonly string[] }): string {
  return JSON.stringify([...causes].sort());
}

/** What someone edited; an id that the review does not explain is shown as it is. */
function causeText(id: string, causes: ReadonlyMap<string, InputChange>, inTable = false): string {
  const cause = causes.get(id);
  if (cause === undefined) return code(id, inTable);
  if (cause.role === 'tool') return 'the version of tenantplane';
  const place = code(cause.line === undefined ? cause.file : `${cause.file}:${cause.line}`, inTable);
  const [field] = cause.fields;
  const what = `${code(objectName(cause.ref), inTable)} ${cause.verb}`;
  return field === undefined ? `${place} ${what}` : `${place} ${what}: ${fieldText(field, inTable)}${others(cause.fields.length - 1)}`;
}

function others(count: number): string {
  return count > 0 ? ` and ${count} more` : '';
}

function fieldText({ path, before, after, hidden }: FieldChange, inTable: boolean): string {
  if (hidden === true) return `${code(path, inTable)} (value hidden)`;
  const [was, is] = shownPair(before, after);
  return `${code(path, inTable)} ${code(was, inTable)} → ${code(is, inTable)}`;
}

/** Both values, cut where they part, and not yet made visible: that cuts long text from its end. */
function shownPair(before: Json | undefined, after: Json | undefined): readonly [string, string] {
  const text = (value: Json | undefined): string => (value === undefined ? 'unset' : jsonText(value));
  if (before === undefined || after === undefined) return [short(text(before), LONGEST_VALUE), short(text(after), LONGEST_VALUE)];
  return pair(text(before), text(after), LONGEST_VALUE);
}

/** The fields of one change as a diff, in a fence that nothing inside can close. */
export function fieldsDiff(fields: readonly FieldChange[]): string {
  const lines = fields.slice(0, FIELDS).flatMap(({ path, before, after, hidden }) => {
    const [was, is] = shownPair(before, after);
    return [
      `  ${visible(short(path, LONGEST))}`,
      ...(hidden === true
        ? ['! the value is hidden']
        : [...(before === undefined ? [] : [`- ${visible(was)}`]), ...(after === undefined ? [] : [`+ ${visible(is)}`])]),
    ];
  });
  if (fields.length > FIELDS) lines.push(`  … and ${fields.length - FIELDS} more fields`);
  const longest = lines.reduce((most, line) => [...line.matchAll(/`+/g)].reduce((length, [run]) => Math.max(length, run.length), most), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${lines.join('\n')}\n${fence}\n`;
}

export function causesOf(review: Review): ReadonlyMap<string, InputChange> {
  return new Map(review.causes.map((cause) => [cause.id, cause]));
}

/** Items by a key, biggest group first, and by key where they are alike. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly [string, readonly Item[]])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups].sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1));
}
