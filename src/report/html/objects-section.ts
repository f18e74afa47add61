import { html, type Markup, NOTHING } from './markup.ts';
import type { ObjectModel, ReportModel, TenantModel } from './model.ts';
import type { Pages } from './pages.ts';
import { OUTCOMES, plural } from './words.ts';

/** The tenant tree: tenant, virtual namespace, object; each object opens into its page. */
/** @param alone whether the page is about nothing else */
export function objectsSection(model: ReportModel, pages: Pages, alone = false): Markup {
  const open = alone || model.tenants.length <= OPEN_TENANTS;
  return html`<section id="objects" aria-labelledby="objects-h"><h2 id="objects-h">Objects</h2>${TARGETS}<p class="lead">Each tenant’s objects and what was made for it. Open one to see it beside what the host gets, with the reason of each changed line.</p><p class="tools" hidden><label for="find">Find</label> <input id="find" type="search" autocomplete="off" placeholder="name, kind, code or file"> <output id="found" for="find"></output></p>${pages.hint}<p class="all"><a href="#objects">Show all objects</a></p>${model.tenants.map(
    (tenant) => tenantBlock(tenant, pages, open),
  )}${model.shared.length > 0 && sharedBlock(model.shared, pages, alone)}</section>`;
}

const OPEN_TENANTS = 3;

/** What a link of the header leads to: the style shows one sort of objects alone, without a script. */
const TARGETS: Markup = html`${Object.keys(OUTCOMES).map((outcome) => html`<span class="only" id="only-${outcome}"></span>`)}<span class="only" id="only-warned"></span>`;

function tenantBlock(tenant: TenantModel, pages: Pages, open: boolean): Markup {
  const groups = new Map<string, ObjectModel[]>();
  for (const object of tenant.objects) {
    const title = object.decision.source === undefined || object.outcome === 'made' ? MADE : object.ref.namespace;
    groups.set(title, [...(groups.get(title) ?? []), object]);
  }
  const { counts } = tenant;
  return html`<details class="tenant" id="${tenant.id}"${open && OPEN}><summary><h3>${tenant.label}</h3> <span class="meta">profile ${tenant.profile}${
    tenant.level !== '' && tenant.level !== tenant.profile && ` (${tenant.level})`
  } · policy ${tenant.policy} · ${counts.projected} projected, ${counts.made} made</span>${counts.refused > 0 && html` <span class="b refused">✕ ${plural(counts.refused, 'refused', 'refused')}</span>`}${
    counts.held > 0 && html` <span class="b held">‖ ${counts.held} held</span>`
  }${tenant.frozen !== undefined && html` <span class="b refused">✕ frozen</span>`}</summary>${
    tenant.frozen !== undefined && html`<p class="frozen">Its own objects stay as they last were: ${tenant.frozen}</p>`
  }${[...groups].map(([title, objects]) => group(title, objects, pages))}</details>`;
}

const OPEN: Markup = { markup: ' open' };
/** no namespace can be called so */
const MADE = 'made for the tenant';

function sharedBlock(objects: readonly ObjectModel[], pages: Pages, open: boolean): Markup {
  return html`<details class="tenant" id="shared"${open && OPEN}><summary><h3>Shared by all tenants</h3> <span class="meta">${plural(objects.length, 'object')}: platform, configuration, and what belongs to no tenant</span></summary>${group('platform', objects, pages)}</details>`;
}

function group(title: string, objects: readonly ObjectModel[], pages: Pages): Markup {
  const kind = title === MADE || title === 'platform' ? NOTHING : html`<span class="meta">namespace</span> `;
  return html`<h4>${kind}${title === '' ? 'no namespace' : title} <span class="meta">${objects.length}</span></h4>${objects.map((object) => row(object, pages))}`;
}

/** There are thousands of these, so a row is no longer than it has to be: kind, name, name on the host, state, code where it says something. */
function row(object: ObjectModel, pages: Pages): Markup {
  const { id, ref, decision, outcome, warnings } = object;
  const host = decision.host;
  const there = decision.source !== undefined && host !== undefined && (outcome === 'projected' || outcome === 'made');
  const { sign, word } = OUTCOMES[outcome];
  return html`<details class="o ${outcome}${warnings > 0 && ' warned'}" id=${id}><summary><i>${ref.kind}</i> <b>${ref.name}</b> <code>${
    there && host.name !== ref.name && host.name
  }</code> <em>${warnings > 0 && html`<u>? ${plural(warnings, 'warning')}</u> `}${sign} ${word}${!ORDINARY.has(decision.reason) && ` ${decision.code}`}</em></summary>${pages.of(object)}</details>`;
}

/** Why most objects are there. */
const ORDINARY: ReadonlySet<string> = new Set(['PolicyMatched', 'IsolationObjectCompiled']);
