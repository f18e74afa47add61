import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { isAnswerFormat } from '../../../src/report/answer/format-names.ts';
import { obeyed } from '../../report/answer/markdown-sinks.ts';
import { obeyedByRunners, SINKS, UNSEEN } from '../../report/answer/sinks.ts';
import { PLATFORM, tenantplane, tenantYaml } from '../harness.ts';
import { repository } from '../review/repository.ts';
import { ask, COMMANDS, type Told } from './questions.ts';

/** What a terminal, a workflow's log, a browser, an eye or Markdown would obey, in an escape of YAML where it has to be. */
const EVIL =
  '\\e[2J\\e]8;;http://evil.example\\a\\u202e\\u200b\\n::error::x\\n##vso[task.complete]y ##[error]z section_start:1:a\\n</script><img src=x onerror=alert(1)> @everyone | ``` [a](http://evil.example)';
const POD = (more: string): string => `apiVersion: v1
kind: Pod
metadata: {name: evil, annotations: {"evil/x": "${EVIL}"}, labels: {"a": "${EVIL}"}}
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
  - name: "${EVIL}"
    image: "${EVIL}"
    ports: [{containerPort: 80, name: "${EVIL}"}]
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
${more}`;
/** Rendered, so that it can be reached. */
const PLAIN = POD('')
  .replace('name: evil,', 'name: plain,')
  .replace(/, labels: .*\}\}/, '}')
  .replace('- name: "', '- name: ok\n    command: ["')
  .replace(/(command: .*)/, '$1]')
  .replace(/ports: .*/, 'ports: [{containerPort: 80}]');
const OBJECTS = (key: string): string => `${POD('')}---
${PLAIN}---
${POD(`  volumes: [{name: "${EVIL}", hostPath: {path: "${EVIL}"}}]\n`).replace('name: evil', 'name: mount')}---
apiVersion: v1
kind: ConfigMap
metadata: {name: words, annotations: {"evil/x": "${EVIL}"}}
data: {"${key}": "${EVIL}"}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: evil}
spec: {podSelector: {matchLabels: {a: "${EVIL}"}}, ingress: [{from: [{podSelector: {matchLabels: {b: "${EVIL}"}}}]}]}
---
apiVersion: "v1"
kind: "${EVIL}"
metadata: {name: "${EVIL}"}
`;
const LISTED = '  - {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, direction: toHost}\n';
// a path can hold all that a file's name can
const FILE = 'tenants/dev/objects/evil\u202e\u200b @everyone [a](b) `x` <img>\n::error::##[z] ##vso[y]y.yaml';

const OWN = ['--tenant', 'dev'];
const QUESTIONS: readonly (readonly [command: string, ...words: string[]])[] = [
  // first, so that there is a tree
  ['render', '--fail-on', 'never'],
  ['validate'],
  ['explain-sync', ...OWN, '-f', FILE, '--trace', '--fields'],
  ['why', FILE, '--git'],
  ['why', 'cm/words', ...OWN, '--field', '/data'],
  ['why', 'cm/words', ...OWN, '--field', '/metadata/annotations'],
  ['why', 'pod/evil', ...OWN, '--field', '/spec'],
  ['why-not', FILE],
  ['why-not', 'pod/\u202eevil\u001b[2J', ...OWN],
  ['isolation', 'dev'],
  ['tree', 'dev'],
  ['graph', 'dev'],
  ['reach', 'internet', 'dev:pod/plain'],
  ['reach'],
  ['diff', 'HEAD~1..HEAD'],
  ['what-if', '--set', 'SyncPolicy/default:spec.resources=[]'],
  ['what-if', '--set', 'IsolationProfile/restricted:spec.level=baseline'],
  ['pr-comment', 'HEAD~1..HEAD'],
  ['report html'],
  ['report html', '.', 'HEAD~1..HEAD'],
  ['audit verify', '--require-ledger'],
  ['audit export'],
  ['doctor'],
];

/** A copy of the input is what it is; all else that is printed is looked at. */
const COPIES: ReadonlySet<string> = new Set(['files']);

function hostilePackage(file: string): string {
  const { root, commit } = repository();
  commit({ 'platform.yaml': PLATFORM + LISTED, 'tenants/dev/tenant.yaml': tenantYaml('dev'), [file]: OBJECTS('k') });
  commit({ [file]: OBJECTS(EVIL) }, 'evil\u001b[31m ::error::\u202e');
  return root;
}

/** What is wrong with a text by its format. */
function wrong({ format, text }: Told): readonly unknown[] {
  if (COPIES.has(format)) return [];
  const unseen = [...text.replaceAll('\n', '')].filter((character) => UNSEEN.test(character));
  // github is for a runner, and a page is a file for a browser; the lines of any other may stand in a log
  const commands = format === 'github' || format === 'page' ? [] : obeyedByRunners(text);
  return [...unseen, ...commands, ...byFormat(format, text)];
}

function byFormat(format: string, text: string): readonly unknown[] {
  if (format === 'page') return /<(img|iframe|object|embed|base|form|link)\b/i.exec(text.replace(/<script>[\s\S]*?<\/script>/g, '')) ?? [];
  if (format === 'json') JSON.parse(text);
  if (format === 'yaml') loadAll(text);
  if (format === 'ndjson') for (const line of text.split('\n').filter(Boolean)) JSON.parse(line);
  if (format === 'markdown') return obeyed(text);
  return isAnswerFormat(format) ? (SINKS[format]?.(text) ?? []) : [];
}

test('what a tenant or a commit says is only text, in every format of every command', async () => {
  const root = hostilePackage(FILE);
  // evidence is not written of names that no archive could hold
  const named = hostilePackage('tenants/dev/objects/evil.yaml');
  await tenantplane(['render', '-q', '--ledger', '--fail-on', 'never'], { cwd: named });
  const met = new Set<string>();
  const answered = new Set<string>();
  for (const [command, ...words] of QUESTIONS) {
    const told = await ask(command === 'audit export' ? named : root, { command, words });
    if (told.every((each) => each.answered)) answered.add(command);
    if (told.some(({ text }) => text.includes('evil.example'))) met.add(command);
    const faults = told.flatMap((each) => wrong(each).map((what) => `${each.line} [${each.format}]: ${String(what).slice(0, 300)}`));
    expect.soft(faults).toEqual([]);
  }
  expect([...answered].sort()).toEqual([...COMMANDS].sort());
  // a test that never meets what it looks for proves nothing
  expect([...met]).toEqual(expect.arrayContaining(['validate', 'why', 'diff', 'pr-comment', 'report html', 'render']));
}, 180_000);
