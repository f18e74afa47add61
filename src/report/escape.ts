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

/** One line that shows every character it holds, at most 2,000 of them. */
export function visible(text: string): string {
  const line = text.replace(UNSEEN, (character) => SHORT[character] ?? codePoint(character));
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
  return `${cut}… (${line.length - cut.length} more characters)`;
}

/** Several lines, each of them visible; the line breaks stay. For text that is a file's content, such as a diff. */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : codePoint(character)));
}

/** The message of a workflow command. The runner decodes `%25`, `%0D` and `%0A` only. */
export function commandData(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

/** A property of a workflow command, where `:` and `,` end the value as well. */
export function commandProperty(text: string): string {
  return commandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Escapes for JSON text that is looked at: the same value, nothing unseen. Line breaks of the layout stay. */
export function visibleJson(text: string): string {
  return text.replace(UNSEEN, (character) => (character === '\n' ? character : utf16(character)));
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
