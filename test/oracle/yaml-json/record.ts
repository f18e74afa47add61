import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, askKubectl } from './ask.ts';
import { plainScalars } from './scalars.ts';

// Records what kubectl reads from the hard files and from 12,000 plain scalars.
const FIXTURES: string = fileURLToPath(new URL('../../fixtures', import.meta.url));
const SCALARS = 12_000;

const files = readdirSync(join(FIXTURES, 'hard-yaml')).sort();
/** kubectl cuts a stream at its `---` lines before it parses; so does the recorder. */
const documents = files.flatMap((file) =>
  readFileSync(join(FIXTURES, 'hard-yaml', file), 'utf8')
    .split(/^---[^\n]*\n/m)
    .map((text, index) => ({ file, index, text })),
);
const answers = askKubectl(documents.map(({ text }) => text));
const hard: Record<string, Answer[]> = {};
documents.forEach(({ file }, index) => {
  const answer = answers[index];
  if (answer !== undefined) hard[file] = [...(hard[file] ?? []), answer];
});
writeFileSync(join(FIXTURES, 'yaml-json/hard-yaml.json'), `${JSON.stringify(hard, null, 1)}\n`);

const scalars = plainScalars(SCALARS);
const read = askKubectl(scalars.map((text) => `a: ${text}\n`));
// a string that stays what it is needs no answer
const rows = scalars.map((text, index) => {
  const answer = read[index];
  const value = (answer?.value as { a?: unknown } | undefined)?.a;
  if (answer?.error !== undefined) return JSON.stringify([text, { error: answer.error }]);
  return JSON.stringify(value === `s:${text}` ? [text] : [text, value ?? null]);
});
writeFileSync(join(FIXTURES, 'yaml-json/scalars.json'), `[\n${rows.join(',\n')}\n]\n`);
