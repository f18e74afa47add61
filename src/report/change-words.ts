import type { ObjectRef } from '../core/decision/decision.ts';
import { reasonOf } from '../core/decision/reasons.ts';
import type { Json } from '../core/kube/json.ts';
import { type CommittedTree, type Effect, type InputChange, PROFILE } from '../core/review/review.ts';
import { jsonText } from './json-text.ts';
import { plural } from './text.ts';

/** What an effect is called beside an object. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  'data-deleted': 'loses its data',
  deleted: 'deleted',
  recreated: 'recreated',
  restarted: 'pods restart',
  'isolation-weaker': 'isolation weaker',
  'cluster-scoped': 'cluster-scoped',
  quota: 'quota',
  'isolation-stronger': 'isolation stronger',
};

const TITLES = {
  committed: 'the committed tree is not what its package renders',
  behind: 'the working tree has edits of the package that are not rendered yet',
  edited: 'the tree on the disk is not what its package renders',
} as const;

/** What the tree beside the side after is not. */
export function committedTitle({ working }: CommittedTree): string {
  return TITLES[working ?? 'committed'];
}

export function capital(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** What to do about it, in a comment or on a page. */
export function committedMend({ working }: CommittedTree): string {
  return working === 'behind'
    ? 'Render the package (tenantplane render) and commit the tree together with the edit.'
    : 'Render the package again and commit the tree; what no source gives has to be taken out by hand.';
}

/** What is wrong with files of a committed tree, the worst first. */
export const COMMITTED_WORDS: readonly (readonly [Exclude<keyof CommittedTree, 'working'>, string])[] = [
  ['foreign', `that no source gives, and that would be applied (${reasonOf('TreeFileForeign').code} TreeFileForeign)`],
  ['replaced', `that is in the place of one of ours and not recognisably ours (${reasonOf('HostObjectForeign').code} HostObjectForeign)`],
  ['changed', 'not as a render gives it'],
  ['missing', 'missing'],
  ['extra', 'that a render takes out'],
];

/** `2 tenants`, `1 profile`: whose isolation changes */
export function isolatedWords(names: readonly string[]): string {
  const all = [...new Set(names)];
  const profiles = all.filter((name) => name.startsWith(PROFILE)).length;
  const words = [
    [all.length - profiles, 'tenant'],
    [profiles, 'profile'],
  ] as const;
  return words.flatMap(([count, word]) => (count === 0 ? [] : [plural(count, word)])).join(' and ');
}

/** For a heading: what is said beside of tenants that are frozen. */
export function frozenWarnings(count: number): string {
  return `${plural(count, 'warning')} for frozen tenants`;
}

export function objectName({ kind, namespace, name }: Pick<ObjectRef, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** `IsolationProfile restricted` */
export function causeName({ role, ref, tenant, id }: InputChange): string {
  if (role === 'tool') return 'another version of tenantplane';
  if (ref.name === '') return id;
  return `${objectName(ref)}${role === 'object' && tenant !== undefined ? ` of ${tenant}` : ''}`;
}

/** How much of a value a line holds. */
export const LONGEST = 80;

export function valueText(value: Json | undefined): string {
  return typeof value === 'string' ? value : jsonText(value ?? null);
}

export function short(text: string, longest: number = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Both values; of long ones only what begins where they part. */
export function pair(before: string, after: string, longest: number = LONGEST): readonly [string, string] {
  if (before.length <= longest && after.length <= longest) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const from = Math.max(0, same - 20);
  const part = (text: string): string => `${from > 0 ? '…' : ''}${short(text.slice(from).replace(/^[\udc00-\udfff]/, ''), longest)}`;
  return [part(before), part(after)];
}
