import { describe, expect, test } from 'vitest';
import { REASONS, reasonOf } from '../../src/core/decision/reasons.ts';
import { importsOf, sourceFiles, target } from '../arch/source-files.ts';
import { tenantplane } from './harness.ts';

const COMMANDS = ['init', 'render', 'validate', 'explain-sync', 'explain-code', 'schema', 'completion', 'version'];

describe('help', () => {
  test('tenantplane alone prints it, on stdout, exit code 0', async () => {
    const { code, out, err } = await tenantplane([]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(out).toContain('Exit codes:');
  });

  test.each(COMMANDS)('%s has its own', async (command) => {
    const asked = await tenantplane([command, '--help']);
    expect(asked.code).toBe(0);
    expect(asked.out).toContain(`Usage: tenantplane ${command}`);
    expect(asked.out).not.toContain('[object');
    expect((await tenantplane(['help', command])).out).toBe(asked.out);
    if (command !== 'version') expect(asked.out).toMatch(/Examples?:\n {2}\S/);
  });
});

describe('mistakes end in exit code 2 and name what was meant', () => {
  test.each([
    [['rendr'], 'Did you mean render?'],
    [['render', '--chek'], 'Did you mean --check?'],
    [['render', 'a', 'b'], 'too many arguments'],
    [['render', 'tenantcluster'], "missing required argument 'name'"],
    [['render', '--fail-on'], 'argument missing'],
    [['explain-code', 'TP300'], 'There is no reason code TP300'],
    [['explain-code', 'HostPathBlock'], 'Did you mean HostPathBlocked?'],
    [['schema', 'SyncPolcy'], 'Did you mean SyncPolicy?'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish, powershell'],
    [['render', 'tenantcluster', 'Dev'], 'must be a DNS name'],
    [['render', 'tenantcluster', 'dev', '--cpu', 'lots'], 'must be a quantity'],
    [['render', 'isolationprofile', 'x', '--level', 'high'], 'Allowed choices are baseline, restricted, sandboxed'],
  ])('%j', async (argv, message) => {
    const { code, out, err } = await tenantplane(argv);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
  });
});

test('shared flags stand before or behind the command', async () => {
  for (const argv of [
    ['--quiet', 'render', '/nowhere'],
    ['render', '--quiet', '/nowhere'],
    ['render', '/nowhere', '--quiet'],
  ]) {
    expect((await tenantplane(argv)).err).toContain('There is no package at /nowhere');
  }
});

describe('version', () => {
  test('as text, as JSON, as a flag', async () => {
    expect((await tenantplane(['version'])).out).toMatch(/^tenantplane \S+ \(mapping tp1, Node /);
    expect(JSON.parse((await tenantplane(['version', '-o', 'json'])).out)).toMatchObject({ mapping: 'tp1', node: process.versions.node });
    expect((await tenantplane(['--version'])).code).toBe(0);
  });
});

describe('explain-code', () => {
  test('every code has a page, by number and by name', async () => {
    for (const name of Object.keys(REASONS) as (keyof typeof REASONS)[]) {
      const page = await tenantplane(['explain-code', reasonOf(name).code]);
      expect(page.code).toBe(0);
      expect(page.out).toMatch(new RegExp(`^${reasonOf(name).code} ${name}\n`));
      expect((await tenantplane(['explain-code', name.toLowerCase()])).out).toBe(page.out);
    }
  });

  test('without a code it lists them all, in order', async () => {
    const { out } = await tenantplane(['explain-code']);
    const codes = [...out.matchAll(/^ {2}(TP\d{4}) /gm)].map((match) => match[1]);
    expect(codes).toHaveLength(Object.keys(REASONS).length);
    expect(codes).toEqual([...codes].sort());
    const json = JSON.parse((await tenantplane(['explain-code', '-o', 'json'])).out);
    expect(json.items).toHaveLength(codes.length);
  });
});

describe('schema', () => {
  test('lists the kinds, the fields of one, and its JSON Schema', async () => {
    expect((await tenantplane(['schema'])).out).toMatch(/^TenantCluster /m);
    const { out } = await tenantplane(['schema', 'isolationprofile']);
    expect(out).toContain('spec.level');
    expect(out).toContain('baseline | restricted | sandboxed');
    expect(JSON.parse((await tenantplane(['schema', 'SyncPolicy', '-o', 'json'])).out)).toMatchObject({ title: 'SyncPolicy' });
    expect(Object.keys(JSON.parse((await tenantplane(['schema', '-o', 'json'])).out))).toContain('RenderTenant');
  });
});

test('start is quick: neither a YAML reader nor the planner is loaded before a command is known', () => {
  const files = new Map(sourceFiles('src', 'functions').map((file) => [file.path, file]));
  const seen = new Set<string>();
  const outside = new Set<string>();
  const visit = (path: string): void => {
    const file = files.get(path);
    if (file === undefined || seen.has(path)) return;
    seen.add(path);
    const eager = file.text.replace(/\bimport\([^)]*\)/g, '').replace(/^import type [^;]*;$/gms, '');
    for (const specifier of importsOf(eager)) {
      const next = target(file, specifier);
      if (next === undefined) outside.add(specifier);
      else visit(next);
    }
  };
  visit('src/cli/main.ts');
  expect(seen.size).toBeGreaterThan(15);
  const heavy = [...seen].filter((path) => /^src\/(krm|schema|core\/(plan|translate|isolation))\//.test(path));
  expect(heavy).toEqual(['src/krm/run-tuning.ts', 'src/krm/write-all.ts']);
  expect([...outside].filter((name) => !name.startsWith('node:')).sort()).toEqual(['commander']);
});
