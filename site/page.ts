/** A page to be built: its path in the site, with `.md`, and its Markdown. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** Text of ours as a Markdown paragraph: nothing in it is markup. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&').replaceAll('\n', ' ');
}

export function cells(...texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}
