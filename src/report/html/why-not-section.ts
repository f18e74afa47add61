import type { Links } from './links.ts';
import { html, type Markup } from './markup.ts';
import type { NearModel, ObjectModel, ReportModel } from './model.ts';
import { badge, named } from './words.ts';

/** Every object of a tenant that has nothing on the host, whatever the reason. */
export function whyNotSection(model: ReportModel, links: Links): Markup {
  const rows = model.tenants.flatMap(({ label, objects }) =>
    objects.filter(({ decision }) => decision.action === 'Skip').map((object) => ({ label, object })),
  );
  return html`<section id="why-not" aria-labelledby="why-not-h"><h2 id="why-not-h">Not on the host</h2>${
    rows.length === 0
      ? html`<p class="lead">Every object of every tenant is on the host.</p>`
      : html`<p class="lead">All objects that tenants wrote and that have nothing on the host, each with its reason, with what is near it, and what a policy would have to list.</p><div class="scroll" tabindex="0" role="region" aria-label="Objects and reasons"><table class="list stacked"><thead><tr><th scope="col">object</th><th scope="col">tenant</th><th scope="col">state</th><th scope="col">why</th></tr></thead><tbody>${rows.map(
          ({ label, object }) => row(label, object, links.object(object)),
        )}</tbody></table></div>`
  }</section>`;
}

function row(label: string, { ref, outcome, decision, near }: ObjectModel, href: string): Markup {
  return html`<tr><th scope="row"><a href="${href}">${named(ref)}</a></th><td>${label}</td><td>${badge(outcome)}</td><td><span class="code">${decision.code}</span> ${decision.message}${near !== undefined && nearList(near)}</td></tr>`;
}

/** What `why-not` answers below its reason. */
function nearList({ words, add }: NearModel): Markup {
  return html`<ul class="near">${words.map((text) => html`<li><b>near:</b> ${text}</li>`)}${
    add !== undefined &&
    html`<li class="do"><b>to project it</b>, add to <code>spec.resources</code> of SyncPolicy ${add.policy} <code class="place">${add.file}</code>: <code>${add.entry}</code></li>`
  }</ul>`;
}
