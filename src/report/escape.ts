/**
 * Text that a tenant controls, made safe for the place it is printed to. Names are checked elsewhere; labels, values and
 * messages that quote them are not, and a report is read by people with more rights than the tenant has.
 */

/**
 * Control characters (a terminal obeys them), format characters (bidi overrides, zero-width and tag characters: what is read
 * is not what is there, CVE-2021-42574), line separators, lone surrogates and private use.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;
const LONGEST = 2000;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * What runners look for in whatever a job prints. GitHub takes `::name …::` where a line begins, white space aside, and `##[name]` anywhere;
 * Azure `##vso[` and `##[`, others a word of their own there; GitLab folds the log between `section_start:1:a` and its end.
 */
const COMMAND_LINE = /^([^\S\n]*):(?=:[a-z-]+(?:\s.*)?::)/gim;
const COMMAND_ANYWHERE = /##(?=[a-z]*\[)/gi;
const SECTION = /section_/i;
const SECTION_MARK = /(section_(?:start|end)):(?=\d)/gi;

/** Text that may be several lines, none of which a runner obeys; what is shown in place of a character is its escape. */
export function unobeyed(text: string): string {
  const line = nowhereObeyed(text);
  return line.includes('::') ? line.replace(COMMAND_LINE, '$1\\u003a') : line;
}

function nowhereObeyed(text: string): string {
  // most text has none of it, and all text comes through here
  const bare = text.includes('##') ? text.replace(COMMAND_ANYWHERE, '\\u0023#') : text;
  return SECTION.test(bare) ? bare.replace(SECTION_MARK, '$1\\u003a') : bare;
}

/** One line that shows every character it holds, at most 2,000 of them. */
export function visible(text: string): string {
  const line = unobeyed(text.replace(UNSEEN, (character) => SHORT[character] ?? codePoint(character)));
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
  return `${cut}… (${line.length - cut.length} more characters)`;
}

/** Several lines, each of them visible; the line breaks stay. For text that is a file's content, such as a diff. */
export function visibleLines(text: string): string {
  return unobeyed(text.replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : codePoint(character))));
}

/** The message of a workflow command. The runner decodes `%25`, `%0D` and `%0A` only. */
export function commandData(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

/** A property of a workflow command, where `:` and `,` end the value as well. */
export function commandProperty(text: string): string {
  return commandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Whether all characters of a text can be seen, line breaks can, and nothing anywhere in it is obeyed. */
export function isVisible(text: string): boolean {
  return text.replaceAll('\n', '').search(UNSEEN) < 0 && nowhereObeyed(text) === text;
}

/** Escapes for JSON text that is looked at: the same value, nothing unseen or obeyed. Line breaks of the layout stay. */
export function visibleJson(text: string): string {
  return nowhereObeyed(text.replace(UNSEEN, (character) => (character === '\n' ? character : utf16(character))));
}

function codePoint(character: string): string {
  const value = character.codePointAt(0) ?? 0;
  return value <= 0xffff ? utf16(character) : `\\u{${value.toString(16)}}`;
}

function utf16(character: string): string {
  let text = '';
  for (let index = 0; index < character.length; index += 1) text += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return text;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text or an attribute's value in HTML, SVG or XML. */
export function markupText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * A code span. Inside one, nothing is a mention, a reference, a link or HTML; the fence is longer than any run of backticks
 * within. In a table a pipe ends a cell even there, and readers differ on what a backslash before it means; so there it is
 * code in HTML, of entities.
 */
export function markdownCode(text: string, inTable = false): string {
  const line = visible(text);
  if (line.trim() === '') return '';
  if (inTable && line.includes('|'))
    return `<code>${line.replace(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0)};`)}</code>`;
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A word that Markdown, and what GitHub and GitLab add to it, leaves alone. */
const PLAIN_WORD = /^["'(]?\p{L}[\p{L}\p{N}.,/'"()=-]*[?:;.,]?$/u;
const AUTOLINKED = /^["'(]?(www\.|gh-\d|xn--)|\/\//i;
/** At the start of a line it could begin a list. */
const NUMBER = /^\d+[.,:%]?$/;
/** A mark that a sentence names, or a bracket and the one that closes it: each is a span of its own. */
const MARK = /^(?:[,[\]{}()]|\[ \]|\{ \}|\( \))[.,:;?]?$/;

/** A sentence: what is more than a plain word becomes a code span, so that it is read and nothing else. */
export function markdownText(text: string, inTable = false): string {
  const parts: string[] = [];
  let code: string[] = [];
  const flush = (): void => {
    parts.push(...spans(code).map((span) => sentenceCode(span, inTable)));
    code = [];
  };
  const words = visible(text).split(' ');
  for (const [index, word] of words.entries()) {
    const plain = (PLAIN_WORD.test(word) && !AUTOLINKED.test(word)) || ((index > 0 || inTable) && NUMBER.test(word));
    if (plain) {
      flush();
      parts.push(word);
    } else if (word !== '') code.push(word);
  }
  flush();
  return parts.join(' ');
}

const ENDED = /^(.*[^.,:;?`])([.,:;?])$/;
/** As well with the bracket that an earlier word opened. */
const CLOSED = /^(.*[^.,:;?`)])(\)?[.,:;?]?)$/;

function spans(words: readonly string[]): string[] {
  const found: string[] = [];
  for (const word of words) {
    const before = found.at(-1);
    const joined = `${before} ${word}`;
    if (before !== undefined && (MARK.test(joined) || !(MARK.test(before) || MARK.test(word)))) found[found.length - 1] = joined;
    else found.push(word);
  }
  return found;
}

/** What ends or parts the sentence stands behind the span. */
function sentenceCode(span: string, inTable: boolean): string {
  const [, text = span, end = ''] = (span.includes('(') ? ENDED : CLOSED).exec(span) ?? [];
  return `${markdownCode(text, inTable)}${end}`;
}

/** A string in double quotes of Graphviz, where a backslash begins `\N` and the like. */
export function dotText(text: string): string {
  return `"${visible(text).replace(/[\\"]/g, '\\$&')}"`;
}

/** A label in double quotes of Mermaid, which may hold HTML and Markdown: all that is no plain text is a numeric entity. */
export function mermaidText(text: string): string {
  return `"${visible(text).replace(/[^\p{L}\p{N} ./,()-]/gu, (character) => `#${character.codePointAt(0)};`)}"`;
}
