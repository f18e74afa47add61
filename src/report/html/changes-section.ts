import type { Effect, FieldChange, HostChange, InputChange, Review } from '../../core/review/review.ts';
import { jsonText } from '../json-text.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { named, plural } from './words.ts';

const SIGNS = { added: '+', changed: '~', removed: '−' } as const;
/** Of one cause; what is beyond folds. */
const SHOWN = 20;
/** Of one cause, beyond which the page only says how many there are: ten thousand alike are read by nobody. */
const MOST = 400;
const FEW_FIELDS = 5;

/** What cannot be taken back comes first, then what weakens, then what restarts. */
const FIRST: readonly Effect[] = ['data-deleted', 'deleted', 'isolation-weaker', 'recreated', 'restarted', 'cluster-scoped', 'quota'];

function rank({ effects }: HostChange): number {
  const places = effects.map((effect) => FIRST.indexOf(effect)).filter((place) => place >= 0);
  return places.length === 0 ? FIRST.length : Math.min(...places);
}

/** What changes on the host, by the change of the input that causes it. */
export function changesSection(review: Review | undefined): Markup {
  if (review === undefined) return NOTHING;
  const { before, after, causes, changes, isolation, refusals } = review;
  return html`<section id="changes" aria-labelledby="changes-h"><h2 id="changes-h">Changes</h2><p class="lead">From ${before.label} to ${after.label}: ${plural(changes.length, 'host object')} of ${after.objects}; ${plural(causes.length, 'change')} of the input.</p>${
    isolation.length > 0 &&
    html`<h3>Isolation</h3><ul class="said">${isolation.map(
      (change) =>
        html`<li><span class="b ${change.direction === 'weaker' ? 'refused' : 'projected'}">${change.direction}</span> <code>${change.control}</code> of ${change.tenant}: ${change.before} → ${change.after}</li>`,
    )}</ul>`
  }${
    refusals.length > 0 &&
    html`<h3>Refusals</h3><ul class="said">${refusals.map(
      ({ verb, subject, code, message, remedy }) =>
        html`<li><span class="b ${verb === 'added' ? 'refused' : 'projected'}">${verb === 'added' ? '✕ now refused' : '✓ no longer refused'}</span> ${named(subject)} <span class="code">${code}</span> ${message} <span class="do">${remedy}</span></li>`,
    )}</ul>`
  }${causes.map((cause) =>
    causeBlock(
      cause,
      changes.filter((change) => change.causes[0] === cause.id),
    ),
  )}</section>`;
}

function causeBlock(cause: InputChange, caused: readonly HostChange[]): Markup {
  const changes = [...caused].sort((a, b) => rank(a) - rank(b));
  const rest = changes.slice(SHOWN, MOST);
  const left = changes.length - SHOWN - rest.length;
  return html`<article class="code-group"><h3><span class="sign" aria-hidden="true">${SIGNS[cause.verb]}</span> ${named(cause.ref)} <span class="meta">${cause.verb} · ${plural(changes.length, 'host object')}</span></h3><p><code class="place">${cause.file}${
    cause.line !== undefined && `:${cause.line}`
  }</code></p>${fieldList(cause.fields)}<ul class="said">${changes.slice(0, SHOWN).map(changeItem)}</ul>${
    rest.length > 0 &&
    html`<details class="fold"><summary>${plural(rest.length, 'more host object')}</summary><ul class="said">${rest.map(changeItem)}</ul></details>`
  }${left > 0 && html`<p class="meta">${plural(left, 'more host object')} of this cause: <code>tenantplane diff</code> lists them all.</p>`}</article>`;
}

function changeItem({ verb, host, tenant, effects, fields }: HostChange): Markup {
  return html`<li><span class="sign" aria-hidden="true">${SIGNS[verb]}</span> ${named(host)} <span class="meta">${verb}${tenant !== undefined && ` · ${tenant}`}</span>${effects.map(
    (effect) => html` <span class="b warning">${effect}</span>`,
  )}${verb === 'changed' && fieldList(fields)}</li>`;
}

function fieldList(fields: readonly FieldChange[]): Markup {
  if (fields.length === 0) return NOTHING;
  const rest = fields.slice(FEW_FIELDS);
  return html`<ul class="fields">${fields.slice(0, FEW_FIELDS).map(fieldItem)}</ul>${
    rest.length > 0 &&
    html`<details class="fold"><summary>${plural(rest.length, 'more field')}</summary><ul class="fields">${rest.map(fieldItem)}</ul></details>`
  }`;
}

function fieldItem(field: FieldChange): Markup {
  if (field.hidden === true) return html`<li><code>${field.path}</code> changed (hidden)</li>`;
  return html`<li><code>${field.path}</code> ${field.before !== undefined && html`<del>${shown(field.before)}</del> `}${field.after !== undefined && html`<ins>${shown(field.after)}</ins>`}</li>`;
}

function shown(value: FieldChange['before']): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : jsonText(value);
}
