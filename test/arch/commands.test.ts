import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const VERBS =
  'kubectl (?:get|patch|apply|describe|logs|wait|delete)|git (?:log|show|diff|checkout|check-ignore)|kubeseal|tenantplane [a-z][a-z-]+';
const FLAGS = '(?:-n|--namespace|--tenant|--tenant-namespace|--virtual-namespace)(?= \\$)';
const COMMAND = new RegExp(`${VERBS}|(?<=[ \`(])${FLAGS}`);
/** What was quoted where it was made, what no tenant or file is asked for, and a script that has its own way to quote. */
const KNOWN: readonly RegExp[] = [
  /^src\/cli\/completion\/scripts\.ts: /,
  /^src\/cli\/commands\/(generators|gitops-generators)\.ts: tenantplane render … (command|path)$/,
  /^src\/cli\/commands\/why-options\.ts: --tenant-namespace … tenantNamespace$/,
  /^src\/cli\/why\/not-found\.ts: tenantplane (tree|why-not) … at$/,
  // words of the package, each quoted by packageWords
  /^src\/cli\/\S+\.ts: tenantplane [\w-]+ … (\w+\.)?(again|packageWords)$/,
  /^src\/cli\/usage-hints\.ts: /,
  /^src\/cli\/audit\/bundle-readme\.ts: git show … git\.commit$/,
  /^src\/cli\/doctor\/(folder|repository)-checks\.ts: tenantplane (render|validate|doctor) … words$/,
  /^src\/cli\/doctor\/host-checks\.ts: tenantplane facts … reach/,
  /^src\/cli\/explain\/host-object\.ts: tenantplane explain-sync … (at|flags)$/,
  /^src\/core\/translate\/kinds\/sealed-secret\.ts: kubeseal … scope$/,
];

/** Expressions that are filled into a text behind a command, and are not quoted for a shell. */
function unquoted(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const found = COMMAND.exec(line);
    if (found === null || /^\s*(\/\/|\*|\/\*)/.test(line)) return [];
    // an inner text is quoted as a whole, and the end of an element is the end of its command
    const rest = line.slice(found.index).replace(/shellWord\(`[^`]*`\)|<.*/g, 'shellWord()');
    return [...rest.matchAll(/\$\{(?!shellWord\()([^}`]*)/g)].map(([, expression]) => `${found[0].trim()} … ${expression}`);
  });
}

test('what is filled into a command that people paste is one word of it', () => {
  const found = sourceFiles('src').flatMap(({ path, text }) => unquoted(text).map((what) => `${path}: ${what}`));
  expect(found.filter((what) => !KNOWN.some((known) => known.test(what)))).toEqual([]);
  expect(KNOWN.filter((known) => !found.some((what) => known.test(what))).map(String)).toEqual([]);
});

test('one that is not is seen', () => {
  const fill = (expression: string): string => `$${`{${expression}}`}`;
  expect(unquoted(`\`tenantplane why ${fill('name')} ${fill('shellWord(x)')}\``)).toEqual(['tenantplane why … name']);
  expect(unquoted(`\`(-n ${fill('namespace')})\``)).toEqual(['-n … namespace']);
  expect(unquoted(`\`tenantplane why ${fill('shellWord(name)')}\``)).toEqual([]);
});
