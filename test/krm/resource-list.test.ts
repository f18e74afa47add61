import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderFunction as renderPieces } from '../../src/krm/render-function.ts';
import { readResourceList } from '../../src/krm/resource-list.ts';
import type { Result } from '../../src/krm/results.ts';
import { splitDocuments } from '../../src/krm/yaml/split.ts';

async function renderFunction(...args: Parameters<typeof renderPieces>): Promise<{ text: string; results: readonly Result[] }> {
  const { pieces, results } = await renderPieces(...args);
  return { text: pieces.join(''), results };
}

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n';
const item = (body: string, indent = ''): string => `${indent}- ${body.trimEnd().replace(/\n(?=[^\n])/g, `\n${indent}  `)}\n`;

/** A list of objects without a tenant: everything passes through. */
async function pass(text: string): Promise<string> {
  const { text: out } = await renderFunction('render-tenant', text);
  return out.replace(/^results:\n(?:[- ].*\n)*/m, '');
}

describe('a ResourceList through the function', () => {
  const folder = new URL('../fixtures/hard-yaml/', import.meta.url);
  /** what can stand as an item: block style, one document, no directive */
  const bodies = readdirSync(folder)
    .filter((file) => !/^(bom|crlf|directive|empty|emptydocs|onlycomment|flow|helm|dupkey|nonstrkey|scalars)\.yaml$/.test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8').replace(/^(?:#.*\n|\n)+/, ''))
    .filter((text) => splitDocuments(text).length === 1);

  test.each(['', '  '])('hard files as items come out byte for byte (indent %j)', async (indent) => {
    const text = `${HEAD}items:\n${bodies.map((body) => item(body, indent)).join('')}`;
    expect(bodies.length).toBeGreaterThan(18);
    expect(await pass(text)).toBe(text);
  });

  test('comments between items, config behind the items, a wide list and no final line break survive', async () => {
    const text = `${HEAD}items:\n# first\n- apiVersion: v1\n  kind: A # c\n  metadata:\n    name: a\n\n# second\n# line\n- apiVersion: v1\n  kind: B\n  metadata: {name: b}\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap # x\n  metadata:\n    name: c`;
    expect(await pass(text)).toBe(`${text}\n`);
    expect(readResourceList(text)).toMatchObject({
      list: { items: [{ text: expect.stringMatching(/^# first/) }, { text: expect.stringMatching(/^# second/) }] },
    });
  });

  test('old results are not handed on', async () => {
    const out = await renderFunction(
      'render-tenant',
      `${HEAD}items:\n- apiVersion: v1\n  kind: A\n  metadata: {name: a}\nresults:\n- message: old\n`,
    );
    expect(out.text).not.toContain('message: old');
  });

  test('JSON and flow style are understood', async () => {
    const list = {
      apiVersion: 'config.kubernetes.io/v1',
      kind: 'ResourceList',
      items: [{ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } }],
      functionConfig: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { failOn: 'never' } },
    };
    expect(await pass(JSON.stringify(list))).toBe(
      `${HEAD}items:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\nfunctionConfig: ${JSON.stringify(list.functionConfig)}\n`,
    );
    expect(await pass(`${HEAD}items: []\n`)).toBe(`${HEAD}items: []\n`);
  });

  test.each([
    [
      'empty input',
      '',
      'TP9001 InputInvalid: The input is empty; a function reads a ResourceList on stdin. Run it under kpt or kustomize, or pipe the output of kpt fn source into it.',
    ],
    [
      'blank input',
      ' \n\n',
      'TP9001 InputInvalid: The input is empty; a function reads a ResourceList on stdin. Run it under kpt or kustomize, or pipe the output of kpt fn source into it.',
    ],
    [
      'no items',
      HEAD,
      'TP9001 InputInvalid: items of the ResourceList is missing; answering it with nothing would delete the whole package. Check what feeds the function.',
    ],
    [
      'items: null',
      `${HEAD}items:\n`,
      'TP9001 InputInvalid: items of the ResourceList is null; answering it with nothing would delete the whole package. Check what feeds the function.',
    ],
    [
      'items that are a map',
      `${HEAD}items: {a: b}\n`,
      'TP9001 InputInvalid: items of the ResourceList is no list; answering it with nothing would delete the whole package. Check what feeds the function.',
    ],
    [
      'another object',
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n',
      'TP9001 InputInvalid: The input is no ResourceList of config.kubernetes.io/v1 (found v1 Pod). Run the function under kpt or kustomize, or pipe kpt fn source into it.',
    ],
    [
      'two sections of items',
      `${HEAD}items:\n- a: 1\nitems:\n- b: 1\n`,
      'TP9001 InputInvalid: The input cannot be read: the key items stands twice in one map; kubectl would keep one of them without a word. Delete one of the two.',
    ],
    [
      'garbage',
      '%%%\u0001',
      'TP9001 InputInvalid: The input cannot be read: U+0001 is a control character, which YAML does not allow. Remove it, or write it as an escape inside double quotes.',
    ],
  ])('%s is refused, and nothing is printed', async (_name, text, message) => {
    const out = await renderFunction('render-tenant', text);
    expect(out).toEqual({ text: '', results: [expect.objectContaining({ severity: 'error', message })] });
  });

  test.each([
    ['a broken item', '- apiVersion: v1\n  kind: [\n', 'TP9013 SyntaxInvalid: In the item: '],
    [
      'a path out of the package',
      "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations:\n      internal.config.kubernetes.io/path: '../x.yaml'\n",
      'TP9012 PathNotAllowed: Path "../x.yaml" is not allowed: it leads out of the package (..). Fix the path.',
    ],
    [
      'paths that contradict each other',
      "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations:\n      internal.config.kubernetes.io/path: 'a.yaml'\n      config.kubernetes.io/path: 'b.yaml'\n",
      'TP9012 PathNotAllowed: Path "a.yaml" is not allowed: its legacy and internal path annotations contradict each other. Fix the path.',
    ],
    [
      'a bomb',
      `- apiVersion: v1\n  kind: A\n  a: &a [${'x, '.repeat(900)}]\n  b: [${'*a, '.repeat(900)}]\n`,
      'TP9011 InputTooLarge: In the item: the document with its aliases expanded is',
    ],
  ])('%s is an error, and the list comes back as it was', async (_name, items, message) => {
    const text = `${HEAD}items:\n${items}`;
    const out = await renderFunction('render-tenant', text);
    expect(out.results.filter(({ severity }) => severity === 'error').map((result) => result.message.slice(0, message.length))).toEqual([
      message,
    ]);
    expect(out.text.startsWith(text)).toBe(true);
  });

  test.each([
    ['a misspelt field', 'apiVersion: fn.tenantplane.io/v1alpha1\n  kind: RenderTenant\n  spec: {failsOn: never}', 'failsOn'],
    ['another kind', 'apiVersion: v1\n  kind: Secret', 'Secret'],
    ['a ConfigMap with a wrong value', 'apiVersion: v1\n  kind: ConfigMap\n  data: {failOn: sometimes}', 'sometimes'],
  ])('config with %s is an error result', async (_name, config, word) => {
    const out = await renderFunction(
      'render-tenant',
      `${HEAD}items:\n- apiVersion: v1\n  kind: A\n  metadata: {name: a}\nfunctionConfig:\n  ${config}\n`,
    );
    expect(out.results).toEqual([expect.objectContaining({ severity: 'error', message: expect.stringContaining(word) })]);
    expect(out.text).toContain('kind: A');
  });
});
