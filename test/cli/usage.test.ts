import { describe, expect, test } from 'vitest';
import { ruleIds } from '../../src/cli/explain-rule.ts';
import { REMEDY_WORDS } from '../../src/cli/remedy-words.ts';
import { REASONS, reasonOf } from '../../src/core/decision/reasons.ts';
import { importsOf, sourceFiles, target } from '../arch/source-files.ts';
import { tenantplane } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

const COMMANDS = [
  'init',
  'render',
  'validate',
  'diff',
  'pr-comment',
  'what-if',
  'facts',
  'explain-sync',
  'why',
  'why-not',
  'isolation',
  'tree',
  'graph',
  'reach',
  'report',
  'explain-code',
  'audit',
  'doctor',
  'up',
  'down',
  'kubeconfig',
  'reconciler',
  'schema',
  'completion',
  'version',
];

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
    [['completion'], "'shell'. Allowed choices are bash, zsh, fish, powershell.\n  try: tenantplane help completion\n"],
    [['render', '--fail-on'], 'Allowed choices are rejected, never, refused, warning.\n'],
    [['explain-sync', '--knd'], '  try: tenantplane help explain-sync\n'],
    [['render', 'tenantcluster'], '  try: tenantplane help render tenantcluster\n'],
    [['help', 'nosuch'], 'There is no command nosuch.'],
    [['help', 'rendr'], 'Did you mean render?'],
    [['explain'], 'tenantplane explain-sync tells of an object, tenantplane explain-code of a code'],
    [['valid'], 'Did you mean validate?'],
    [['apply', '--prune'], 'Did you mean render?'],
    [['apply'], 'applied by kubectl'],
    [['status'], '  try: kubectl get tenantclusters -A'],
    [['get', 'tenants', '-A'], '  try: kubectl get tenantclusters -A'],
    [['logs'], '  try: kubectl logs -n tenantplane-system'],
    [['down'], '  try: Name them, or say --all; with --dry-run nothing is changed.'],
    [['down', 'a', '--all'], 'Tenants are named, and all are meant.'],
    [['help', 'status'], '  try: kubectl get tenantclusters -A'],
    [['frobnicate'], 'Its commands are init, render, validate,'],
    [['list'], 'kubectl get tenantclusters -A lists the tenants'],
    [['connect'], 'Did you mean kubeconfig?'],
    [['explain-code', 'HostPath'], 'Did you mean HostPathBlocked?'],
    [['explain-code', 'TP3094'], 'Did you mean TP3004?'],
    [['schema', 'tcc'], 'Its kinds are TenantCluster, '],
    [['diff', '-f', 'a.yaml'], "unknown option '-f'\n  try: Two versions of a package are compared: tenantplane diff main...HEAD"],
    [['diff', '--staged'], 'HEAD with the working tree.\n'],
    [['diff', '--base', 'main', '--head', '.'], 'main is no folder, and --base and --head name folders.\n  try: Commits are said as A..B'],
    [['what-if', '--profile', 'x'], 'The same is --use OLD=NEW'],
    [['init', '--force'], 'It never overwrites.'],
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

test('a duration in help is one that can be typed', async () => {
  expect((await tenantplane(['help', 'up'])).out).toMatch(/--timeout <duration> .*\(default: 5m\)$/m);
});

test('help goes down to the generators, each with a path of its own', async () => {
  for (const [kind, path] of [
    ['tenantcluster', 'tenants/dev/tenant.yaml'],
    ['isolationprofile', 'profiles/restricted.yaml'],
    ['syncpolicy', 'policies/default.yaml'],
  ] as const) {
    expect((await tenantplane(['help', 'render', kind])).out).toContain(`> ${path}\n`);
  }
});

test('a generator is found however its kind is written', async () => {
  const wanted = await tenantplane(['render', 'tenantcluster', 'dev']);
  for (const word of ['TenantCluster', 'TENANTCLUSTER']) expect(await tenantplane(['render', word, 'dev'])).toEqual(wanted);
});

test.each([
  ['private', 'TP3054 ModeNotImplemented'],
  ['dedicated', 'TP3080 NodePoolMissing'],
])('a TenantCluster of mode %s is printed with what a render says of it', async (mode, code) => {
  const { code: exit, out, err } = await tenantplane(['render', 'tenantcluster', 'dev', '--mode', mode]);
  expect([exit, out.includes(`mode: ${mode}\n`)]).toEqual([0, true]);
  expect(err).toMatch(new RegExp(`^warning: as printed here it is held by a render: ${code}: .+\\n {2}try: .*shared.*\\n$`));
  const root = scratch();
  await tenantplane(['init', '-q'], { cwd: root });
  put(root, { 'tenants/dev/tenant.yaml': out });
  expect((await tenantplane(['validate'], { cwd: root })).out).toContain(code);
  expect((await tenantplane(['render', 'tenantcluster', 'dev', '--mode', 'shared'])).err).toBe('');
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

  test('a rule that the API server named is explained too', async () => {
    for (const id of ruleIds()) {
      const { code, out } = await tenantplane(['explain-code', id]);
      expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(`^${id} is a rule of an admission policy on the host, `)]);
    }
    const { out } = await tenantplane(['explain-code', 'tol', 'TP3004', '-o', 'json']);
    expect(JSON.parse(out).items.map(({ rule, code }: { rule?: string; code?: string }) => rule ?? code)).toEqual(['tol', 'TP3004']);
  });

  test('a remedy that is made for the case is told in words', async () => {
    for (const name of Object.keys(REASONS) as (keyof typeof REASONS)[]) {
      const { out } = await tenantplane(['explain-code', name]);
      expect({ name, bare: /What to do\n {2}\{\w+\}$/m.test(out) }).toEqual({ name, bare: false });
    }
    for (const name of Object.keys(REMEDY_WORDS) as (keyof typeof REMEDY_WORDS)[]) expect(reasonOf(name).remedy).toMatch(/^\{\w+\}$/);
  });

  test('several at once, as pages or as a list', async () => {
    const { out } = await tenantplane(['explain-code', 'TP3004', 'HostPortBlocked', 'TP3004']);
    expect(out.match(/^TP\d{4} /gm)).toEqual(['TP3004 ', 'TP3021 ']);
    const { items } = JSON.parse((await tenantplane(['explain-code', 'TP3004', 'TP3021', '-o', 'json'])).out);
    expect(items.map((item: { code: string }) => item.code)).toEqual(['TP3004', 'TP3021']);
  });

  test('what is known is printed, and what is not ends in exit code 2', async () => {
    const both = await tenantplane(['explain-code', 'TP3004', 'nothing']);
    expect(both).toMatchObject({ code: 2, out: (await tenantplane(['explain-code', 'TP3004'])).out });
    expect(both.err).toContain('There is no reason code nothing.');
    expect(await tenantplane(['explain-code', 'nothing', 'none'])).toMatchObject({ code: 2, out: '' });
    const json = await tenantplane(['explain-code', 'TP3004', 'nothing', '-o', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ code: 'TP3004' });
  });

  test('the name of a control leads to its rules on the host', async () => {
    const { code, err } = await tenantplane(['explain-code', 'tolerations']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('tolerations is a control; on the host it is kept by rule tol.'),
    });
    expect((await tenantplane(['explain-code', 'controls.podSecurity'])).err).toContain('it is kept by rule');
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
    for (const word of ['iprof', 'isolationprofiles']) expect((await tenantplane(['schema', word])).out).toBe(out);
    for (const [word, kind] of [
      ['tc', 'TenantCluster'],
      ['sp', 'SyncPolicy'],
      ['sd', 'SyncDecision'],
    ] as const)
      expect((await tenantplane(['schema', word])).out).toMatch(new RegExp(`^${kind} `));
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
