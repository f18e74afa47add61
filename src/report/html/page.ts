import { createHash } from 'node:crypto';
import { appendixSection } from './appendix-section.ts';
import { attentionSection } from './attention-section.ts';
import { changesSection } from './changes-section.ts';
import { header } from './header.ts';
import { linksOf } from './links.ts';
import { html, type Markup, trusted } from './markup.ts';
import { matrixSection } from './matrix-section.ts';
import type { ReportModel } from './model.ts';
import { objectsSection } from './objects-section.ts';
import { pagesOf } from './pages.ts';
import { reachSection } from './reach-section.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { whyNotSection } from './why-not-section.ts';

/** The whole report as one document that loads nothing and runs nothing but its own script. */
export function reportPage(model: ReportModel): string {
  const pages = pagesOf(model);
  const links = linksOf(model);
  return html`${trusted('<!doctype html>\n')}<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${model.title} · tenantplane report</title><style>${trusted(STYLE)}</style></head>
<body><a class="skip" href="#main">Skip to the report</a>
<div class="frame">${sidebar(model)}<div class="column">${header(model)}
<main id="main" tabindex="-1">${changesSection(model.review, links)}
${attentionSection(model)}
${matrixSection(model.matrix)}
${reachSection(model.reach)}
${objectsSection(model, pages)}
${whyNotSection(model)}
${appendixSection(model)}</main></div></div>
${pages.payload}<script>${trusted(SCRIPT)}</script></body></html>
`.markup;
}

/** What the page may load and run: its own style and script, by their hashes, and nothing else. */
const POLICY: string = [
  "default-src 'none'",
  `style-src '${hash(STYLE)}'`,
  `script-src '${hash(SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function sidebar(model: ReportModel): Markup {
  const sections: readonly (readonly [string, string])[] = [
    ...(model.review === undefined ? [] : [['changes', 'Changes'] as const]),
    ['attention', 'Refusals and warnings'],
    ...(model.matrix.rows.length === 0 ? [] : [['isolation', 'Isolation'] as const]),
    ...(model.reach === undefined ? [] : [['reach', 'Who can reach whom'] as const]),
    ['objects', 'Objects'],
    ['why-not', 'Not on the host'],
    ['appendix', 'Appendix'],
  ];
  return html`<nav class="side" aria-label="Report"><ul class="sections">${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul><h2 class="side-h">Tenants</h2><p class="tools" hidden><label class="vh" for="tenants">Filter tenants</label><input id="tenants" type="search" autocomplete="off" placeholder="Filter tenants"></p><ul class="tenants">${model.tenants.map(
    ({ id, label, counts, frozen }) =>
      html`<li><a href="#${id}">${label}</a>${counts.refused + counts.held > 0 && html` <span class="b refused"><span class="vh">refused or held: </span>${counts.refused + counts.held}</span>`}${frozen !== undefined && html` <span class="b refused">frozen</span>`}</li>`,
  )}${model.shared.length > 0 && html`<li><a href="#shared">shared</a></li>`}</ul></nav>`;
}
