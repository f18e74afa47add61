import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadCompiled } from '../../src/krm/compiled-functions.ts';
import { tuneForOneRun } from '../../src/krm/run-tuning.ts';

const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
const DIST: string = join(ROOT, 'dist');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function node(args: readonly string[], cwd?: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', input: '' });
  return { status, stdout, stderr };
}

const POD = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n';

/** A built file and what it imports before it runs: what every start pays for. */
function loadedAtStart(name: string, seen: Set<string> = new Set()): Set<string> {
  const file = join(DIST, name);
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:^|[;}\n])\s*(?:import|export)\b[^;'"()]*?['"](\.{1,2}\/[^'"]+)['"]/g,
  )) {
    loadedAtStart(join(dirname(name), path), seen);
  }
  return seen;
}

const size = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + readFileSync(join(DIST, name)).length, 0);

describe('what is published', () => {
  test('holds the built files, the functions’ papers, the CRDs and the licence, and nothing else', () => {
    const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' });
    const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    const places =
      /^(dist\/.+\.(mjs|cjs|d\.ts|txt)|deploy\/.+\.(ya?ml|json|lua)|deploy\/crds\/Kustomization|functions\/[a-z-]+\/(README\.md|metadata\.yaml|definition\.yaml)|functions\/README\.md|(README|CHANGELOG)\.md|LICENSE|package\.json)$/;
    expect(paths.filter((path) => !places.test(path) && !/^deploy\/.*README\.md$/.test(path))).toEqual([]);
    for (const path of [
      'dist/tenantplane.mjs',
      'dist/tenantplane-fn.mjs',
      'dist/functions.cjs',
      'dist/index.mjs',
      'dist/kpt-functions.mjs',
      'LICENSE',
      'README.md',
    ]) {
      expect(paths).toContain(path);
    }
    for (const name of ['render-tenant', 'render-sync', 'render-isolation', 'validate-tenant'])
      expect(paths).toContain(`functions/${name}/definition.yaml`);
  });

  test('publint finds nothing wrong', async () => {
    const { messages, pkg } = await publint({ pkgDir: ROOT, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });

  test('needs no other package at run time, and carries the licences of what it bundles', () => {
    expect(manifest).not.toHaveProperty('dependencies');
    const licenses = readFileSync(join(DIST, 'third-party-licenses.txt'), 'utf8');
    for (const name of ['commander', 'js-yaml']) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(licenses).not.toContain('biome');
  });

  test('has types that a strict project can use', () => {
    const project = scratch();
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(ROOT, join(project, 'node_modules/tenantplane'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    const options = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true, exactOptionalPropertyTypes: true, types: [] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['use.ts'] }));
    writeFileSync(
      join(project, 'use.ts'),
      `import { type Decision, type Observation, hostName, plan } from 'tenantplane';
import { renderTenant } from 'tenantplane/kpt-functions';
export const decide = (observation: Observation): readonly Decision[] => plan(observation).decisions;
export const name: string = hostName('nginx', 'default', 'dev', { nameLimit: 63, dots: true }).name;
export const run = renderTenant;
// @ts-expect-error a plan needs an observation: types are there, not any
plan('nothing');
`,
    );
    const { status, stdout } = node([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  test('the library works where it is imported and where it is required', () => {
    const project = scratch();
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(ROOT, join(project, 'node_modules/tenantplane'));
    const use = `console.log(tenantplane.hostName('nginx', 'default', 'dev', { nameLimit: 63, dots: true }).name)`;
    writeFileSync(join(project, 'use.mjs'), `import * as tenantplane from 'tenantplane';\n${use}\n`);
    writeFileSync(join(project, 'use.cjs'), `const tenantplane = require('tenantplane');\n${use}\n`);
    expect(node([join(project, 'use.mjs')]).stdout).toBe('nginx-x-default-x-dev\n');
    expect(node([join(project, 'use.cjs')]).stdout).toBe('nginx-x-default-x-dev\n');
  });
});

describe('the built commands', () => {
  test.each(['tenantplane.mjs', 'tenantplane-fn.mjs'])('%s can be executed', (name) => {
    const file = join(DIST, name);
    accessSync(file, constants.X_OK);
    expect(readFileSync(file, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
  });

  test('say their version, also through a link in another folder', () => {
    const bin = scratch();
    symlinkSync(join(DIST, 'tenantplane.mjs'), join(bin, 'tenantplane'));
    expect(node([join(bin, 'tenantplane'), 'version'], bin).stdout).toContain(manifest.version);
  });

  test('a function runs by its name as an argument and by its own name as a link', () => {
    const bin = scratch();
    symlinkSync(join(DIST, 'tenantplane-fn.mjs'), join(bin, 'validate-tenant'));
    const byLink = node([join(bin, 'validate-tenant')], bin);
    const byName = node([join(DIST, 'tenantplane-fn.mjs'), 'validate-tenant'], bin);
    expect(byLink).toEqual(byName);
    expect(byLink.status).not.toBe(0);
    expect(byLink.stderr).not.toContain('is no function');
  });

  test('an unknown function is refused with the names of those that exist, and nothing on stdout', () => {
    const { status, stdout, stderr } = node([join(DIST, 'tenantplane-fn.mjs'), 'render']);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('render-tenant, render-sync, render-isolation, validate-tenant');
  });

  test('start with little: no command-line library in a function, no document editor in either', () => {
    expect(size(loadedAtStart('tenantplane-fn.mjs'))).toBeLessThan(8_000);
    expect(size(loadedAtStart('tenantplane.mjs'))).toBeLessThan(150_000);
  });

  test('a function compiles nothing at its start, and does the same where it must: with no code cache, another’s or a torn one', () => {
    const built = join(scratch(), 'dist');
    expect(node([join(ROOT, 'build.mjs'), '--no-types', '--out', built])).toMatchObject({ status: 0 });
    tuneForOneRun();
    expect(loadCompiled(built).script.cachedDataRejected).toBe(false);
    const copy = scratch();
    for (const name of ['tenantplane-fn.mjs', 'functions.cjs']) copyFileSync(join(DIST, name), join(copy, name));
    symlinkSync(join(DIST, 'chunks'), join(copy, 'chunks'));
    const sample = join(copy, 'list.yaml');
    writeFileSync(sample, `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${POD.trimEnd().replaceAll('\n', '\n  ')}\n`);
    const run = (folder: string): unknown => node([join(folder, 'tenantplane-fn.mjs'), 'validate-tenant', '-i', sample]);
    const expected = run(DIST);
    expect(expected).toMatchObject({ stdout: expect.stringContaining('kind: ResourceList') });
    expect(run(copy)).toEqual(expected);
    const cache = readFileSync(join(DIST, 'functions.cjs.cache'));
    for (const bytes of ['', 'of another program', cache.subarray(0, cache.length / 2)]) {
      writeFileSync(join(copy, 'functions.cjs.cache'), bytes);
      expect(run(copy)).toEqual(expected);
    }
  });

  test('name no folder of the machine that built them', () => {
    const chunks = readdirSync(join(DIST, 'chunks')).map((name) => join('chunks', name));
    const built = [
      'tenantplane.mjs',
      'tenantplane-fn.mjs',
      'functions.cjs',
      'functions.cjs.cache',
      'index.mjs',
      'kpt-functions.mjs',
      ...chunks,
    ];
    expect(built.length).toBeGreaterThan(5);
    expect(built.filter((name) => readFileSync(join(DIST, name), 'utf8').includes(ROOT))).toEqual([]);
  });
});

describe('the shipped command', () => {
  test('finds the very line of a refusal, as it does from source: the reader of positions works when it is bundled', () => {
    const { stdout } = node([join(DIST, 'tenantplane.mjs'), 'render', '-o', 'json', join(ROOT, 'examples/first-tenant')]);
    expect(stdout).toContain('"TP3004"');
    const text = node([join(DIST, 'tenantplane.mjs'), 'validate', join(ROOT, 'examples/first-tenant')]);
    expect(text.stdout + text.stderr).toMatch(/log-shipper\.yaml:34 /);
  });

  test('marks sources by a splice', () => {
    const folder = scratch();
    cpSync(join(ROOT, 'examples/first-tenant'), folder, { recursive: true });
    const config =
      'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: render}\nspec: {output: {sources: mark}}\n';
    writeFileSync(join(folder, 'render.yaml'), config);
    expect(node([join(DIST, 'tenantplane.mjs'), 'render', '-q', folder])).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'tenants/dev/tenant.yaml'), 'utf8')).toContain('config.kubernetes.io/local-config: "true"');
  });
});
