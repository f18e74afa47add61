import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { objectAt } from '../../../src/core/kube/json.ts';
import { readDocuments } from '../../../src/krm/yaml/read.ts';
import { removeAnnotation, setAnnotation } from '../../../src/krm/yaml/splice.ts';

const KEY = 'config.kubernetes.io/local-config';

/** name, text before, text after an annotation is set */
const ROWS: readonly (readonly [string, string, string])[] = [
  [
    'no annotations',
    'kind: A\nmetadata: # m\n  # name\n  name: a # n\n',
    `kind: A\nmetadata: # m\n  annotations:\n    ${KEY}: "true"\n  # name\n  name: a # n\n`,
  ],
  [
    'others there',
    'metadata:\n  name: a\n  annotations:   # c\n      # first\n      b: "1"\n',
    `metadata:\n  name: a\n  annotations:   # c\n      ${KEY}: "true"\n      # first\n      b: "1"\n`,
  ],
  ['already so', `metadata:\n  annotations:\n    ${KEY}: 'true' # yes\n`, `metadata:\n  annotations:\n    ${KEY}: 'true' # yes\n`],
  [
    'another value',
    `metadata:\n  annotations:\n    ${KEY}: "false" # no\n    b: c\n`,
    `metadata:\n  annotations:\n    ${KEY}: "true" # no\n    b: c\n`,
  ],
  ['a boolean, which is no annotation', `metadata:\n  annotations:\n    ${KEY}: true\n`, `metadata:\n  annotations:\n    ${KEY}: "true"\n`],
  [
    'a block scalar',
    `metadata:\n  annotations:\n    ${KEY}: |\n      x\n    b: c\n`,
    `metadata:\n  annotations:\n    ${KEY}: "true"\n    b: c\n`,
  ],
  ['no value', `metadata:\n  annotations:\n    ${KEY}: # c\n    b: c\n`, `metadata:\n  annotations:\n    ${KEY}: "true" # c\n    b: c\n`],
  [
    'annotations without a value',
    'metadata:\n  annotations: # none\n  name: a\n',
    `metadata:\n  annotations: {"${KEY}": "true"} # none\n  name: a\n`,
  ],
  ['annotations: null', 'metadata:\n  annotations: null # none\n', `metadata:\n  annotations: {"${KEY}": "true"} # none\n`],
  ['annotations: {}', 'metadata:\n  annotations: {} # none\n', `metadata:\n  annotations: {"${KEY}": "true"} # none\n`],
  ['flow style', 'metadata: {name: a, annotations: {b: c}}\n', `metadata: {name: a, annotations: {"${KEY}": "true", b: c}}\n`],
  ['JSON', '{"kind":"A","metadata":{"name":"a"}}', `{"kind":"A","metadata":{"annotations": {"${KEY}": "true"}, "name":"a"}}`],
  ['CRLF', 'metadata:\r\n  name: a\r\n', `metadata:\r\n  annotations:\r\n    ${KEY}: "true"\r\n  name: a\r\n`],
  ['a BOM', '\ufeffmetadata:\n  name: a\n', `\ufeffmetadata:\n  annotations:\n    ${KEY}: "true"\n  name: a\n`],
  ['four spaces', 'metadata:\n    name: a\n', `metadata:\n    annotations:\n        ${KEY}: "true"\n    name: a\n`],
];

describe('an annotation spliced into a text', () => {
  test.each(ROWS)('%s', async (_name, before, after) => {
    expect(await setAnnotation(before, 0, KEY, 'true')).toBe(after);
    expect(await setAnnotation(after, 0, KEY, 'true')).toBe(after);
  });

  test('metadata that stands in two places is not edited', async () => {
    expect(await setAnnotation('metadata: &m\n  name: a\nother: *m\n', 0, KEY, 'true')).toBeUndefined();
    expect(await setAnnotation('x: &x {b: c}\nmetadata:\n  annotations: *x\n', 0, KEY, 'true')).toBeUndefined();
    expect(await setAnnotation('kind: A\n', 0, KEY, 'true')).toBeUndefined();
    expect(await setAnnotation('metadata:\n  name: a\n', 1, KEY, 'true')).toBeUndefined();
  });

  test('the second document, and the second item of a List, are found by their index', async () => {
    const text = 'metadata:\n  name: a\n---\nkind: List\nitems:\n- metadata:\n    name: b\n- metadata:\n    name: c\n';
    expect(await setAnnotation(text, 2, KEY, 'true')).toBe(
      text.replace('- metadata:\n    name: c', `- metadata:\n    annotations:\n      ${KEY}: "true"\n    name: c`),
    );
  });

  test('removed again, the text is what it was', async () => {
    for (const [name, before, after] of ROWS) {
      if (/already|another|boolean|block|value|null|\{\}/.test(name)) continue;
      expect(await removeAnnotation(after, 0, KEY), name).toBe(before);
    }
    expect(await removeAnnotation(`metadata:\n  annotations:\n    a: b\n    ${KEY}: x # c\n    c: d\n`, 0, KEY)).toBe(
      'metadata:\n  annotations:\n    a: b\n    c: d\n',
    );
    expect(await removeAnnotation(`metadata: {annotations: {a: b, "${KEY}": x}}\n`, 0, KEY)).toBe('metadata: {annotations: {a: b}}\n');
    expect(await removeAnnotation('metadata:\n  name: a\n', 0, KEY)).toBe('metadata:\n  name: a\n');
  });

  const folder = new URL('../../fixtures/hard-yaml/', import.meta.url);
  test.each(readdirSync(folder))('%s: every object of the hard files, and nothing but one line or value changes', async (file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const before = readDocuments(text, file).objects;
    for (const { object, source } of before) {
      const edited = await setAnnotation(text, source.document, KEY, 'true');
      if (edited === undefined) {
        expect(['noname.yaml']).not.toContain(file);
        continue;
      }
      const after = readDocuments(edited, file).objects;
      const at = before.findIndex((one) => one.source.document === source.document);
      expect(objectAt(after[at]?.object, 'metadata', 'annotations')).toEqual({
        [KEY]: 'true',
        ...objectAt(object, 'metadata', 'annotations'),
      });
      const rest = edited.split(/\r?\n/).filter((line) => !line.includes(KEY) && !/^\s*annotations:/.test(line));
      for (const line of rest) expect(text).toContain(line);
    }
  });
});
