import type { Plan } from '../../core/plan/plan-types.ts';
import { appendixSection } from './appendix-section.ts';
import { attentionSection } from './attention-section.ts';
import { changesSection } from './changes-section.ts';
import { fileNames } from './file-names.ts';
import { header } from './header.ts';
import { linksOf } from './links.ts';
import { html } from './markup.ts';
import { matrixSection } from './matrix-section.ts';
import type { ObjectModel, ReportModel } from './model.ts';
import { reachSection } from './reach-section.ts';
import { documentOf } from './shell.ts';
import { sectionList } from './side.ts';
import { type Part, partPage, partsOf } from './tenant-page.ts';
import { tenantReport } from './tenant-report.ts';
import { tenantsSection } from './tenants-section.ts';

export interface ReportFile {
  /** relative to the folder, with `/` */
  readonly path: string;
  readonly text: string;
}

/**
 * The report as an index and pages, one for each tenant and more where a tenant is large. Every object stands in its page as it is,
 * so none needs a script. Pages come one by one: a fleet of them need not be in memory.
 */
export function* reportFolder(model: ReportModel, plan: Plan): Iterable<ReportFile> {
  const names = fileNames(model.tenants.map(({ key }) => key));
  const pageOf = new Map<ObjectModel, string>();
  const parts = new Map<string, readonly Part[]>();
  for (const { key, objects } of model.tenants) parts.set(key, partsOf(`tenants/${names.get(key) ?? ''}`, objects));
  const shared = partsOf('shared', model.shared);
  for (const { path, objects } of [...parts.values(), shared].flat()) for (const object of objects) pageOf.set(object, path);

  yield { path: 'index.html', text: indexPage(model, pageOf, (key) => parts.get(key)?.[0]?.path ?? '', shared[0]?.path) };
  for (const tenant of model.tenants) {
    const own = parts.get(tenant.key) ?? [];
    const report = tenantReport(model, plan, tenant);
    for (const part of own) yield { path: part.path, text: partPage(report, part, own, model.title) };
  }
  const rest: ReportModel = { ...tenantReport(model, plan, undefined), title: 'Shared by all tenants' };
  for (const part of shared) yield { path: part.path, text: partPage(rest, part, shared, model.title) };
}

function indexPage(
  model: ReportModel,
  pageOf: ReadonlyMap<ObjectModel, string>,
  tenantPage: (key: string) => string,
  sharedPage: string | undefined,
): string {
  const links = linksOf(model, (object) => pageOf.get(object) ?? '');
  return documentOf({
    title: model.title,
    side: html`<nav class="side" aria-label="Report">${sectionList(model, ['all-tenants', 'appendix'])}</nav>`,
    header: header(model, (outcome) => (outcome === 'refused' || outcome === 'held' ? '#attention' : '#all-tenants')),
    sections: [
      changesSection(model.review, links),
      attentionSection(model, links, MOST),
      matrixSection(model.matrix),
      reachSection(model.reach),
      tenantsSection(model, tenantPage, sharedPage),
      appendixSection(model),
    ],
  });
}

/** Of one code; the pages of tenants list their own. */
const MOST = 200;
