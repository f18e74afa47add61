import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ROOT } from '../workspace.ts';

export interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run: string;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions: unknown; readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}

interface GitlabJob {
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
}

function example(path: string): string {
  return readFileSync(join(ROOT, 'examples/ci', path), 'utf8');
}

export function action(): Action {
  return load(example('github/action.yml')) as Action;
}

export function workflow(): Workflow {
  return load(example('github/tenantplane.yml')) as Workflow;
}

export function gitlabJob(): GitlabJob {
  const { tenantplane } = load(example('gitlab/tenantplane.gitlab-ci.yml')) as { readonly tenantplane: GitlabJob };
  return tenantplane;
}

/** Expressions of a value with what the runner would put there; one that the test does not know is an error. */
export function filled(value: string, context: Readonly<Record<string, string>>): string {
  return value.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => {
    const known = context[name];
    if (known === undefined) throw new Error(`the test knows no ${whole}`);
    return known;
  });
}

/** Whether the runner would run a step: `==` and `!=` of names and texts, with `&&`, `||` and brackets. No condition is `success()`. */
export function holds(condition: string | undefined, context: Readonly<Record<string, string>>, failed: boolean): boolean {
  if (condition === undefined) return !failed;
  const read = (term: string): string => (term.startsWith("'") ? term.slice(1, -1) : filled(`\${{ ${term} }}`, context));
  const flat = (text: string): string =>
    String(text.split('||').some((either) => either.split('&&').every((both) => both.trim() === 'true')));
  let text = condition
    .replace(/^\$\{\{|\}\}$/g, '')
    .replace(/!cancelled\(\)/g, 'true')
    .replace(/([\w.-]+|'[^']*') ([!=]=) ([\w.-]+|'[^']*')/g, (_, left: string, sign: string, right: string) =>
      String((read(left) === read(right)) === (sign === '==')),
    );
  while (text.includes('(')) text = text.replace(/\(([^()]*)\)/, (_, inner: string) => flat(inner));
  if (!/^[\s&|]*(?:(?:true|false)[\s&|]*)+$/.test(text)) throw new Error(`the test cannot read the condition ${condition}`);
  return flat(text) === 'true';
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** As a runner runs a script: bash that stops at the first failure. Not in this thread, which serves the forge. */
export function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (out += part));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out }));
  });
}
