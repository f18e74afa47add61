import { deflateRawSync } from 'node:zlib';
import { html, type Markup, NOTHING, trusted } from './markup.ts';
import type { ObjectModel, ReportModel } from './model.ts';
import { objectPage } from './object-page.ts';
import { withOwnId } from './words.ts';

/**
 * Where the pages of objects are: in the document while they are not too much of it, so that nothing needs a script; else packed
 * behind it, where a script takes them out one by one. They are the same markup by the same function in both places.
 */
export interface Pages {
  of(object: ObjectModel): Markup;
  readonly hint: Markup;
  readonly payload: Markup;
}

/** Every page in the document, made when it is asked for. */
export function plainPages(): Pages {
  return { of: (object) => trusted(withOwnId(objectPage(object).markup, object.id)), hint: NOTHING, payload: NOTHING };
}

/** Characters of pages that a document holds as they are. */
export const PLAIN_PAGES = 1_200_000;

export function pagesOf(model: ReportModel): Pages {
  const objects = [...model.tenants.flatMap((tenant) => tenant.objects), ...model.shared];
  const all = new Map<ObjectModel, Markup>();
  let size = 0;
  for (const object of objects) {
    const page = objectPage(object);
    all.set(object, page);
    size += page.markup.length;
  }
  if (size <= PLAIN_PAGES)
    return { of: (object) => trusted(withOwnId(all.get(object)?.markup ?? '', object.id)), hint: NOTHING, payload: NOTHING };
  const pages: Record<string, string> = {};
  for (const [{ id }, { markup }] of all) pages[id] = markup;
  const packed = deflateRawSync(JSON.stringify(pages), { level: 9 }).toString('base64');
  return {
    of: () => NOTHING,
    hint: html`<noscript><p class="hint">With ${objects.length} objects, what opens below each of them is packed and needs a script; all tables do not. A report of one tenant (<code>--tenant NAME</code>) needs none.</p></noscript>`,
    payload: trusted(`<script type="application/octet-stream" id="packed">${packed}</script>`),
  };
}
