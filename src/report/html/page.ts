import { appendixSection } from './appendix-section.ts';
import { attentionSection } from './attention-section.ts';
import { changesSection } from './changes-section.ts';
import { header } from './header.ts';
import { linksOf } from './links.ts';
import { html, type Markup } from './markup.ts';
import { matrixSection } from './matrix-section.ts';
import type { ReportModel } from './model.ts';
import { objectsSection } from './objects-section.ts';
import { pagesOf } from './pages.ts';
import { reachSection } from './reach-section.ts';
import { documentOf } from './shell.ts';
import { sectionList } from './side.ts';
import { whyNotSection } from './why-not-section.ts';

/** The whole report as one document. */
export function reportPage(model: ReportModel): string {
  const pages = pagesOf(model);
  const links = linksOf(model);
  return documentOf({
    title: model.title,
    side: sidebar(model),
    header: header(model),
    sections: [
      changesSection(model.review, links),
      attentionSection(model, links),
      matrixSection(model.matrix),
      reachSection(model.reach),
      objectsSection(model, pages),
      whyNotSection(model, links),
      appendixSection(model),
    ],
    payload: pages.payload,
  });
}

function sidebar(model: ReportModel): Markup {
  return html`<nav class="side" aria-label="Report">${sectionList(model, ['objects', 'why-not', 'appendix'])}<h2 class="side-h">Tenants</h2><p class="tools" hidden><label class="vh" for="tenants">Filter tenants</label><input id="tenants" type="search" autocomplete="off" placeholder="Filter tenants"></p><ul class="tenants">${model.tenants.map(
    ({ id, label, counts, frozen }) =>
      html`<li><a href="#${id}">${label}</a>${counts.refused + counts.held > 0 && html` <span class="b refused"><span class="vh">refused or held: </span>${counts.refused + counts.held}</span>`}${frozen !== undefined && html` <span class="b refused">frozen</span>`}</li>`,
  )}${model.shared.length > 0 && html`<li><a href="#shared">shared</a></li>`}</ul></nav>`;
}
