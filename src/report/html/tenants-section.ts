import { html, type Markup } from './markup.ts';
import type { ReportModel, TenantModel } from './model.ts';
import { OUTCOMES, plural } from './words.ts';

/** All tenants with what there is of them; each leads to its page. */
export function tenantsSection(model: ReportModel, pageOf: (key: string) => string, sharedPage: string | undefined): Markup {
  return html`<section id="all-tenants" aria-labelledby="all-tenants-h"><h2 id="all-tenants-h">Tenants</h2><p class="lead">Each has a page: its objects beside what the host gets, its isolation, and what is not on the host.</p><p class="tools" hidden><label for="tenants">Filter</label> <input id="tenants" type="search" autocomplete="off" placeholder="tenant, profile or policy"></p><div class="scroll" tabindex="0" role="region" aria-label="Tenants and their objects"><table class="list counted"><thead><tr><th scope="col">tenant</th><th scope="col">profile</th><th scope="col">policy</th>${COLUMNS.map(
    (outcome) => html`<th scope="col" class="num">${OUTCOMES[outcome].word}</th>`,
  )}<th scope="col" class="num">warnings</th></tr></thead><tbody class="rows">${model.tenants.map((tenant) => row(tenant, pageOf(tenant.key)))}</tbody></table></div>${
    sharedPage !== undefined &&
    model.shared.length > 0 &&
    html`<p class="after"><a href="${sharedPage}">Shared by all tenants</a> <span class="meta">${plural(model.shared.length, 'object')}: platform, configuration, and what belongs to no tenant</span></p>`
  }</section>`;
}

const COLUMNS = ['projected', 'made', 'refused', 'held', 'outOfScope'] as const;

function row({ label, profile, policy, counts, frozen }: TenantModel, page: string): Markup {
  return html`<tr><th scope="row"><a href="${page}">${label}</a>${frozen !== undefined && html` <span class="b refused">✕ frozen</span>`}</th><td>${profile}</td><td>${policy}</td>${COLUMNS.map(
    (outcome) =>
      html`<td class="num${counts[outcome] > 0 && (outcome === 'refused' || outcome === 'held') && ` ${outcome}`}">${counts[outcome]}</td>`,
  )}<td class="num${counts.warnings > 0 && ' held'}">${counts.warnings}</td></tr>`;
}
