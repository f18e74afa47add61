import { html, type Markup, NOTHING } from './markup.ts';
import type { ReachModel, ReachPair } from './reach-model.ts';

const VERDICTS: Readonly<Record<ReachPair['verdict'], { readonly sign: string; readonly word: string }>> = {
  open: { sign: '→', word: 'reaches' },
  partly: { sign: '⇢', word: 'reaches some' },
  closed: { sign: '·', word: 'does not reach' },
  unknown: { sign: '?', word: 'unknown' },
};

/** Who can reach whom: from rows to columns. */
export function reachSection(reach: ReachModel | undefined): Markup {
  if (reach === undefined) return NOTHING;
  const pairs = new Map(reach.pairs.map((pair) => [`${pair.from}\n${pair.to}`, pair]));
  return html`<section id="reach" aria-labelledby="reach-h"><h2 id="reach-h">Who can reach whom</h2><p class="lead">From the row to the column, by the NetworkPolicies of this render, where the network plugin enforces them.</p><div class="scroll" tabindex="0" role="region" aria-labelledby="reach-h"><table class="matrix"><thead><tr><th scope="col" class="corner">from</th>${reach.groups.map(
    (to) => html`<th scope="col" class="name"><span>${to}</span></th>`,
  )}</tr></thead><tbody>${reach.groups.map(
    (from) => html`<tr><th scope="row">${from}</th>${reach.groups.map((to) => cell(pairs.get(`${from}\n${to}`)))}</tr>`,
  )}</tbody></table></div></section>`;
}

function cell(pair: ReachPair | undefined): Markup {
  const { verdict, because } = pair ?? { verdict: 'unknown' as const, because: '' };
  const { sign, word } = VERDICTS[verdict];
  return html`<td class="cell reach-${verdict}" title="${because}"><span aria-hidden="true">${sign}</span><span class="vh">${word}</span></td>`;
}
