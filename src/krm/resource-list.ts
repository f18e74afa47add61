import { isObject, type Json, type JsonObject, own, stringAt } from '../core/kube/json.ts';
import type { Finding } from '../core/plan/plan-types.ts';
import { finding } from './finding.ts';
import { type Item, itemFromText, itemFromValue } from './item.ts';
import { splitSections } from './list-sections.ts';
import { parseDocument } from './yaml/parse.ts';
import type { Problem } from './yaml/problem.ts';

/** A ResourceList as text. Items that nobody touches go out byte for byte. */
export interface ResourceList {
  readonly items: readonly Item[];
  readonly functionConfig: Json | undefined;
  /** top-level sections other than `items` and `results`, in their order; `items` is where `undefined` stands */
  readonly sections: readonly (string | undefined)[];
  /** spaces before the `-` of an item */
  readonly indent: number;
}

export type ListRead = { readonly list: ResourceList } | { readonly problem: Finding };

const API_VERSIONS: ReadonlySet<string> = new Set([
  'config.kubernetes.io/v1',
  'config.kubernetes.io/v1beta1',
  'config.kubernetes.io/v1alpha1',
]);
const SOURCE = { path: '', document: 0 };

/**
 * Reads a ResourceList. Text as kpt and kustomize write it is cut into items by its lines, which is far cheaper than a parse
 * and keeps every byte; another shape (JSON, flow style) is parsed whole, and loses comments.
 */
export function readResourceList(input: string): ListRead {
  const text = input.charCodeAt(0) === 0xfeff ? input.slice(1) : input;
  if (text.trim() === '')
    return refused(
      'The input is empty; a function reads a ResourceList on stdin.',
      'Run it under kpt or kustomize, or pipe the output of kpt fn source into it.',
    );
  const cut = splitSections(text);
  if (cut === undefined) return readWhole(text);
  const head = parseDocument(
    cut.sections
      .filter((section) => section.key !== 'items' && section.key !== 'functionConfig')
      .map((section) => section.text)
      .join(''),
  );
  if (head.value === undefined) return unreadable(head.problems[0]);
  const wrong = notAList(head.value, true);
  if (wrong !== undefined) return wrong;
  const config = cut.sections.find((section) => section.key === 'functionConfig');
  const parsed = config === undefined ? undefined : parseDocument(config.text);
  if (parsed !== undefined && parsed.value === undefined) return unreadable(parsed.problems[0]);
  return {
    list: {
      items: cut.items.map((item) => itemFromText(item, cut.indent)),
      functionConfig: parsed === undefined ? undefined : own(parsed.value as JsonObject, 'functionConfig'),
      sections: cut.sections
        .filter((section) => section.key !== 'results')
        .map((section) => (section.key === 'items' ? undefined : section.text)),
      indent: cut.indent,
    },
  };
}

function readWhole(text: string): ListRead {
  const parsed = parseDocument(text);
  if (parsed.value === undefined) return unreadable(parsed.problems[0]);
  const wrong = notAList(parsed.value, false);
  if (wrong !== undefined) return wrong;
  const value = parsed.value as JsonObject;
  const config = own(value, 'functionConfig');
  return {
    list: {
      items: (own(value, 'items') as Json[]).map((item) => itemFromValue(item)),
      functionConfig: config,
      sections: [
        `apiVersion: ${stringAt(value, 'apiVersion')}\nkind: ResourceList\n`,
        undefined,
        ...(isObject(config) ? [sectionText('functionConfig', config)] : []),
      ],
      indent: 0,
    },
  };
}

function sectionText(key: string, value: JsonObject): string {
  return `${key}: ${JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item))}\n`;
}

/** `itemsKnown`: the items have been cut out of the text already. */
function notAList(value: Json, itemsKnown: boolean): ListRead | undefined {
  const kind = isObject(value) ? stringAt(value, 'kind') : undefined;
  const apiVersion = isObject(value) ? stringAt(value, 'apiVersion') : undefined;
  if (!isObject(value) || kind !== 'ResourceList' || !API_VERSIONS.has(apiVersion ?? '')) {
    const found = kind === undefined ? 'no kind' : `${apiVersion ?? ''} ${kind}`.trim();
    return refused(
      `The input is no ResourceList of config.kubernetes.io/v1 (found ${found}).`,
      'Run the function under kpt or kustomize, or pipe kpt fn source into it.',
    );
  }
  if (itemsKnown) return undefined;
  const items = own(value, 'items');
  if (!Array.isArray(items)) {
    const found = items === undefined ? 'missing' : items === null ? 'null' : 'no list';
    return refused(
      `items of the ResourceList is ${found}; answering it with nothing would delete the whole package.`,
      'Check what feeds the function.',
    );
  }
  return undefined;
}

function unreadable(problem: Problem | undefined): ListRead {
  return refused(`The input cannot be read: ${problem?.what ?? 'no YAML'}.`, problem?.remedy ?? 'Fix the YAML.');
}

function refused(problem: string, fix: string): ListRead {
  return { problem: finding('InputInvalid', SOURCE, { params: { problem, fix } }) };
}
