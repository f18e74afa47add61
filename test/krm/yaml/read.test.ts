import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../../src/krm/yaml/read.ts';

const CM = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
const places = (text: string): unknown[] =>
  readDocuments(text, 'f.yaml').objects.map(({ object, source }) => [
    (object['metadata'] as { name: string }).name,
    source.document,
    source.line,
  ]);

describe('documents of a file', () => {
  test('are counted as kpt counts them, and know their lines', () => {
    expect(places(`# head\n\n---\n${CM('a')}---\n# nothing\n---\n\n${CM('b')}...\n---\n${CM('c')}`)).toEqual([
      ['a', 0, 4],
      ['b', 1, 12],
      ['c', 2, 18],
    ]);
  });

  test('a comment-only or empty document stays as a slice, so that nobody loses it', () => {
    const text = `# licence\n---\n${CM('a')}---\n---\n# tail\n`;
    const { slices } = readDocuments(text, 'f.yaml');
    expect(slices.map(({ start, end, count }) => [text.slice(start, end).split('\n')[0], count])).toEqual([
      ['# licence', 0],
      ['---', 1],
      ['---', 0],
      ['---', 0],
    ]);
  });

  test('--- inside a block scalar is no boundary, at the start of a line it always is', () => {
    expect(readDocuments(`${CM('a')}data:\n  t: |\n    ---\n    x\n    ...\n`, 'f.yaml').objects).toHaveLength(1);
    expect(readDocuments(`a: "x\n---\ny"\n`, 'f.yaml').findings.map(({ code }) => code)).toEqual(['TP9013', 'TP2021']);
  });

  test('a BOM and CRLF change no value', () => {
    const [object] = readDocuments(`\uFEFF${CM('a')}data:\n  t: |\n    x\n    y\n`.replaceAll('\n', '\r\n'), 'f.yaml').objects;
    expect(object?.object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { t: 'x\ny\n' } });
  });

  test('items of a List are objects with lines of their own', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n# comment\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n`;
    expect(places(`${list}---\n${CM('c')}`)).toEqual([
      ['a', 0, 4],
      ['b', 1, 9],
      ['c', 2, 13],
    ]);
    expect(
      places(
        `apiVersion: v1\nkind: ConfigMapList\nitems: [${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } })}]\n`,
      ),
    ).toEqual([['x', 0, 1]]);
    expect(readDocuments('apiVersion: v1\nkind: List\nitems: null\n', 'f.yaml')).toMatchObject({ objects: [], findings: [] });
    expect(places('apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: own}\nitems: [a]\n')).toEqual([['own', 0, 1]]);
  });

  test('a broken document does not hide the others', () => {
    const { objects, findings } = readDocuments(`${CM('a')}---\na: [\n---\n${CM('b')}`, 'f.yaml');
    expect(objects.map(({ source }) => source.document)).toEqual([0, 2]);
    expect(findings.map(({ source, code }) => [source.line, code])).toEqual([[7, 'TP9013']]);
  });

  test('__proto__, constructor, n and on are keys like others', () => {
    const { objects } = readDocuments(
      `${CM('a')}data:\n  __proto__: p\n  constructor: c\n  toString: t\n  "n": "n"\n  "on": o\n  n: kubectl reads false\n`,
      'f.yaml',
    );
    const data = objects[0]?.object['data'] as Record<string, string>;
    expect(Object.entries(data)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['toString', 't'],
      ['n', 'n'],
      ['on', 'o'],
      ['false', 'kubectl reads false'],
    ]);
    expect(({} as { p?: string }).p).toBeUndefined();
  });

  test('merge keys are followed, and the key that stands there wins', () => {
    const { objects } = readDocuments(`${CM('a')}x: &x {a: "1", b: "2"}\ndata:\n  <<: *x\n  b: "3"\n`, 'f.yaml');
    expect(objects[0]?.object['data']).toEqual({ a: '1', b: '3' });
  });

  test('aliases give copies, so that a change in one place stays there', () => {
    const { objects } = readDocuments(`${CM('a')}v: &v {a: "1"}\nw: *v\n`, 'f.yaml');
    expect(objects[0]?.object['w']).toEqual(objects[0]?.object['v']);
    expect(objects[0]?.object['w']).not.toBe(objects[0]?.object['v']);
  });

  test('a SOPS file is recognised', () => {
    const { slices } = readDocuments(`${CM('a')}data: {k: "ENC[AES256_GCM,data:x]"}\nsops:\n  mac: x\n`, 'f.yaml');
    expect(slices.map(({ encrypted }) => encrypted)).toEqual([true]);
  });

  test('a file of JSON is read like YAML, big numbers and escapes included', () => {
    const { objects } = readDocuments(
      '{\n\t"apiVersion": "v1",\n\t"kind": "A",\n\t"n": 9007199254740993,\n\t"s": "\\ud83d\\ude00\\/"\n}\n',
      'f.json',
    );
    expect(objects[0]?.object).toEqual({ apiVersion: 'v1', kind: 'A', n: 9007199254740993n, s: '😀/' });
  });

  test('a document that is no object of Kubernetes is said, not refused; half of one is', () => {
    expect(
      readDocuments('foo: bar\n---\n- a\n---\nx\n---\nkind: Pod\n---\napiVersion: 1\nkind: Pod\n', 'v.yaml').findings.map(
        ({ code, severity, message }) => `${code} ${severity} ${message}`,
      ),
    ).toEqual([
      'TP2021 info The document is no Kubernetes object (it has neither apiVersion nor kind).',
      'TP2021 info The document is no Kubernetes object (it is a list).',
      'TP2021 info The document is no Kubernetes object (it is a single value).',
      'TP9010 warning apiVersion is missing, not a string.',
      'TP9010 warning apiVersion is a number, not a string.',
    ]);
  });
});
