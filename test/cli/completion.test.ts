import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandModel, everyCommand } from '../../src/cli/completion/command-model.ts';
import { moreWords } from '../../src/cli/completion/more-words.ts';
import { createProgram } from '../../src/cli/program.ts';
import { MAIN, tenantplane, twoTenants } from './harness.ts';

async function script(shell: string): Promise<string> {
  const { code, out } = await tenantplane(['completion', shell]);
  expect(code).toBe(0);
  return out;
}

describe('bash', () => {
  /** What a press of Tab behind `line` offers. */
  async function offered(line: string): Promise<string[]> {
    const words = line.split(' ');
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const call = `${await script('bash')}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tenantplane; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', call], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trimEnd().split('\n');
  }

  test.each([
    ['tenantplane va', ['validate']],
    ['tenantplane explain-', ['explain-sync', 'explain-code']],
    ['tenantplane render --fail-on re', ['rejected', 'refused']],
    ['tenantplane render tenantcluster dev --mode ', ['shared', 'dedicated', 'private']],
    ['tenantplane render --che', ['--check']],
    ['tenantplane render application --che', ['']],
    ['tenantplane render kustomization --p', ['--path']],
    ['tenantplane render tenantcluster dev --te', ['']],
    ['tenantplane completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['tenantplane validate -o g', ['github', 'gitlab']],
    ['tenantplane render --report s', ['sarif=']],
    ['tenantplane why --report s', ['sarif=', 'svg=']],
    ['tenantplane audit verify --report ju', ['junit=']],
    ['tenantplane render -o s', ['stdout']],
    ['tenantplane schema Sync', ['SyncPolicy', 'SyncDecision']],
    ['tenantplane explain-code TP300', ['TP3001', 'TP3002', 'TP3003', 'TP3004', 'TP3005', 'TP3006', 'TP3007', 'TP3008', 'TP3009']],
    ['tenantplane explain-code HostPathB', ['HostPathBlocked']],
    ['tenantplane explain-sync --kind Deplo', ['Deployment']],
    ['tenantplane help val', ['validate']],
    ['tenantplane reach inter', ['internet']],
    ['tenantplane reach -o nd', ['ndjson']],
    ['tenantplane wh', ['what-if', 'why', 'why-not']],
    ['tenantplane render appl', ['application', 'applicationset']],
    ['tenantplane render kustomization --sou', ['--source']],
    ['tenantplane render application -o ', ['yaml', 'json']],
    ['tenantplane --color ', ['auto', 'always', 'never']],
  ])('%s', async (line, wanted) => {
    expect(await offered(line)).toEqual(wanted);
  });
});

describe('names of the package', () => {
  const POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n';
  const EVIL = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "a$(touch pwned)"}\n';

  async function offered(line: string): Promise<string[]> {
    const root = twoTenants({ 'tenants/dev/objects/web.yaml': `${POD}---\n${EVIL}` });
    const words = line.split(' ');
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const run = `tenantplane() { '${process.execPath}' --import '${import.meta.resolve('tsx')}' '${MAIN}' "$@"; }`;
    const call = `${run}\n${await script('bash')}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tenantplane; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', call], { encoding: 'utf8', cwd: root });
    expect({ status, stderr, evil: existsSync(join(root, 'pwned')) }).toEqual({ status: 0, stderr: '', evil: false });
    return stdout.trimEnd().split('\n');
  }

  test.each([
    ['tenantplane why c', ['configmap/a', 'configmap/b']],
    ['tenantplane why-not po/', ['po/web']],
    ['tenantplane why --tenant qa cm/', ['cm/b']],
    ['tenantplane isolation ', ['dev', 'qa']],
    ['tenantplane tree q', ['qa']],
    ['tenantplane reach pod', ['pod/web']],
    ['tenantplane reach d', ['dns', 'dev']],
    ['tenantplane reach dev interne', ['internet']],
    ['tenantplane why nothing/', ['']],
  ])('%s', async (line, wanted) => {
    expect(await offered(line)).toEqual(wanted);
  });

  test('the other shells ask for them as well', async () => {
    for (const shell of ['zsh', 'fish', 'powershell']) expect(await script(shell)).toContain('tenantplane __names -- ');
  });
});

test.each(['zsh', 'fish', 'powershell'])('%s: every command and flag is in it', async (shell) => {
  const text = await script(shell);
  for (const word of ['render', 'tenantcluster', 'explain-sync', 'fail-on', 'max-deletions', 'restricted', 'same-tenant'])
    expect(text).toContain(word);
  // a short flag is completed like its long form
  if (shell !== 'fish') expect(text).toMatch(/'validate -o'.*'github'/);
});

test('a quote in a description ends no string', async () => {
  for (const shell of ['zsh', 'fish']) {
    for (const line of (await script(shell)).split('\n')) {
      const quotes = line.replaceAll("'\\''", '').replaceAll("\\'", '').split("'").length - 1;
      if (!line.startsWith('#')) expect({ line, odd: quotes % 2 }).toEqual({ line, odd: 0 });
    }
  }
});

test('every command that takes --report has its formats offered', () => {
  const sink = { isTTY: false, write: (): void => undefined };
  const io = {
    cwd: '/',
    env: {},
    stdout: sink,
    stderr: sink,
    readStdin: async () => '',
    signal: new AbortController().signal,
    now: Date.now,
  };
  const program = createProgram({ io, exitCode: 0, json: false });
  const options = everyCommand(commandModel(program, moreWords(program))).flatMap(({ path, options }) =>
    options.filter(({ long }) => long === '--report').map(({ choices }) => ({ path: path.join(' '), choices })),
  );
  expect(options.length).toBeGreaterThan(10);
  expect(options.filter(({ choices }) => !choices.includes('sarif='))).toEqual([]);
});

test('fish is told of a second long name as one', async () => {
  const { out } = await tenantplane(['completion', 'fish']);
  expect(out).toContain("'__fish_seen_subcommand_from diff' -l tenants -l tenant -r -d ");
  expect(out).toMatch(/ -l output -s o /);
  expect(out).not.toMatch(/ -s -/);
});
