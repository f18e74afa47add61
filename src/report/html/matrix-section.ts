import { html, type Markup, NOTHING } from './markup.ts';
import { type CellState, groupOf, type MatrixCell, type MatrixModel, type MatrixRow } from './matrix-model.ts';
import { plural } from './words.ts';

const STATES: Readonly<Record<CellState, { readonly sign: string; readonly word: string; readonly means: string }>> = {
  enforced: { sign: '●', word: 'enforced', means: 'declared, and something enforces it' },
  notEnforced: { sign: '✕', word: 'not enforced', means: 'declared, and nothing enforces it' },
  unknown: { sign: '?', word: 'unknown', means: 'declared; whether it takes effect is not known offline' },
  notDeclared: { sign: '·', word: 'not declared', means: 'nothing is declared' },
};

/** The page of the auditor: tenants against controls, then for each row what enforces what. */
export function matrixSection(matrix: MatrixModel): Markup {
  if (matrix.rows.length === 0) return NOTHING;
  return html`<section id="isolation" aria-labelledby="isolation-h"><h2 id="isolation-h">Isolation</h2><p class="lead">What is declared for each tenant, and whether anything enforces it. Tenants of which the same holds share a row.</p><ul class="legend">${Object.entries(
    STATES,
  ).map(
    ([state, { sign, word, means }]) =>
      html`<li><span class="cell ${state}" aria-hidden="true">${sign}</span> <b>${word}</b>: ${means}</li>`,
  )}</ul><div class="scroll" tabindex="0" role="region" aria-label="Tenants against controls"><table class="matrix"><caption class="vh">Tenants against controls</caption><thead>${heads(matrix.controls)}</thead><tbody>${matrix.rows.map(
    (row) => html`<tr><th scope="row">${title(row)}<span class="meta">${row.profile}</span></th>${row.cells.map(cell)}</tr>`,
  )}</tbody></table></div>${matrix.rows.map((row) => details(row, matrix.controls))}</section>`;
}

/** `controls.podSecurity` stands as podSecurity below controls. */
function heads(controls: readonly string[]): Markup {
  const groups = new Map<string, string[]>();
  for (const control of controls) {
    const group = groupOf(control);
    groups.set(group, [...(groups.get(group) ?? []), group === 'tenant' ? control : control.slice(group.length + 1)]);
  }
  const names = [...groups.values()].flat();
  return html`<tr><th scope="col" class="corner" rowspan="2">tenants</th>${[...groups].map(
    ([group, members]) => html`<th scope="colgroup" colspan="${String(members.length)}" class="of">${group}</th>`,
  )}</tr><tr>${names.map((name) => html`<th scope="col" class="name"><span>${name}</span></th>`)}</tr>`;
}

const FEW = 3;

function title({ tenants }: MatrixRow): Markup {
  const more = tenants.length - FEW;
  return html`${tenants.slice(0, FEW).map((tenant) => html`<span class="t">${tenant}</span>`)}${more > 0 && html`<span class="t">and ${more} more</span>`}`;
}

function cell({ state, value }: MatrixCell): Markup {
  const { sign, word } = STATES[state];
  return html`<td class="cell ${state}" title="${value === '' ? word : `${value}: ${word}`}"><span aria-hidden="true">${sign}</span><span class="vh">${word}</span></td>`;
}

function details(row: MatrixRow, controls: readonly string[]): Markup {
  const [first = ''] = row.tenants;
  const name = row.tenants.length === 1 ? first : `${first} and ${plural(row.tenants.length - 1, 'other tenant')}`;
  return html`<details class="fold"><summary>What enforces each control of ${name}</summary>${
    row.tenants.length > 1 && html`<p class="meta">${row.tenants.join(', ')}; objects are those of ${first}</p>`
  }<div class="scroll" tabindex="0" role="region" aria-label="Controls of ${name}"><table class="list stacked"><thead><tr><th scope="col">control</th><th scope="col">declared</th><th scope="col">state</th><th scope="col">enforced by</th></tr></thead><tbody>${row.cells.map(
    (item, index) => controlRow(controls[index] ?? '', item),
  )}</tbody></table></div></details>`;
}

function controlRow(control: string, { state, value, enforcedBy, why, fix }: MatrixCell): Markup {
  if (state === 'notDeclared') return NOTHING;
  const { sign, word } = STATES[state];
  return html`<tr><th scope="row"><code>${control}</code></th><td>${value}</td><td class="state ${state}"><span aria-hidden="true">${sign}</span> ${word}</td><td>${enforcedBy.map(
    (by) => html`<code>${by}</code> `,
  )}${why !== undefined && html`<span class="msg">${why}</span>`}${fix !== undefined && html` <span class="do">${fix}</span>`}</td></tr>`;
}
