import { html, type Markup } from './markup.ts';
import { plural } from './words.ts';

/** Beyond this a page only says how many there are: ten thousand alike are read by nobody. */
const MOST = 400;

/** A list of which the first few stand open, the rest is folded, and what is more than anybody reads is counted. */
export function folded<Item>(items: readonly Item[], shown: number, item: (item: Item) => Markup, what: string, name = 'said'): Markup {
  const open = items.slice(0, Math.min(shown, MOST));
  const rest = items.slice(open.length, MOST);
  const left = items.length - open.length - rest.length;
  return html`<ul class="${name}">${open.map(item)}</ul>${
    rest.length > 0 &&
    html`<details class="fold"><summary>${plural(rest.length, `more ${what}`)}</summary><ul class="${name}">${rest.map(item)}</ul></details>`
  }${left > 0 && html`<p class="meta">${plural(left, `more ${what}`)}: <code>tenantplane diff</code> lists them all.</p>`}`;
}
