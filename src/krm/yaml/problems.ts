import type { YAMLException } from 'js-yaml';
import { LIMITS } from './limits.ts';
import type { Problem } from './problem.ts';
import type { OddLiteral } from './scalar.ts';

/** js-yaml's words for what is wrong, and what a person wants to hear instead. First match wins. */
const SYNTAX: readonly {
  readonly match: RegExp;
  readonly what: (text: string, offset: number, match: RegExpExecArray) => string;
  readonly remedy: string;
  /** the last place before the error that holds this is what is wrong */
  readonly before?: string;
}[] = [
  {
    match: /duplicated mapping key/,
    what: (text, offset) => `key ${keyAt(text, offset)} stands twice in one map; kubectl would keep one of them without a word`,
    remedy: 'Delete one of the two.',
  },
  {
    match: /nesting exceeded maxDepth/,
    what: () => `lists and maps are nested more than ${LIMITS.depth} deep`,
    remedy: 'Flatten the document; nothing in Kubernetes is that deep.',
  },
  {
    match: /unidentified alias "(.*)"/,
    what: (_text, _offset, match) => `alias *${match[1]} has no anchor in this document`,
    remedy: 'Define the anchor before it, or quote a value that begins with *.',
  },
  {
    match: /unknown tag !<(.*)>/,
    what: (_text, _offset, match) => `tag ${shortTag(match[1] ?? '')} is not known; only the tags of plain data are read`,
    remedy: 'Remove the tag, or quote a value that begins with !.',
  },
  {
    match: /(?:cannot resolve a node with|unacceptable node kind for) !<(.*?)>/,
    what: (_text, _offset, match) => `the value does not fit its tag ${shortTag(match[1] ?? '')}`,
    remedy: 'Remove the tag, or fix the value.',
  },
  {
    match: /tab characters must not be used|deficient indentation|unexpected tab/,
    what: () => 'a tab indents the line, and YAML allows spaces only',
    remedy: 'Indent with spaces.',
  },
  {
    match: /merge keys exceeded|abnormal merge sequence|cannot merge mappings/,
    what: (_text, _offset, match) => `the merge key << cannot be followed (${match[0]})`,
    remedy: 'Write the keys out.',
    before: '<<',
  },
  {
    match: /a key node is missed/,
    what: () => 'a key is missing before the colon',
    remedy: 'Write the key, or quote a value that begins with a colon.',
  },
];

export function syntaxProblem(error: YAMLException, text: string): Problem {
  const offset = Math.min(error.mark?.position ?? 0, text.length);
  const template = templateProblem(text, offset);
  if (template !== undefined) return template;
  const conflict = /^(?:<{7} |={7}\r?$|>{7} )/m.exec(text);
  if (conflict !== null) {
    const what = 'the file is in the middle of a merge (a conflict marker stands here)';
    return { kind: 'syntax', what, remedy: 'Settle the conflict, and remove the markers.', offset: conflict.index };
  }
  const { reason } = error;
  for (const row of SYNTAX) {
    const match = row.match.exec(reason);
    if (match === null) continue;
    // js-yaml has read on when it notices; the key is what to look at
    const at = row.before === undefined ? offset : Math.max(0, text.lastIndexOf(row.before, offset));
    return { kind: 'syntax', what: row.what(text, offset, match), remedy: row.remedy, offset: at };
  }
  if (/^[ ]*\t/.test(lineAt(text, offset))) {
    return { kind: 'syntax', what: 'a tab indents the line, and YAML allows spaces only', remedy: 'Indent with spaces.', offset };
  }
  return { kind: 'syntax', what: reason, remedy: 'Fix the YAML.', offset };
}

/** `{{ .Release.Name }}` is legal YAML of a strange shape; what the person meant is a template. */
export function templateProblem(text: string, offset: number): Problem | undefined {
  if (!lineAt(text, offset).includes('{{')) return undefined;
  const what = 'the line holds a template ({{ … }}), and this is no template engine';
  return { kind: 'syntax', what, remedy: 'Render the chart first (helm template), or quote the value.', offset };
}

/** What is wrong with a character, by itself. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '\0': 'NUL is no text: this is a binary file',
  '\u0085': 'U+0085 is a line break for kubectl and plain text for others',
  '\u2028': 'U+2028 is a line break for kubectl and plain text for others',
  '\u2029': 'U+2029 is a line break for kubectl and plain text for others',
  '\ufeff': 'a byte order mark stands inside the text',
  '\ud800': 'an escape names half of a surrogate pair, which is no character',
};

export function characterProblem(character: string, offset: number): Problem {
  const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    kind: 'syntax',
    what: CHARACTERS[character] ?? `${code} is a control character, which YAML does not allow`,
    remedy: character === '\0' ? 'Take the file out of the package.' : 'Remove it, or write it as an escape inside double quotes.',
    offset,
  };
}

export function oddLiteralProblem(odd: OddLiteral, text: string): Problem {
  const offset = Math.max(0, text.indexOf(odd.literal));
  if (odd.problem === 'infinite') {
    return { kind: 'syntax', what: `${odd.literal} is a number that JSON does not have`, remedy: `Quote it: "${odd.literal}".`, offset };
  }
  return {
    kind: 'warning',
    what: `${odd.literal} is beyond 64-bit integers, and the API server keeps about 16 digits of it`,
    remedy: `If it is text, quote it: "${odd.literal}".`,
    offset,
  };
}

export function aliasProblem(size: string, text: string): Problem {
  return {
    kind: 'too-large',
    what: 'the document with its aliases expanded',
    size,
    limit: `${LIMITS.expandedNodes} nodes and ${LIMITS.expandedCharacters} characters`,
    remedy: 'Write the values out where they are needed.',
    offset: Math.max(0, text.indexOf('*')),
  };
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end);
}

function keyAt(text: string, offset: number): string {
  const match = /^\s*(?:\?[ \t]+)?("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s:][^:\n]*)/.exec(text.slice(offset, offset + 300));
  return match?.[1]?.trim() ?? 'of this line';
}

function shortTag(tag: string): string {
  return tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice(18)}` : tag;
}
