import { alike, partFields } from '../../core/review/alike.ts';
import type { CauseGroup } from '../../core/review/order.ts';
import type { FieldChange, HostChange, InputChange } from '../../core/review/review.ts';
import { causeName, EFFECT_WORDS, pair, short, valueText } from '../change-words.ts';
import { folded } from './folded.ts';
import type { Links } from './links.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { named, plural } from './words.ts';

const SIGNS = { added: '+', changed: '~', removed: '−' } as const;
/** Of one cause; what is beyond folds. */
const SHOWN = 20;
const FEW_FIELDS = 5;
const FEW_EDITS = 6;

/** The edit as a heading, and below it a card for each sort of change that it makes, the worst first. */
export function causeBlock({ causes, changes }: CauseGroup, links: Links): Markup {
  const [first, ...more] = causes;
  if (first === undefined) return NOTHING;
  return html`<article class="cause"><h3><span class="sign" aria-hidden="true">${SIGNS[first.verb]}</span> ${causeName(first)}</h3> <span class="meta">${first.verb}</span>${editLine(first)}${
    more.length > 0 &&
    folded(
      more,
      FEW_EDITS,
      (cause) => html`<li>and/or <b>${causeName(cause)}</b> <span class="meta">${cause.verb}</span> ${editLine(cause)}</li>`,
      'edit',
    )
  }<p class="meta">${plural(changes.length, 'host object')}: ${counts(changes)}</p>${folded(alike(changes), SHOWN, (group) => card(group, links), 'sort of change', 'cards')}</article>`;
}

/** Where an edit stands, and what it says; of an object of a tenant the card says the same in the words of the host. */
export function editLine({ file, line, fields, role }: InputChange): Markup {
  return html`${file !== '' && html`<p><code class="place">${file}${line !== undefined && `:${line}`}</code></p>`}${role !== 'object' && fieldList(fields)}`;
}

function counts(changes: readonly HostChange[]): string {
  const verbs = ['added', 'changed', 'removed'] as const;
  return verbs
    .map((verb) => [verb, changes.filter((change) => change.verb === verb).length] as const)
    .filter(([, count]) => count > 0)
    .map(([verb, count]) => `${count.toLocaleString('en-US')} ${verb}`)
    .join(', ');
}

/** Changes that are alike: the first with its fields, the others by name. */
function card(group: readonly HostChange[], links: Links): Markup {
  const [first, ...more] = group;
  if (first === undefined) return NOTHING;
  const { verb, effects, code, reason, message } = first;
  const { telling, derived } = partFields(first);
  return html`<li class="${verb}"><p>${subject(first, links)}${effects.map((effect) => html` <span class="b warning">${EFFECT_WORDS[effect]}</span>`)}</p>${
    verb === 'removed' && html`<p class="meta"><span class="code">${code} ${reason}</span> ${message}</p>`
  }${verb === 'changed' && fieldList(telling)}${verb === 'changed' && derived.length > 0 && derivedList(derived, telling.length === 0)}${
    more.length > 0 &&
    html`<details class="fold"><summary>and ${more.length} alike</summary>${folded(more, Number.POSITIVE_INFINITY, (change) => html`<li>${subject(change, links)}</li>`, 'object')}</details>`
  }</li>`;
}

function subject({ verb, host, tenant }: HostChange, links: Links): Markup {
  const href = verb === 'removed' ? undefined : links.host(host.file);
  const name = href === undefined ? html`${named(host)}` : html`<a href="${href}">${named(host)}</a>`;
  return html`<span class="sign" aria-hidden="true">${SIGNS[verb]}</span> ${name} <span class="meta">${verb}${tenant !== undefined && ` · ${tenant}`}</span>`;
}

/** Labels and annotations of ours that tell why an object is as it is follow from the rest, so they are no news. */
function derivedList(fields: readonly FieldChange[], alone: boolean): Markup {
  const what = plural(fields.length, 'label or annotation', 'labels and annotations');
  return html`<details class="fold"><summary>${alone ? 'only ' : ''}${what} of tenantplane’s own</summary>${fieldRows(fields)}</details>`;
}

function fieldList(fields: readonly FieldChange[]): Markup {
  if (fields.length === 0) return NOTHING;
  const rest = fields.slice(FEW_FIELDS);
  return html`${fieldRows(fields.slice(0, FEW_FIELDS))}${
    rest.length > 0 && html`<details class="fold"><summary>${plural(rest.length, 'more field')}</summary>${fieldRows(rest)}</details>`
  }`;
}

function fieldRows(fields: readonly FieldChange[]): Markup {
  return html`<dl class="fields">${fields.map((field) => html`<div><dt><code>${breakable(field.path)}</code></dt><dd>${values(field)}</dd></div>`)}</dl>`;
}

/** A path breaks behind its steps, and is copied as it is. */
function breakable(path: string): Markup {
  return html`${path.split(/(?<=[.[])/).map((step, index) => html`${index > 0 && BREAK}${step}`)}`;
}

const BREAK: Markup = { markup: '<wbr>' };

function values({ before, after, hidden }: FieldChange): Markup {
  if (hidden === true) return html`changed (hidden)`;
  if (before === undefined) return html`<ins>${short(valueText(after))}</ins>`;
  if (after === undefined) return html`<del>${short(valueText(before))}</del>`;
  const [was, is] = pair(valueText(before), valueText(after));
  return html`<del>${was}</del> <ins>${is}</ins>`;
}
