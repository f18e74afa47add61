import type { CauseGroup } from '../../core/review/order.ts';
import type { CommittedTree, Effect, FieldChange, HostChange, Review } from '../../core/review/review.ts';
import {
  causeName,
  committedTitle,
  EFFECT_WORDS,
  frozenWarnings,
  isolatedWords,
  LONGEST,
  pair,
  short,
  valueText,
} from '../../report/change-words.ts';
import { plural } from '../../report/text.ts';

export const VERB_SIGN = { added: '+', changed: '~', removed: '-' } as const;

/** What an effect is counted as. */
const COUNT_WORDS: Readonly<Record<Effect, (count: number) => string>> = {
  'data-deleted': (count) => `${count} with ${count === 1 ? 'its' : 'their'} data`,
  deleted: (count) => `${count} deleted`,
  recreated: (count) => `${count} recreated`,
  restarted: (count) => plural(count, 'workload restarts', 'workloads restart'),
  'isolation-weaker': (count) => `${count} with weaker isolation`,
  'cluster-scoped': (count) => `${count} cluster-scoped`,
  quota: (count) => plural(count, 'quota'),
  'isolation-stronger': (count) => `${count} with stronger isolation`,
};

export function effectWords(effects: readonly Effect[]): string {
  return effects.map((effect) => EFFECT_WORDS[effect]).join(', ');
}

export function effectCounts(review: Review, order: readonly Effect[]): string[] {
  return order.flatMap((effect) => {
    const count = review.changes.filter(({ effects }) => effects.includes(effect)).length;
    return count === 0 ? [] : [COUNT_WORDS[effect](count)];
  });
}

/** `1 not ours, 3 stale, 2 missing` */
export function committedCounts({ foreign, replaced, changed, missing, extra }: CommittedTree): string {
  const counts = [
    [[...foreign, ...replaced], 'not ours'],
    [changed, 'stale'],
    [missing, 'missing'],
    [extra, 'extra'],
  ] as const;
  return counts.flatMap(([files, word]) => (files.length === 0 ? [] : [`${files.length} ${word}`])).join(', ');
}

/** For a heading: what is applied is the tree, so that comes first. */
export function committedVerdict({ committed }: Review): string {
  return committed === undefined ? '' : `${committedTitle(committed)} (${committedCounts(committed)}), `;
}

/** What a review comes to, in one line. Where something stops, nothing else is known to stay as it is. */
export function verdict(review: Review): string {
  const stops = stopTexts(review);
  return [
    ...stops,
    ...(stops.length > 0 && review.changes.length === 0 ? [] : [headline(review)]),
    ...(stops.length > 0 && review.isolation.length === 0 ? [] : [isolationVerdict(review)]),
    ...(review.warnings.length === 0 ? [] : [frozenWarnings(review.warnings.length)]),
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

function isolationVerdict({ isolation, notJudged = [] }: Review): string {
  const words = (['weaker', 'stronger', 'different'] as const).flatMap((direction) => {
    const of = isolation.filter((row) => row.direction === direction).map(({ tenant }) => tenant);
    return of.length === 0 ? [] : [`${direction} for ${isolatedWords(of)}`];
  });
  const unknown = notJudged.length === 0 ? [] : [`isolation of ${plural(notJudged.length, 'tenant')} not known`];
  if (words.length === 0) return unknown[0] ?? 'isolation unchanged';
  return [`isolation ${words.join(', ')}`, ...unknown].join(', ');
}

/** `spec.level: restricted -> sandboxed`; values are cut where they are longer. */
export function fieldText({ path, op, before, after, hidden }: FieldChange, longest: number = LONGEST): string {
  if (hidden === true) return `${path} ${op === 'Add' ? 'added' : op === 'Remove' ? 'removed' : 'changed'} (value hidden)`;
  if (op === 'Add') return `${path}: ${short(valueText(after), longest)} (new)`;
  if (op === 'Remove') return `${path}: ${short(valueText(before), longest)} (removed)`;
  return `${path}: ${pair(valueText(before), valueText(after), longest).join(' -> ')}`;
}

export function groupTitle({ causes }: CauseGroup): string {
  return causes.map(causeName).join(' and/or ');
}
