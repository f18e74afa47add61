import { type LoadOptions, load, YAMLException } from 'js-yaml';
import type { Json } from '../../core/kube/json.ts';
import { expandAliases } from './aliases.ts';
import { findKeyProblem, mayHoldOddKey } from './keys.ts';
import { KUBERNETES_SCHEMA, takeOddLiterals } from './kubernetes-schema.ts';
import { LIMITS } from './limits.ts';
import type { Problem } from './problem.ts';
import { aliasProblem, characterProblem, lengthProblem, oddLiteralProblem, syntaxProblem } from './problems.ts';

export interface Parsed {
  /** undefined where a problem leaves no value that could be relied on */
  readonly value: Json | undefined;
  readonly problems: readonly Problem[];
}

const OPTIONS: LoadOptions & { readonly maxDepth: number } = { schema: KUBERNETES_SCHEMA, maxDepth: LIMITS.depth };
/**
 * Characters that parsers disagree on or refuse. NEL, U+2028 and U+2029 are line breaks for kubectl and text for others, so
 * the same bytes would be two documents.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const TREACHEROUS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
/** an escaped surrogate; only a pair of them is a character */
const SURROGATE_ESCAPE = /\\[uU][0-9a-fA-F]*[dD][89a-fA-F]/;

/**
 * The value of one YAML document as kubectl reads it. `text` holds one document, without a BOM.
 * @param most characters that it may have, where it is one object and not a whole list of them
 */
export function parseDocument(text: string, most: number = Number.POSITIVE_INFINITY): Parsed {
  if (text.length > most) return failed(lengthProblem(text, most));
  const treacherous = TREACHEROUS.exec(text);
  if (treacherous !== null) {
    // NUL says more of a file than what happens to stand before it
    const nul = text.indexOf('\0');
    return failed(nul < 0 ? characterProblem(treacherous[0], treacherous.index) : characterProblem('\0', nul));
  }
  let value: Json;
  takeOddLiterals();
  try {
    value = load(text, OPTIONS) as Json;
  } catch (error) {
    takeOddLiterals();
    if (error instanceof YAMLException) return failed(syntaxProblem(error, text));
    // js-yaml guards its depth; what is left is a bug, and a bug is thrown
    throw error;
  }
  const problems = takeOddLiterals().map((odd) => oddLiteralProblem(odd, text));
  if (problems.some((problem) => problem.kind !== 'warning')) return { value: undefined, problems };
  if (mayHoldOddKey(text)) {
    const problem = findKeyProblem(text, value, OPTIONS);
    if (problem !== undefined) return failed(problem);
  }
  if (SURROGATE_ESCAPE.test(text) && holdsLoneSurrogate(value)) {
    return failed(characterProblem('\ud800', Math.max(0, text.search(SURROGATE_ESCAPE))));
  }
  if (text.includes('*') && text.includes('&')) {
    const expanded = expandAliases(value);
    if ('tooLarge' in expanded) return failed(aliasProblem(expanded.tooLarge, text));
    value = expanded.value;
  }
  return { value, problems };
}

function failed(problem: Problem): Parsed {
  return { value: undefined, problems: [problem] };
}

function holdsLoneSurrogate(value: Json): boolean {
  return /\p{Surrogate}/u.test(
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item)).replace(/\\u(d[89a-f][0-9a-f]{2})/g, '\ud800'),
  );
}
