import type { Outcome, Tally } from '../tally.ts';
import { html, type Markup } from './markup.ts';
import type { CellState } from './matrix-model.ts';
import type { ReportModel } from './model.ts';
import { OUTCOMES, plural } from './words.ts';

/** Where a number of the header leads: by default to the objects that it counts, alone. */
type CountLink = (outcome: Outcome) => string;

/** What it is about, how much there is of what, and what holds of isolation. Each number leads to the list that it counts. */
export function header(model: ReportModel, linkOf: CountLink = (outcome) => `#only-${outcome}`): Markup {
  const { title, stamp, tenants, counts, stopped } = model;
  return html`<header id="top"><p class="brand">tenantplane</p><h1>${title}</h1><p class="sub">${plural(tenants.length, 'tenant')}, ${plural(standing(counts), 'host object')}${stamp !== undefined && ` · ${stamp}`}</p>${
    stopped &&
    html`<p class="frozen"><b>Nothing of this would be written:</b> what the platform says contradicts itself. See <a href="#attention">Refusals and warnings</a>.</p>`
  }<ul class="counts">${ORDER.map((outcome) => count(counts[outcome], linkOf(outcome), outcome, OUTCOMES[outcome]))}${count(counts.warnings, '#attention', 'warning', { sign: '?', word: 'warnings', means: 'to look at, on what is rendered' })}</ul>${verdict(model)}</header>`;
}

const ORDER = ['projected', 'made', 'refused', 'held', 'outOfScope', 'read', 'removed'] as const;

function standing({ projected, made }: Tally): number {
  return projected + made;
}

function count(number: number, href: string, name: string, { sign, word, means }: { sign: string; word: string; means: string }): Markup {
  if (number === 0)
    return html`<li class="none"><span title="${means}"><b>0</b> <span class="w"><i aria-hidden="true">${sign}</i> ${word}</span></span></li>`;
  return html`<li class="${name}"><a href="${href}" title="${means}"><b>${number}</b> <span class="w"><i aria-hidden="true">${sign}</i> ${word}</span></a></li>`;
}

function verdict({ matrix }: ReportModel): Markup {
  const of = (state: CellState): string[] =>
    matrix.controls.filter((_, index) => matrix.rows.some(({ cells }) => cells[index]?.state === state));
  const [missing, unknown] = [of('notEnforced'), of('unknown')];
  if (matrix.rows.length === 0) return html``;
  return html`<p class="verdict">${
    missing.length === 0
      ? html`<span class="b projected">✓ isolation</span> Every declared control has something that enforces it.`
      : html`<span class="b refused">✕ isolation</span> Nothing, or not all, enforces ${listed(missing)} for some tenant.`
  }${unknown.length > 0 && html` <span class="b warning">? unknown</span> Whether ${listed(unknown)} ${unknown.length === 1 ? 'takes' : 'take'} effect is not known offline.`} <a href="#isolation">Isolation matrix</a></p>`;
}

function listed(controls: readonly string[]): Markup {
  return html`${controls.map((control, index) => html`${index > 0 && (index === controls.length - 1 ? ' and ' : ', ')}<code>${control}</code>`)}`;
}
