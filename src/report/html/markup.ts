import { visible } from '../escape.ts';

/** Text that is HTML already. Only `html` and `trusted` make it, so a string of a tenant can never be taken for one. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | undefined | false | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The one way from text to a page: every character is shown, none means anything. Right for elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A piece of a page; everything put in is escaped unless it is a piece itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.map((text, index) => text + (index < parts.length ? part(parts[index]) : '')).join('') };
}

/** Our own constant text: the style, the script, a payload in base64. */
export function trusted(markup: string): Markup {
  return { markup };
}

export const NOTHING: Markup = { markup: '' };

function part(value: Part): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return value.toLocaleString('en-US');
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
