import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../../src/krm/yaml/read.ts';

const bomb = (levels: number): string => {
  let text = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n';
  for (let level = 1; level <= levels; level += 1)
    text += `a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]\n`;
  return text;
};

/** Broken or hostile text, and exactly what is said of it. */
const ROWS: readonly (readonly [name: string, text: string, finding: string])[] = [
  [
    'a duplicate key',
    'a: 1\nb:\n  c: 1\n  c: 2\n',
    'TP9013 4 Line 4: the key c stands twice in one map; kubectl would keep one of them without a word. | Delete one of the two.',
  ],
  [
    'a duplicate key in flow style',
    '{"a": 1,\n "a": 2}\n',
    'TP9013 2 Line 2: the key "a" stands twice in one map; kubectl would keep one of them without a word. | Delete one of the two.',
  ],
  [
    'two spellings of one boolean key',
    'yes: 1\non: 2\n',
    'TP9013 2 Line 2: the key on stands twice in one map; kubectl would keep one of them without a word. | Delete one of the two.',
  ],
  [
    'a billion laughs',
    bomb(9),
    'TP9011 2 Line 2: the document with its aliases expanded is 4412961506 nodes; the limit is 200000 nodes and 16777216 characters. | Write the values out where they are needed.',
  ],
  [
    'an anchor that holds itself',
    'a: &a [*a]\n',
    'TP9011 1 Line 1: the document with its aliases expanded is endless (an anchor that holds itself); the limit is 200000 nodes and 16777216 characters. | Write the values out where they are needed.',
  ],
  [
    'an alias without an anchor',
    'a: 1\nb: *x\n',
    'TP9013 2 Line 2: an alias (*) has no anchor in this document. | Define the anchor before it, or quote a value that begins with *.',
  ],
  [
    '5,000 brackets',
    '['.repeat(5000),
    'TP9013 1 Line 1: lists and maps are nested more than 100 deep. | Flatten the document; nothing in Kubernetes is that deep.',
  ],
  [
    '3,000 nested maps',
    Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
    'TP9013 100 Line 100: lists and maps are nested more than 100 deep. | Flatten the document; nothing in Kubernetes is that deep.',
  ],
  [
    '5,000 nested dashes',
    '- '.repeat(5000),
    'TP9013 1 Line 1: lists and maps are nested more than 100 deep. | Flatten the document; nothing in Kubernetes is that deep.',
  ],
  ['NUL', 'a: 1\nb: \0\n', 'TP9013 2 Line 2: NUL is no text: this is a binary file. | Take the file out of the package.'],
  [
    'a control character',
    'a: x\u0007y\n',
    'TP9013 1 Line 1: U+0007 is a control character, which YAML does not allow. | Remove it, or write it as an escape inside double quotes.',
  ],
  [
    'DEL',
    'a: "x\u007fy"\n',
    'TP9013 1 Line 1: U+007F is a control character, which YAML does not allow. | Remove it, or write it as an escape inside double quotes.',
  ],
  [
    'NEL, a line break for some',
    'a: x\u0085b: y\n',
    'TP9013 1 Line 1: U+0085 is a line break for kubectl and plain text for others. | Remove it, or write it as an escape inside double quotes.',
  ],
  [
    'U+2028 in a comment',
    'a: 1 # x\u2028b: 2\n',
    'TP9013 1 Line 1: U+2028 is a line break for kubectl and plain text for others. | Remove it, or write it as an escape inside double quotes.',
  ],
  [
    'a BOM inside the stream',
    'a: 1\n---\n\ufeffb: 1\n',
    'TP9013 3 Line 3: a byte order mark stands inside the text. | Remove it, or write it as an escape inside double quotes.',
  ],
  [
    'half a surrogate pair',
    'a: "\\ud800x"\n',
    'TP9013 1 Line 1: an escape names half of a surrogate pair, which is no character. | Remove it, or write it as an escape inside double quotes.',
  ],
  ['a leading tab', 'a:\n\tb: 1\n', 'TP9013 2 Line 2: a tab indents the line, and YAML allows spaces only. | Indent with spaces.'],
  [
    'a tab after spaces',
    'a:\n  b: 1\n \tc: 1\n',
    'TP9013 3 Line 3: a tab indents the line, and YAML allows spaces only. | Indent with spaces.',
  ],
  [
    'a tag of another language',
    'a: !!js/function "x"\n',
    'TP9013 1 Line 1: tag !!js/function is not known; only the tags of plain data are read. | Remove the tag, or quote a value that begins with !.',
  ],
  [
    'a custom tag',
    'a: 1\nb: !secret x\n',
    'TP9013 2 Line 2: a tag of its own (a word that begins with !) is not known; only the tags of plain data are read. | Remove the tag, or quote a value that begins with !.',
  ],
  [
    'a python tag',
    'a: !!python/object/apply:os.system ["x"]\n',
    'TP9013 1 Line 1: tag !!python/object/apply:os.system is not known; only the tags of plain data are read. | Remove the tag, or quote a value that begins with !.',
  ],
  ['!!int on text', 'a: !!int x\n', 'TP9013 1 Line 1: the value does not fit its tag !!int. | Remove the tag, or fix the value.'],
  [
    '!!binary that is no base64',
    'a: !!binary "%"\n',
    'TP9013 1 Line 1: the value does not fit its tag !!binary. | Remove the tag, or fix the value.',
  ],
  [
    '!!binary that is no text',
    'a: !!binary /w==\n',
    'TP9013 1 Line 1: the value does not fit its tag !!binary. | Remove the tag, or fix the value.',
  ],
  ['infinity', 'a: 1\nb: -.inf\n', 'TP9013 2 Line 2: -.inf is a number that JSON does not have. | Quote it: "-.inf".'],
  ['no number', 'a: .NaN\n', 'TP9013 1 Line 1: .NaN is a number that JSON does not have. | Quote it: ".NaN".'],
  [
    'a null key',
    'a:\n  null: x\n',
    'TP9013 2 Line 2: a key is null, and kubectl takes scalar keys only. | Quote the key ("null", "~"), or give it a name.',
  ],
  [
    'an empty key',
    'a: 1\n: x\n',
    'TP9013 2 Line 2: a key is missing before the colon. | Write the key, or quote a value that begins with a colon.',
  ],
  [
    'an empty key in flow style',
    'a: {: x}\n',
    'TP9013 1 Line 1: a key is null, and kubectl takes scalar keys only. | Quote the key ("null", "~"), or give it a name.',
  ],
  [
    'a list as a key',
    '? [a, b]\n: x\n',
    'TP9013 1 Line 1: a key is a list or map, and kubectl takes scalar keys only. | Quote the key; a value that begins with { or [ must be quoted too.',
  ],
  [
    'a map as a key',
    'a: {{b: c}: d}\n',
    'TP9013 1 Line 1: the line holds a template ({{ … }}), and this is no template engine. | Render the chart first (helm template), or quote the value.',
  ],
  [
    'a Helm template',
    'metadata:\n  name: {{ .Release.Name }}\n',
    'TP9013 2 Line 2: the line holds a template ({{ … }}), and this is no template engine. | Render the chart first (helm template), or quote the value.',
  ],
  [
    'a Helm block',
    'a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n',
    'TP9013 2 Line 2: the line holds a template ({{ … }}), and this is no template engine. | Render the chart first (helm template), or quote the value.',
  ],
  [
    'a quote that never ends',
    'a: 1\nb: "x\nc: 2\n',
    'TP9013 4 Line 4: a double quote is opened above and never closed. | Close it, or leave the quotes away.',
  ],
  [
    'a bracket that never ends',
    'a: [1, 2\nb: 2\n',
    'TP9013 2 Line 2: between [ ] or { } two entries follow each other without a comma, or a bracket is closed by one of the other kind. | Add the comma or the closing bracket; quote values that hold , [ ] { or }.',
  ],
  [
    'a colon too many',
    'a: b: c\n',
    'TP9013 1 Line 1: a value without quotes holds a colon and a space, which begin another key. | Indent the keys of one map alike, each with its colon; quote values that hold ": ".',
  ],
  [
    'a merge conflict',
    'a: 1\n<<<<<<< ours\nb: 1\n=======\nb: 2\n>>>>>>> theirs\n',
    'TP9013 2 Line 2: the file is in the middle of a merge (a conflict marker stands here). | Settle the conflict, and remove the markers.',
  ],
  [
    'a merge key that names no map',
    'a: &a 1\nb:\n  <<: *a\n',
    'TP9013 3 Line 3: the merge key << cannot be followed (cannot merge mappings). | Write the keys out.',
  ],
  [
    'a YAML version of the future',
    '%YAML 2.0\n---\na: 1\n',
    'TP9013 1 Line 1: the % line above the document is not legal (unacceptable YAML version of the document). | Remove it; YAML 1.2 is read without one.',
  ],
  [
    '17 MB in one file',
    `a: ${'x'.repeat(17 * 1024 * 1024)}\n`,
    'TP9011 - The file is 17825796 characters; the limit is 16777216. | Split the file.',
  ],
  [
    '9 MB in one document',
    `a: ${'x'.repeat(9_000_000)}\n`,
    'TP9011 1 Line 1: the document is 9000004 characters long; the limit is 8388608. | Split it; the API server takes no object of that size.',
  ],
  [
    'an integer beyond 64 bits',
    'apiVersion: v1\nkind: A\nn: 12345678901234567890123\n',
    'TP9001 3 Line 3: 12345678901234567890123 is beyond 64-bit integers, and the API server keeps about 16 digits of it. | If it is text, quote it: "12345678901234567890123".',
  ],
];

describe('bad input gets one exact answer', () => {
  test.each(ROWS)('%s', (_name, text, expected) => {
    const { findings } = readDocuments(text, 'f.yaml');
    const told = findings
      .filter(({ code }) => code !== 'TP2021')
      .map(({ code, source, message, remedy }) => `${code} ${source.line ?? '-'} ${message} | ${remedy}`);
    expect(told).toEqual([expected]);
  });

  test('a bomb through merge keys ends as well', () => {
    let text = 'a0: &a0 {k: 1}\n';
    for (let level = 1; level < 30; level += 1)
      text += `a${level}: &a${level}\n  <<: [${Array.from({ length: 50 }, () => `*a${level - 1}`).join(', ')}]\n  k${level}: 1\n`;
    expect(readDocuments(text, 'f.yaml').findings.map(({ message }) => message.slice(0, 60))).toEqual([
      expect.stringContaining('the merge key << cannot be followed'),
    ]);
  });

  test('a million wrong documents get a hundred findings, and one that counts the others', () => {
    const { findings } = readDocuments(`${'---\n- x\n'.repeat(150_000)}---\na: [\n`, 'f.yaml');
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)).toMatchObject({ severity: 'error', message: '149901 more of its documents are not what they should be.' });
  });

  test('a List of more items than a call takes arguments is read', () => {
    const text = `apiVersion: v1\nkind: List\nitems:\n${'- {apiVersion: v1, kind: A}\n'.repeat(200_000)}`;
    expect(readDocuments(text, 'f.yaml').objects).toHaveLength(200_000);
  });

  test('200 characters cannot become 16 MB of text', () => {
    const text = `a: &a "${'x'.repeat(100_000)}"\nb: [${'*a, '.repeat(400)}]\n`;
    expect(readDocuments(text, 'f.yaml').findings.map(({ code }) => code)).toEqual(['TP9011']);
  });
});
