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
    what: (text, offset) => `the key ${keyAt(text, offset)} stands twice in one map; kubectl would keep one of them without a word`,
    remedy: 'Delete one of the two.',
  },
  {
    match: /nesting exceeded maxDepth/,
    what: () => `lists and maps are nested more than ${LIMITS.depth} deep`,
    remedy: 'Flatten the document; nothing in Kubernetes is that deep.',
  },
  {
    match: /unidentified alias "(.*)"/,
    what: () => 'an alias (*) has no anchor in this document',
    remedy: 'Define the anchor before it, or quote a value that begins with *.',
  },
  {
    match: /unknown tag !<(.*)>/,
    what: (_text, _offset, match) => `${tagText(match[1] ?? '')} is not known; only the tags of plain data are read`,
    remedy: 'Remove the tag, or quote a value that begins with !.',
  },
  {
    match: /(?:cannot resolve a node with|unacceptable node kind for) !<(.*?)>/,
    what: (_text, _offset, match) => `the value does not fit its ${tagText(match[1] ?? '')}`,
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
    match: /unexpected end of the (?:stream|document) within a (single|double) quoted scalar/,
    what: (_text, _offset, match) => `a ${match[1]} quote is opened above and never closed`,
    remedy: 'Close it, or leave the quotes away.',
  },
  {
    match: /unexpected end of the stream within a flow collection/,
    what: () => 'a [ or { is opened above and never closed',
    remedy: 'Close it, or quote a value that begins with [ or {.',
  },
  {
    match: /missed comma between flow collection entries/,
    what: () => 'between [ ] or { } two entries follow each other without a comma, or a bracket is closed by one of the other kind',
    remedy: 'Add the comma or the closing bracket; quote values that hold , [ ] { or }.',
  },
  {
    match: /bad indentation of a (?:mapping|sequence) entry|can not read an implicit mapping pair|can not read a block mapping entry/,
    what: (text, offset) =>
      /^\s*(?:- )?[^\s#"'][^:#]*: [^"'\n]*: /.test(lineAt(text, offset))
        ? 'a value without quotes holds a colon and a space, which begin another key'
        : 'the line fits none above it: it is indented otherwise, or a colon is missing here or in the line before',
    remedy: 'Indent the keys of one map alike, each with its colon; quote values that hold ": ".',
  },
  {
    match: /end of the stream or a document separator is expected/,
    what: () => 'the document has ended, and this line stands outside of it',
    remedy: 'Indent it as the lines above it, or put --- between two documents.',
  },
  {
    match: /unknown escape sequence|expected hexadecimal character/,
    what: () => 'a backslash in double quotes begins an escape that YAML does not know',
    remedy: 'Write \\\\ for a backslash, or use single quotes.',
  },
  {
    match: /block scalar/,
    what: (_text, _offset, match) => `a text that | or > begins has a wrong head or indent (${match.input})`,
    remedy: 'Write | or > alone, and indent the text by the same number of spaces throughout.',
  },
  {
    match: /(?:YAML|TAG) directive|YAML version of the document|directive/,
    what: (_text, _offset, match) => `the % line above the document is not legal (${match.input})`,
    remedy: 'Remove it; YAML 1.2 is read without one.',
    before: '%',
  },
  {
    match: /name of an (?:alias|anchor) node must contain/,
    what: () => 'a value begins with * or &, which stand for an alias or an anchor, and no name follows',
    remedy: 'Quote the value.',
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
  const tab = {
    kind: 'syntax',
    what: 'a tab indents the line, and YAML allows spaces only',
    remedy: 'Indent with spaces.',
    offset,
  } as const;
  const tabbed = /^[ ]*\t/.test(lineAt(text, offset));
  if (tabbed && reason.includes('indentation')) return tab;
  for (const row of SYNTAX) {
    const match = row.match.exec(reason);
    if (match === null) continue;
    // js-yaml has read on when it notices; the key is what to look at
    const at = row.before === undefined ? offset : Math.max(0, text.lastIndexOf(row.before, offset));
    return { kind: 'syntax', what: row.what(text, offset, match), remedy: row.remedy, offset: at };
  }
  if (tabbed) return tab;
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
  const literal = odd.literal.length <= 40 ? odd.literal : `${odd.literal.slice(0, 37)}…`;
  if (odd.problem === 'infinite') {
    return { kind: 'syntax', what: `${literal} is a number that JSON does not have`, remedy: `Quote it: "${literal}".`, offset };
  }
  return {
    kind: 'warning',
    what: `${literal} is beyond 64-bit integers, and the API server keeps about 16 digits of it`,
    remedy: `If it is text, quote it: "${literal}".`,
    offset,
  };
}

export function lengthProblem(text: string, most: number): Problem {
  return {
    kind: 'too-large',
    what: 'the document',
    size: `${text.length} characters long`,
    limit: `${most}`,
    remedy: 'Split it; the API server takes no object of that size.',
    offset: 0,
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
  const key = match?.[1]?.trim() ?? 'of this line';
  return key.length <= 63 ? key : `${key.slice(0, 60)}…`;
}

/** Tags by their families only: an unquoted password may begin with `!`, and is no one's to print. */
function tagText(tag: string): string {
  const short = tag.replace(/^tag:yaml\.org,2002:/, '!!');
  return KNOWN_TAGS.test(short) ? `tag ${short}` : 'a tag of its own (a word that begins with !)';
}

const KNOWN_TAGS =
  /^!!(?:(?:js|python|ruby|java|php|perl)\/[\w/.:-]*|binary|timestamp|set|omap|pairs|merge|value|yaml|int|float|bool|null|str|map|seq)$/;
