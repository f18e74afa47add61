import { isObject, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { parseDocument } from '../../../src/krm/yaml/parse.ts';

/**
 * What an output says is wrong, each thing in one line: place, object and code — the sentence — and after `try:` what to do.
 * Counts, listings of files and the note that a tenant is frozen repeat it, and are left out.
 */
export function said(text: string): readonly string[] {
  const found: string[][] = [];
  let open = false;
  for (const line of text.split('\n')) {
    if (/^(?: {2}[!?] |error: |stale: )/.test(line)) {
      found.push([line.trim()]);
      open = true;
    } else if (open && /^(?: {4}\S| {2}try: | {2}[+~-] | {2}to mend it|\()/.test(line)) found.at(-1)?.push(line.trim());
    else open = false;
  }
  return found.map((lines) => lines.join(' — '));
}

/** What a function says: its errors on stderr, else the warnings among its results. */
export function saidByFunction(stdout: string, stderr: string): readonly string[] {
  const lines = stderr.split('\n').filter((line) => line !== '');
  if (lines.length > 0 || stdout === '') return lines;
  const { value } = parseDocument(stdout);
  return objectsOf(isObject(value) ? value['results'] : undefined)
    .filter((result) => stringAt(result, 'severity') !== 'info')
    .map((result) => `${stringAt(result, 'severity')}: ${stringAt(result, 'message')}`);
}
