import type { ReasonName } from '../../core/decision/reasons.ts';
import { reasonOf } from '../../core/decision/reasons.ts';
import { html, type Markup } from './markup.ts';
import type { ObjectModel, ReportModel } from './model.ts';
import { plural } from './words.ts';

/** The codes that this report uses, and what a render cannot know. */
export function appendixSection(model: ReportModel): Markup {
  const objects = [...model.tenants.flatMap((tenant) => tenant.objects), ...model.shared];
  return html`<section id="appendix" aria-labelledby="appendix-h"><h2 id="appendix-h">Appendix</h2><h3>Not known offline</h3>${unknown(objects)}<h3>Codes</h3><p class="lead"><code>tenantplane explain-code CODE</code> tells more of each.</p><div class="scroll" tabindex="0" role="region" aria-label="Codes"><table class="list stacked"><thead><tr><th scope="col">code</th><th scope="col">reason</th><th scope="col">times</th><th scope="col">what it says</th></tr></thead><tbody>${codesOf(
    model,
    objects,
  ).map(
    ([reason, count]) =>
      html`<tr><th scope="row"><span class="code">${reasonOf(reason).code}</span></th><td>${reason}</td><td class="num">${count}</td><td>${reasonOf(reason).message}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function unknown(objects: readonly ObjectModel[]): Markup {
  const facts = new Map<string, number>();
  for (const { decision } of objects) {
    for (const note of decision.notes)
      if (reasonOf(note.reason).disposition === 'Undecided') facts.set(note.message, (facts.get(note.message) ?? 0) + 1);
    for (const { rule, outcome } of decision.trace)
      if (outcome === 'Undecided') facts.set(`Rule ${rule}`, (facts.get(`Rule ${rule}`) ?? 0) + 1);
  }
  if (facts.size === 0) return html`<p>Nothing that this render needed was missing.</p>`;
  return html`<ul>${[...facts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([fact, count]) => html`<li>${fact} <span class="meta">${plural(count, 'object')}</span></li>`)}</ul>`;
}

function codesOf(model: ReportModel, objects: readonly ObjectModel[]): readonly (readonly [ReasonName, number])[] {
  const counts = new Map<ReasonName, number>();
  const add = ({ reason }: { readonly reason: ReasonName }): void => void counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const { decision } of objects) for (const said of [decision, ...decision.notes]) add(said);
  model.findings.forEach(add);
  return [...counts].sort(([a], [b]) => (reasonOf(a).code < reasonOf(b).code ? -1 : 1));
}
