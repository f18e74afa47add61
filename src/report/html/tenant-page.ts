import { attentionSection } from './attention-section.ts';
import { changesSection } from './changes-section.ts';
import { header } from './header.ts';
import { linksOf } from './links.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { matrixSection } from './matrix-section.ts';
import type { ObjectModel, ReportModel } from './model.ts';
import { objectsSection } from './objects-section.ts';
import { plainPages } from './pages.ts';
import { documentOf } from './shell.ts';
import { sectionList } from './side.ts';
import { whyNotSection } from './why-not-section.ts';
import { named } from './words.ts';

/** Some objects of a tenant, and the file that tells of them. */
export interface Part {
  /** relative to the folder of the report */
  readonly path: string;
  /** how many objects stand in parts before it */
  readonly before: number;
  readonly objects: readonly ObjectModel[];
}

/** Objects of one file: some 2 or 3 MB, which a browser opens at once. */
const MOST = 250;

/** Never none: a tenant without an object has a page as well. */
export function partsOf(name: string, objects: readonly ObjectModel[]): readonly Part[] {
  const count = Math.max(1, Math.ceil(objects.length / MOST));
  return Array.from({ length: count }, (_, index) => ({
    path: `${name}${index === 0 ? '' : `_${index + 1}`}.html`,
    before: index * MOST,
    objects: objects.slice(index * MOST, (index + 1) * MOST),
  }));
}

/** One file of a tenant, or of what all share: the first tells all that is not of one object, each its objects. */
export function partPage(report: ReportModel, part: Part, parts: readonly Part[], whole: string): string {
  const up = '../'.repeat(part.path.split('/').length - 1);
  const pageOf = new Map(parts.flatMap(({ path, objects }) => objects.map((object) => [object, path] as const)));
  const links = linksOf(report, (object) => {
    const path = pageOf.get(object) ?? '';
    return path === part.path ? '' : `${up}${path}`;
  });
  const first = part === parts[0];
  const model: ReportModel = {
    ...report,
    tenants: report.tenants.map((tenant) => ({ ...tenant, objects: part.objects })),
    shared: report.tenants.length === 0 ? part.objects : [],
  };
  const objects = html`${partList(part, parts, up)}${objectsSection(model, plainPages(), true)}`;
  const back = html`<p class="back"><a href="${up}index.html">← ${whole}</a></p>`;
  const alone = parts.length === 1;
  return documentOf({
    title: `${report.title} · ${whole}`,
    side: html`<nav class="side" aria-label="Report">${back}${first ? sectionList(report, report.tenants.length > 0 ? ['objects', 'why-not'] : ['objects']) : NOTHING}</nav>`,
    header: first
      ? header(report, alone ? undefined : (outcome) => (outcome === 'refused' || outcome === 'held' ? '#attention' : '#objects'))
      : html`<header id="top"><p class="brand">tenantplane</p><h1>${report.title}</h1><p class="sub">${range(part)}</p></header>`,
    sections: first
      ? [
          changesSection(report.review, links),
          attentionSection(report, links),
          matrixSection(report.matrix),
          objects,
          ...(report.tenants.length > 0 ? [whyNotSection(report, links)] : []),
        ]
      : [objects],
  });
}

function partList(part: Part, parts: readonly Part[], up: string): Markup {
  if (parts.length === 1) return NOTHING;
  return html`<nav class="parts" aria-label="Parts"><ol>${parts.map(
    (other) =>
      html`<li>${other === part ? html`<b aria-current="page">${range(other)}</b>` : html`<a href="${up}${other.path}#objects">${range(other)}</a>`}</li>`,
  )}</ol></nav>`;
}

/** `objects 501 to 1,000, from ConfigMap default/settings` */
function range({ before, objects }: Part): string {
  const [first] = objects;
  const [from, to] = [before + 1, before + objects.length].map((number) => number.toLocaleString('en-US'));
  return `objects ${from} to ${to}${first === undefined ? '' : `, from ${named(first.ref)}`}`;
}
