import { describe, isObject, type Json, type JsonObject, own, stringAt } from '../../core/kube/json.ts';
import { isNoObject, type KubeObject } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import type { Finding, InputObject } from '../../core/plan/plan-types.ts';
import type { Source } from '../../core/plan/tenant-context.ts';
import { isConfigObject } from '../../schema/check-config.ts';
import { isConfigKind } from '../../schema/config-kinds.ts';
import { finding } from '../finding.ts';
import { LIMITS } from './limits.ts';
import { listItemLines } from './list-lines.ts';
import { parseDocument } from './parse.ts';
import type { Problem } from './problem.ts';
import { contentOffset, countLines, splitDocuments, type TextSlice } from './split.ts';

/** One document of a file, as text. All slices put together are the file. */
export interface DocumentSlice extends TextSlice {
  /** index of its first object in the file */
  readonly first: number;
  /** objects in it: 0 for an empty document, more than one for a List */
  readonly count: number;
  /** a List, whose items are objects of their own */
  readonly list: boolean;
  /** encrypted with SOPS: its values are no values */
  readonly encrypted: boolean;
}

export interface Documents {
  readonly objects: InputObject[];
  /** what could not be read (errors) or is worth a word (warnings, info), in the order of the text */
  readonly findings: Finding[];
  readonly slices: DocumentSlice[];
}

/**
 * The Kubernetes objects of one file, values as kubectl reads them. A broken document is a finding and does not hide the
 * others. Documents are counted as kpt counts them: empty ones are not, items of a List are.
 * @param path relative to the package, with `/`; it goes into the sources
 */
export function readDocuments(text: string, path: string): Documents {
  const documents: Documents = { objects: [], findings: [], slices: [] };
  if (text.length > LIMITS.fileBytes) {
    const size = `${text.length} characters`;
    documents.findings.push(
      finding(
        'InputTooLarge',
        { path, document: 0 },
        { params: { what: 'The file', size, limit: `${LIMITS.fileBytes}` }, remedy: 'Split the file.' },
      ),
    );
    return documents;
  }
  const left: Finding['severity'][] = [];
  let index = 0;
  for (const slice of splitDocuments(text)) {
    const read = readSlice(text, slice, path, index);
    // no spread: a call takes about a hundred thousand arguments, and a List may hold more
    for (const object of read.objects) documents.objects.push(object);
    for (const found of read.findings) {
      if (documents.findings.length < LIMITS.findings) documents.findings.push(found);
      else left.push(found.severity);
    }
    documents.slices.push(read.slice);
    index += read.slice.count;
  }
  if (left.length > 0) documents.findings.push(notListed(left, path));
  return documents;
}

/** Stands for the findings past the limit, as grave as the gravest of them. */
function notListed(left: readonly Finding['severity'][], path: string): Finding {
  const severity = (['error', 'warning', 'info'] as const).find((grade) => left.includes(grade)) ?? 'info';
  const params = {
    problem: `${left.length} more of its documents are not what they should be.`,
    fix: 'Put those right that are listed first.',
  };
  return finding('InputInvalid', { path, document: 0 }, { params, severity });
}

function readSlice(
  whole: string,
  slice: TextSlice,
  path: string,
  first: number,
): { objects: InputObject[]; findings: Finding[]; slice: DocumentSlice } {
  // a BOM belongs to the stream, not to the document
  const start = slice.start === 0 && whole.charCodeAt(0) === 0xfeff ? 1 : slice.start;
  const text = start === 0 && slice.end === whole.length ? whole : whole.slice(start, slice.end);
  const offset = contentOffset(text);
  const empty = { ...slice, first, count: 0, list: false, encrypted: false };
  if (offset === undefined) return { objects: [], findings: [], slice: empty };
  const line = slice.line + countLines(text, 0, offset);
  const source: Source = { path, document: first, line };
  const parsed = parseDocument(text, LIMITS.documentCharacters);
  const findings = parsed.problems.map((problem) =>
    problemFinding(problem, { ...source, line: slice.line + countLines(text, 0, problem.offset) }),
  );
  const value = parsed.value;
  if (value === undefined) return { objects: [], findings, slice: { ...empty, count: 1 } };
  if (value === null) return { objects: [], findings, slice: empty };
  const encrypted = isEncrypted(value);
  if (isObject(value) && isList(value)) {
    const items = Array.isArray(value['items']) ? value['items'] : [];
    const { items: given } = value;
    if (given !== undefined && given !== null && !Array.isArray(given))
      findings.push(malformed('items', describe(given), 'a list', source));
    const lines = listItemLines(text, items.length);
    const objects: InputObject[] = [];
    items.forEach((item, index) => {
      const at = lines[index];
      const place = { path, document: first + index, line: at === undefined ? line : slice.line + at };
      // whoever writes an item means an object; no tool opens a List in a List
      const nested = isObject(item) && isList(item) ? 'it is a List inside a List' : undefined;
      if (nested === undefined && isObject(item)) add(item, place, objects, findings);
      else findings.push(finding('NotAnObject', place, { params: { why: nested ?? notAnObject(item)?.why ?? '' }, ...LOUD }));
    });
    return { objects, findings, slice: { ...slice, first, count: items.length, list: true, encrypted } };
  }
  const objects: InputObject[] = [];
  add(value, source, objects, findings);
  return { objects, findings, slice: { ...slice, first, count: 1, list: false, encrypted } };
}

/**
 * A value becomes an object where it has apiVersion and kind; else it is a finding. One of a tenant that lacks either is an object all
 * the same: the planner refuses it by name.
 */
function add(value: Json, source: Source, objects: InputObject[], findings: Finding[]): void {
  const problem = notAnObject(value);
  const refused = problem?.missing !== undefined && objectsFolder(source.path) !== undefined && isObject(value) && !isOurs(value);
  if (problem === undefined || refused) objects.push({ object: value as KubeObject, source });
  else
    findings.push(
      problem.missing === undefined
        ? finding('NotAnObject', source, { params: { why: problem.why } })
        : // one of ours that nobody knows the kind of: passed over, it would seem to be gone
          {
            ...malformed(problem.missing, problem.why, 'a string', source),
            ...(isObject(value) && isOurs(value) && { severity: 'error' }),
          },
    );
}

function isOurs(value: JsonObject): boolean {
  return isConfigObject(value) || isConfigKind(stringAt(value, 'kind') ?? '');
}

/** A document that nobody can have meant as it is. */
const LOUD = { severity: 'warning', remedy: 'Write an object with apiVersion and kind, or take it out.' } as const;

function malformed(field: string, found: string, wanted: string, source: Source): Finding {
  return finding('ObjectMalformed', source, {
    params: { pointer: field, found, wanted },
    remedy: `Set ${field}; kubectl would refuse the object.`,
    pointer: `/${field}`,
  });
}

function notAnObject(value: Json): { why: string; missing?: string } | undefined {
  if (!isObject(value)) return { why: value === null ? 'it is null' : Array.isArray(value) ? 'it is a list' : 'it is a single value' };
  const missing = (['apiVersion', 'kind'] as const).filter((key) => !stringAt(value, key));
  if (missing.length === 0) return undefined;
  if (isNoObject(value)) return { why: 'it has neither apiVersion nor kind' };
  const key = missing[0] ?? 'kind';
  const found = own(value, key);
  return { why: found === undefined ? 'missing' : found === null || found === '' ? 'empty' : `a ${typeof found}`, missing: key };
}

/** `kind: List` and typed lists. A custom object whose kind ends in List has a name; a list has none. */
export function isList(object: JsonObject): boolean {
  const kind = stringAt(object, 'kind') ?? '';
  if (kind === 'List') return true;
  return kind.endsWith('List') && Array.isArray(object['items']) && stringAt(object, 'metadata', 'name') === undefined;
}

/** SOPS leaves the structure of a file and adds a top-level `sops` map with its keys and the authentication code. */
export function isEncrypted(value: Json): boolean {
  return isObject(value) && isObject(own(value, 'sops'));
}

function problemFinding(problem: Problem, source: Source): Finding {
  const at = `Line ${source.line ?? 1}`;
  if (problem.kind === 'too-large') {
    const params = { what: `${at}: ${problem.what}`, size: problem.size ?? '', limit: problem.limit ?? '' };
    return finding('InputTooLarge', source, { params, remedy: problem.remedy });
  }
  if (problem.kind === 'warning') {
    return finding('InputInvalid', source, { params: { problem: `${at}: ${problem.what}.` }, remedy: problem.remedy, severity: 'warning' });
  }
  return finding('SyntaxInvalid', source, { params: { problem: `${at}: ${problem.what}.` }, remedy: problem.remedy });
}
