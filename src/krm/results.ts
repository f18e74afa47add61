import type { Json, JsonObject } from '../core/kube/json.ts';
import { emitYaml } from './yaml/emit.ts';

export type ResultSeverity = 'error' | 'warning' | 'info';

/** One result of a KRM function (functions specification, `results`). */
export interface Result {
  /** one line */
  readonly message: string;
  readonly severity: ResultSeverity;
  readonly resourceRef?: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly namespace?: string };
  /** scalars only: newer kpt stores both values as strings */
  readonly field?: { readonly path: string; readonly currentValue?: string };
  readonly file?: { readonly path: string; readonly index: number };
  readonly tags?: Readonly<Record<string, string>>;
}

/** kpt shows four lines of results, and a reviewer reads no thousand of them; the ledger has all. */
export const MOST_RESULTS = 500;
const RANK: Readonly<Record<ResultSeverity, number>> = { error: 0, warning: 1, info: 2 };

/** Errors first, then by file and index as kyaml sorts them; equal ones in the order they came. */
export function sortResults(results: readonly Result[]): Result[] {
  return [...results].sort(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] ||
      compare(a.file?.path ?? '', b.file?.path ?? '') ||
      (a.file?.index ?? 0) - (b.file?.index ?? 0) ||
      compare(a.tags?.['code'] ?? '', b.tags?.['code'] ?? ''),
  );
}

/** The first of them, and a line that says how many there are besides, as grave as the gravest left out. */
export function capResults(sorted: readonly Result[]): readonly Result[] {
  if (sorted.length <= MOST_RESULTS) return sorted;
  const shown = sorted.slice(0, MOST_RESULTS - 1);
  const rest = sorted.slice(MOST_RESULTS - 1);
  const count = (severity: ResultSeverity): number => rest.filter((result) => result.severity === severity).length;
  const parts = (['error', 'warning', 'info'] as const)
    .filter((severity) => count(severity) > 0)
    .map((severity) => `${count(severity)} ${severity}`);
  const message = `and ${rest.length} more (${parts.join(', ')}); tenantplane render --ledger shows all of them`;
  return [...shown, { message, severity: rest[0]?.severity ?? 'info', tags: { kind: 'more' } }];
}

/** The `results` section of a ResourceList; empty text where there are none. */
export function resultsText(results: readonly Result[]): string {
  return results.length === 0 ? '' : emitYaml({ results: results.map(resultObject) });
}

export function resultObject(result: Result): JsonObject {
  const { message, severity, resourceRef, field, file, tags } = result;
  const json: JsonObject = { message: oneLine(message), severity };
  if (resourceRef !== undefined) json['resourceRef'] = printable(resourceRef);
  if (field !== undefined) json['field'] = printable(field);
  if (file !== undefined) json['file'] = printable(file);
  if (tags !== undefined) json['tags'] = printable(tags);
  return json;
}

/** kpt prints names, fields and files of results as it prints the message, and names are the tenant's. */
function printable(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? oneLine(value) : value]));
}

/** kpt prints messages as they are, to a terminal: one line, no control characters. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, ' ');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
