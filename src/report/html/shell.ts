import { createHash } from 'node:crypto';
import { html, type Markup, NOTHING, trusted } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface Shell {
  readonly title: string;
  /** beside the page: what leads to its parts */
  readonly side: Markup;
  readonly header: Markup;
  readonly sections: readonly Markup[];
  /** behind the page, shown by the script alone */
  readonly payload?: Markup;
}

/** How every file of a report begins: by it a folder is known that holds one. */
export const BEGINNING =
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="tenantplane report">';

/** A document that loads nothing and runs nothing but its own script. */
export function documentOf({ title, side, header, sections, payload }: Shell): string {
  return html`${trusted(BEGINNING)}<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${title} · tenantplane report</title><style>${trusted(STYLE)}</style></head>
<body><a class="skip" href="#main">Skip to the report</a>
<div class="frame">${side}<div class="column">${header}
<main id="main" tabindex="-1">${lines(sections)}</main></div></div>
${payload ?? NOTHING}<script>${trusted(SCRIPT)}</script></body></html>
`.markup;
}

function lines(sections: readonly Markup[]): Markup {
  return html`${sections.map((section, index) => html`${index > 0 && NEW_LINE}${section}`)}`;
}

const NEW_LINE: Markup = { markup: '\n' };

/** What a page may load and run: its own style and script, by their hashes, and nothing else. */
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
