/**
 * The candidate that a misspelt word was probably meant to be, or undefined where none is near: at most a third of the
 * word's letters may differ (one at least). A swap of neighbours counts once. Of equals, the first wins.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = candidate.toLowerCase() === lower ? 0 : editDistance(lower, candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** The field that a word was meant to be: one spelt nearly so, or else the only one that it begins, that begins it, or that holds it. */
export function nearestField(word: string, fields: readonly string[]): string | undefined {
  return nearest(word, fields) ?? onlyPart(word.toLowerCase(), fields);
}

function onlyPart(word: string, fields: readonly string[]): string | undefined {
  if (word.length < SHORTEST || word.length > 64) return undefined;
  const sorts = [
    (field: string) => field.startsWith(word) || (field.length >= SHORTEST && word.startsWith(field)),
    (field: string) => field.includes(word),
  ];
  for (const fits of sorts) {
    const found = fields.filter((field) => fits(field.toLowerCase()));
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** Shorter words are part of too many. */
const SHORTEST = 4;

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, (before[j - 2] ?? 0) + 1);
      row.push(value);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
