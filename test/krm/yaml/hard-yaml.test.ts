import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/krm/yaml/parse.ts';
import { readDocuments } from '../../../src/krm/yaml/read.ts';
import { type Answer, marked } from '../../oracle/yaml-json/ask.ts';

const FOLDER = new URL('../../fixtures/hard-yaml/', import.meta.url);
const ANSWERS: Record<string, readonly Answer[]> = JSON.parse(
  readFileSync(new URL('../../fixtures/yaml-json/hard-yaml.json', import.meta.url), 'utf8'),
);
const FILES = readdirSync(FOLDER).sort();
const text = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** Files that we and kubectl judge differently, and why that is meant. */
const ON_PURPOSE: Readonly<Record<string, string>> = {
  'dupkey.yaml': 'kubectl keeps the last of two equal keys; we refuse both',
  'scalars.yaml': 'both refuse: kubectl for .inf, we already for `yes` and `on`, which are one key to kubectl',
  'directive.yaml': 'kubectl cuts the stream before it sees the directive, and fails',
  'tabs.yaml': 'a tab that begins a line of a literal block is legal YAML; kubectl’s parser has a bug there',
};

describe('the hard files', () => {
  test('are 33', () => expect(FILES).toHaveLength(33));

  test.each(FILES)('%s: the slices are the file', (file) => {
    const whole = text(file);
    const { slices } = readDocuments(whole, file);
    expect(slices.map(({ start, end }) => whole.slice(start, end)).join('')).toBe(whole);
  });

  test.each(FILES.filter((file) => !Object.hasOwn(ON_PURPOSE, file)))('%s: values as kubectl reads them', (file) => {
    const whole = text(file).replace(/^\uFEFF/, '');
    const { slices } = readDocuments(whole, file);
    const ours = slices
      .filter(({ count }) => count > 0)
      .map(({ start, end }) => parseDocument(whole.slice(start, end)).value)
      .map((value) => (value === undefined ? 'refused' : marked(value)));
    const kubectl = (ANSWERS[file] ?? [])
      .filter((answer) => answer.null !== true)
      .map((answer) => (answer.error === undefined ? answer.value : 'refused'));
    expect(ours).toEqual(kubectl);
  });

  test('what is judged differently on purpose', () => {
    const judged = Object.keys(ON_PURPOSE).map((file) => {
      const { objects, findings } = readDocuments(text(file), file);
      return [
        file,
        ANSWERS[file]?.map(({ error }) => error ?? 'read'),
        objects.map(({ object }) => object['data']),
        findings.map(({ message }) => message),
      ];
    });
    expect(judged).toEqual([
      ['dupkey.yaml', ['read'], [], ['Line 7: the key a stands twice in one map; kubectl would keep one of them without a word.']],
      [
        'scalars.yaml',
        ['json: unsupported value: +Inf'],
        [],
        ['Line 9: the key on stands twice in one map; kubectl would keep one of them without a word.'],
      ],
      ['directive.yaml', ['yaml: line 1: did not find expected <document start>', 'read'], [{ a: 'b' }], []],
      ['tabs.yaml', ['yaml: line 7: found a tab character where an indentation space is expected'], [{ a: '\tindented\nx\t\n' }], []],
    ]);
  });
});
