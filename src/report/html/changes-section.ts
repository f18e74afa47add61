import { groupsByCause } from '../../core/review/order.ts';
import type { InputChange, IsolationChange, Review } from '../../core/review/review.ts';
import { causeName } from '../change-words.ts';
import { causeBlock, editLine } from './cause-block.ts';
import { refusalBlocks, stopBlocks } from './findings-blocks.ts';
import { folded } from './folded.ts';
import type { Links } from './links.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { plural } from './words.ts';

/** What changes on the host, by the change of the input that causes it. */
export function changesSection(review: Review | undefined, links: Links): Markup {
  if (review === undefined) return NOTHING;
  const { before, after, causes, changes, isolation } = review;
  return html`<section id="changes" aria-labelledby="changes-h"><h2 id="changes-h">Changes</h2><p class="lead">From ${before.label} to ${after.label}: ${plural(changes.length, 'host object')} of ${after.objects}; ${plural(causes.length, 'change')} of the input.</p>${stopBlocks(review)}${
    isolation.length > 0 && html`<h3 class="table-h">Isolation</h3>${isolationList(isolation)}`
  }${refusalBlocks(review)}${groupsByCause(review).map((group) => causeBlock(group, links))}${idleEdits(review)}</section>`;
}

const DIRECTIONS: readonly IsolationChange['direction'][] = ['weaker', 'different', 'stronger'];

/** A control that changes alike for several tenants is told once. */
function isolationList(changes: readonly IsolationChange[]): Markup {
  const sorted = DIRECTIONS.flatMap((direction) => changes.filter((change) => change.direction === direction));
  const groups = groupedBy(sorted, ({ control, before, after, direction }) => JSON.stringify([direction, control, before, after]));
  return folded(
    groups,
    SHOWN,
    ([first, ...more]) =>
      html`<li><span class="b ${first.direction === 'weaker' ? 'refused' : 'projected'}">${first.direction}</span> <code>${first.control}</code> <span class="meta">${
        more.length === 0 ? first.tenant : `${first.tenant} and ${plural(more.length, 'other tenant')}`
      }</span> <span class="values"><del>${first.before}</del> <ins>${first.after}</ins></span></li>`,
    'control',
  );
}

/** Edits that nobody would find on the host. */
function idleEdits({ causes, changes }: Review): Markup {
  const busy = new Set(changes.flatMap((change) => change.causes));
  const idle = causes.filter(({ id }) => !busy.has(id));
  if (idle.length === 0) return NOTHING;
  const line = (cause: InputChange): Markup =>
    html`<li>${causeName(cause)} <span class="meta">${cause.verb}</span> ${editLine(cause)}</li>`;
  return html`<h3 class="table-h">Edits that change no host object</h3>${folded(idle, SHOWN, line, 'edit')}`;
}

/** What is beyond folds. */
const SHOWN = 12;

type Group<Item> = readonly [Item, ...Item[]];

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Group<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
