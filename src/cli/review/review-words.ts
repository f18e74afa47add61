import type { Json } from '../../core/kube/json.ts';
import type { CauseGroup } from '../../core/review/order.ts';
import type { CommittedTree, Effect, FieldChange, HostChange, InputChange, Review } from '../../core/review/review.ts';
import { jsonText } from '../../report/json-text.ts';
import { plural } from '../../report/text.ts';

export const VERB_SIGN = { added: '+', changed: '~', removed: '-' } as const;

/** What an effect is called beside an object, and counted as. */
const EFFECT_WORDS: Readonly<Record<Effect, readonly [string, (count: number) => string]>> = {
  'data-deleted': ['loses its data', (count) => `${count} with ${count === 1 ? 'its' : 'their'} data`],
  deleted: ['deleted', (count) => `${count} deleted`],
  recreated: ['recreated', (count) => `${count} recreated`],
  restarted: ['pods restart', (count) => plural(count, 'workload restarts', 'workloads restart')],
  'isolation-weaker': ['isolation weaker', (count) => `${count} with weaker isolation`],
  'cluster-scoped': ['cluster-scoped', (count) => `${count} cluster-scoped`],
  quota: ['quota', (count) => plural(count, 'quota')],
  'isolation-stronger': ['isolation stronger', (count) => `${count} with stronger isolation`],
};

export function effectWords(effects: readonly Effect[]): string {
  return effects.map((effect) => EFFECT_WORDS[effect][0]).join(', ');
}

export function effectCounts(review: Review, order: readonly Effect[]): string[] {
  return order.flatMap((effect) => {
    const count = review.changes.filter(({ effects }) => effects.includes(effect)).length;
    return count === 0 ? [] : [EFFECT_WORDS[effect][1](count)];
  });
}

export function objectName({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** `1 not ours, 3 stale, 2 missing` */
export function committedCounts({ foreign, changed, missing, extra }: CommittedTree): string {
  const counts = [
    [foreign, 'not ours'],
    [changed, 'stale'],
    [missing, 'missing'],
    [extra, 'extra'],
  ] as const;
  return counts.flatMap(([files, word]) => (files.length === 0 ? [] : [`${files.length} ${word}`])).join(', ');
}

/** For a heading: what is applied is the tree, so that comes first. */
export function committedVerdict({ committed }: Review): string {
  return committed === undefined ? '' : `the committed tree is not what its package renders (${committedCounts(committed)}), `;
}

/** What a review comes to, in one line. Where something stops, nothing else is known to stay as it is. */
export function verdict(review: Review): string {
  const stops = stopTexts(review);
  return [
    ...stops,
    ...(stops.length > 0 && review.changes.length === 0 ? [] : [headline(review)]),
    ...(stops.length > 0 && review.isolation.length === 0 ? [] : [isolationVerdict(review)]),
  ].join(', ');
}

/** That nothing would be written, or not for a tenant for which it was before. */
export function stopTexts({ stopped, frozen }: Review): string[] {
  const newly = frozen.filter((tenant) => tenant.newly === true);
  return [
    ...(stopped === undefined ? [] : ['nothing would be written']),
    ...(newly.length === 0 ? [] : [plural(newly.length, 'tenant would be frozen', 'tenants would be frozen')]),
  ];
}

/** `3 host objects change (+1 ~1 -1) in 2 tenants` */
function headline(review: Review): string {
  const { changes } = review;
  if (changes.length === 0) return 'no host object changes';
  const tenants = new Set(changes.flatMap(({ tenant }) => tenant ?? [])).size;
  return `${plural(changes.length, 'host object changes', 'host objects change')} (${countsText(changes)})${tenants === 0 ? '' : ` in ${plural(tenants, 'tenant')}`}`;
}

/** `+1 ~38 -2` */
export function countsText(changes: readonly HostChange[]): string {
  const count = (verb: HostChange['verb']): number => changes.filter((change) => change.verb === verb).length;
  return (['added', 'changed', 'removed'] as const)
    .flatMap((verb) => (count(verb) === 0 ? [] : [`${VERB_SIGN[verb]}${count(verb)}`]))
    .join(' ');
}

function isolationVerdict({ isolation }: Review): string {
  const tenants = (direction: string): number =>
    new Set(isolation.filter((row) => row.direction === direction).map(({ tenant }) => tenant)).size;
  const words = (['weaker', 'stronger', 'different'] as const).flatMap((direction) => {
    const count = tenants(direction);
    return count === 0 ? [] : [`${direction} for ${plural(count, 'tenant')}`];
  });
  return words.length === 0 ? 'isolation unchanged' : `isolation ${words.join(', ')}`;
}

/** `IsolationProfile restricted` */
export function causeName({ role, ref, tenant, id }: InputChange): string {
  if (role === 'tool') return 'another version of tenantplane';
  if (ref.name === '') return id;
  return `${objectName(ref)}${role === 'object' && tenant !== undefined ? ` of ${tenant}` : ''}`;
}

const LONGEST = 80;

/** `spec.level: restricted -> sandboxed`; values are cut where they are longer. */
export function fieldText({ path, op, before, after, hidden }: FieldChange, longest: number = LONGEST): string {
  if (hidden === true) return `${path} ${op === 'Add' ? 'added' : op === 'Remove' ? 'removed' : 'changed'} (value hidden)`;
  if (op === 'Add') return `${path}: ${short(textOf(after), longest)} (new)`;
  if (op === 'Remove') return `${path}: ${short(textOf(before), longest)} (removed)`;
  return `${path}: ${pair(textOf(before), textOf(after), longest)}`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : jsonText(value ?? null);
}

function short(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** Both values; of long ones only what begins where they part. */
function pair(before: string, after: string, longest: number): string {
  if (before.length <= longest && after.length <= longest) return `${before} -> ${after}`;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const from = Math.max(0, same - 20);
  const part = (text: string): string => `${from > 0 ? '…' : ''}${short(text.slice(from), longest)}`;
  return `${part(before)} -> ${part(after)}`;
}

/** Fields that say something new: annotations that tell why an object is as it is follow from the rest. */
export function tellingFields({ fields }: HostChange): readonly FieldChange[] {
  const telling = fields.filter(({ path }) => !path.includes('"tenantplane.io/'));
  return telling.length === 0 ? fields : telling;
}

/** Objects of a group that change alike in the same fields are told once. */
export function alike(changes: readonly HostChange[]): readonly (readonly HostChange[])[] {
  const groups = new Map<string, HostChange[]>();
  for (const change of changes) {
    const key = jsonText([
      change.host.kind,
      change.verb,
      change.code,
      [...change.effects],
      tellingFields(change).map((field) => fieldText(field)),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

export function groupTitle({ causes }: CauseGroup): string {
  return causes.map(causeName).join(' and/or ');
}
