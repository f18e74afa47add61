import { oneLine, type Result, type ResultSeverity, sortResults } from './results.ts';

/** No more of each than fit a screen. */
const MOST_LINES = 20;

/**
 * What a function says on stderr, one line each: its errors, and its warnings where who runs it shows no results (kustomize
 * shows stderr alone, so a refused object would be missing without a word). What was refused comes first; notes are left out.
 */
export function spokenResults(results: readonly Result[], resultsShown: boolean): readonly string[] {
  const sorted = sortResults(results);
  const errors = sorted.filter((result) => result.severity === 'error');
  const warnings = resultsShown ? [] : sorted.filter((result) => result.severity === 'warning').sort(refusedFirst);
  return [...capped(errors, 'error'), ...capped(warnings, 'warning')].map(oneLine);
}

function capped(results: readonly Result[], severity: ResultSeverity): readonly string[] {
  const lines = results.slice(0, MOST_LINES).map((result) => `${severity}: ${placeOf(result)}${result.message}`);
  const more = results.length - MOST_LINES;
  return more > 0 ? [...lines, `and ${more} more ${severity}${more === 1 ? '' : 's'}`] : lines;
}

/** `tenants/dev/objects/web.yaml: Deployment shop/web (spec.hostPID): `, as much of it as is known. */
function placeOf({ file, resourceRef, field }: Result): string {
  const name = resourceRef?.namespace === undefined ? resourceRef?.name : `${resourceRef.namespace}/${resourceRef.name}`;
  const object = resourceRef === undefined ? '' : `${resourceRef.kind} ${name}${field === undefined ? '' : ` (${field.path})`}: `;
  return `${file === undefined ? '' : `${file.path}: `}${object}`;
}

function refusedFirst(a: Result, b: Result): number {
  return Number(isRefusal(b)) - Number(isRefusal(a));
}

function isRefusal({ tags }: Result): boolean {
  return (tags?.['disposition'] ?? 'Planned') !== 'Planned';
}
