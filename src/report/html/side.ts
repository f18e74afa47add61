import { html, type Markup } from './markup.ts';
import type { ReportModel } from './model.ts';

const TITLES = { 'all-tenants': 'Tenants', objects: 'Objects', 'why-not': 'Not on the host', appendix: 'Appendix' } as const;

/** What leads to the parts of a page: those that there are, and then the last ones. */
export function sectionList(model: Pick<ReportModel, 'review' | 'matrix' | 'reach'>, last: readonly (keyof typeof TITLES)[]): Markup {
  const sections: readonly (readonly [string, string])[] = [
    ...(model.review === undefined ? [] : [['changes', 'Changes'] as const]),
    ['attention', 'Refusals and warnings'],
    ...(model.matrix.rows.length === 0 ? [] : [['isolation', 'Isolation'] as const]),
    ...(model.reach === undefined ? [] : [['reach', 'Who can reach whom'] as const]),
    ...last.map((id) => [id, TITLES[id]] as const),
  ];
  return html`<ul class="sections">${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
}
