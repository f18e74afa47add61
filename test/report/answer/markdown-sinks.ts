import { lexer, type Token } from 'marked';

/** What a reader of Markdown would do with a text: an independent parser of GitHub's Markdown says so. */
const BLOCKS: ReadonlySet<string> = new Set([
  'heading',
  'table',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'text',
  'codespan',
  'html',
  'code',
  'br',
]);
/** Tags that we write ourselves, and the marker. */
const OWN_HTML =
  /^(<details>|<\/details>|<summary>[\w ]*<code>[^<>]*<\/code><\/summary>|<!-- tenantplane:pr:v1 (?:[\w./%:-]+ )?-->|<\/?code>|\s)*$/;
/** What GitHub and GitLab make of plain text: mentions, references, links, emoji. */
const REFERENCE = /@[a-z0-9]|(^|\W)[#!~&$%]\w|\bgh-\d|https?:|www\.|:[a-z_+]+:|[<>]|[\w.]+@[\w.]+|\b[0-9a-f]{40}\b/i;

/** @returns what in the text would be more than text, one line each; none where it is harmless */
export function obeyed(markdown: string): readonly string[] {
  const found: string[] = [];
  const walk = (tokens: readonly Token[]): void => {
    let inCode = false;
    for (const token of tokens) {
      if (!BLOCKS.has(token.type)) found.push(`${token.type}: ${token.raw}`);
      if (token.type === 'html') {
        if (!OWN_HTML.test(token.raw)) found.push(`html: ${token.raw}`);
        inCode = token.raw === '<code>';
      }
      const children = childrenOf(token);
      // inside <code>, GitHub and GitLab look for nothing, as in a code span
      if (token.type === 'text' && children.length === 0 && REFERENCE.test(token.raw) && !inCode) found.push(`text: ${token.raw}`);
      walk(children);
    }
  };
  walk(lexer(markdown));
  return found;
}

/** What a reader sees, without any white space. */
export function seen(markdown: string): string {
  const text = (tokens: readonly Token[]): string =>
    tokens
      .map((token) => {
        const children = childrenOf(token);
        if (children.length > 0) return text(children);
        // entities are text outside of code spans only
        if (token.type === 'text') return token.text.replace(/&#(\d+);/g, (_: string, code: string) => String.fromCodePoint(Number(code)));
        return token.type === 'codespan' || token.type === 'code' ? token.text : '';
      })
      .join('');
  return text(lexer(markdown)).replace(/\s/g, '');
}

interface Cell {
  readonly tokens: Token[];
}

function childrenOf(token: Token): Token[] {
  if (token.type === 'table') {
    const cells: Cell[] = [...token['header'], ...token['rows'].flat()];
    return cells.flatMap((cell) => cell.tokens);
  }
  if (token.type === 'list') return token['items'];
  return 'tokens' in token ? (token.tokens ?? []) : [];
}
