/**
 * How a string is written so that every reader sees the same string. Plain only where it is beyond doubt: YAML 1.1 words
 * (`yes`, `n`), numbers of any reader (`1_000`, `0o17`, `12:30`), dates, `=` and `<<` are quoted, as keys too.
 */

/** Begins with a character that starts no number, word of punctuation or indicator, and goes on in printable ASCII. */
const PLAIN = /^[A-Za-z_/$(\\^;][\x20-\x7e]*$/;
/** `: ` and ` #` end a plain scalar; so do a trailing space or colon. */
const ENDS_PLAIN = /:(?: |$)| #| $/;
const WORD = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** `100m`, `1.5Gi`, `10.0.0.1`, `10.0.0.0/8`, `80/TCP`: begin with a digit and are no number or date for any reader. */
const DIGITS_BUT_NO_NUMBER = /^(?:\d+(?:\.\d+)?(?:m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi|Ei|s|h)|\d+(?:\.\d+){2,}(?:\/\d+)?|\d[\d.]*\/[A-Za-z]+)$/;

export function isPlainSafe(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) return DIGITS_BUT_NO_NUMBER.test(text);
  return PLAIN.test(text) && !ENDS_PLAIN.test(text) && !(text.length <= 5 && WORD.test(text));
}

/**
 * What a double-quoted scalar must escape: quotes, controls, DEL, C1, NEL, U+2028, U+2029, BOM and U+FFFE (go-yaml folds or
 * refuses them raw). A lone surrogate is no character; it becomes U+FFFD, as in Go.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that this file is about
const ESCAPED = /["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\p{Surrogate}]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
]);

/** A double-quoted scalar on one line. */
export function quote(text: string): string {
  return `"${text.replace(ESCAPED, escaped)}"`;
}

function escaped(character: string): string {
  const short = SHORT.get(character);
  if (short !== undefined) return short;
  const code = character.charCodeAt(0);
  if (code >= 0xd800 && code <= 0xdfff) return '\\uFFFD';
  return code < 0x100 ? `\\x${code.toString(16).toUpperCase().padStart(2, '0')}` : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
