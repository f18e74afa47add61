import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a test met a code: what was put in, and what was said or done. Both are cells of a table, as Markdown. */
export interface Sighting {
  readonly input: string;
  readonly said: string;
  readonly page: string;
}

/** Tables of tests among the pages: the column of the input and that of the answer. */
const TABLES = [
  { page: 'errors-table.md', input: 0, said: 1 },
  { page: 'threat-cases.md', input: 1, said: 3 },
  { page: 'code-examples.md', input: 1, said: 2 },
] as const;

/** The first sighting of each code, by the order of the tables. */
export function sightings(docs: string): ReadonlyMap<string, Sighting> {
  const found = new Map<string, Sighting>();
  for (const { page, input, said } of TABLES) {
    for (const line of readFileSync(join(docs, page), 'utf8').split('\n')) {
      if (!line.startsWith('| ')) continue;
      const row = line.slice(2, line.lastIndexOf(' |')).split(' | ');
      for (const [code] of (row[said] ?? '').matchAll(/\bTP\d{4}\b/g))
        if (!found.has(code)) found.set(code, { input: row[input] ?? '', said: row[said] ?? '', page });
    }
  }
  return found;
}
