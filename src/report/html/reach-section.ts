import type { AnswerTable } from '../answer/answer.ts';
import { html, type Markup, NOTHING } from './markup.ts';

/** Who can reach whom, as `tenantplane reach` answers it. */
export function reachSection(reach: readonly AnswerTable[] | undefined): Markup {
  if (reach === undefined) return NOTHING;
  return html`<section id="reach" aria-labelledby="reach-h"><h2 id="reach-h">Who can reach whom</h2><p class="lead">By the NetworkPolicies of this render, from the row to the column. A cell says yes, no, or the ports that pass; a ? behind it, or alone, stands for what depends on a fact that is not known here. <code>tenantplane reach A B</code> names the policy and its rule.</p>${reach.map(table)}</section>`;
}

function table({ title, columns, rows }: AnswerTable): Markup {
  const head = columns.findIndex(({ name }) => name !== '');
  const name = title ?? 'What it rests on';
  return html`<h3 class="table-h">${name}</h3>${
    rows.length === 0
      ? html`<p>None.</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="list reach"><thead><tr>${columns.map(
          (column, index) => (index < head ? html`<td></td>` : html`<th scope="col">${column.name}</th>`),
        )}</tr></thead><tbody>${rows.map(
          ({ cells }) =>
            html`<tr>${cells.map((text, index) => (index === head ? html`<th scope="row">${text}</th>` : html`<td class="${CLASSES[text] ?? 'some'}">${text}</td>`))}</tr>`,
        )}</tbody></table></div>`
  }`;
}

const CLASSES: Readonly<Record<string, string>> = { yes: 'yes', no: 'no', none: 'no', '?': 'maybe', 'yes?': 'maybe', 'no?': 'maybe' };
