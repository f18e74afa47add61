import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

// Functions as processes: what matters is what stands in the pipes and the exit code.
const SCRIPT = fileURLToPath(new URL('../fixtures/krm/function.ts', import.meta.url));
const NODE = ['--import', 'tsx', SCRIPT];
const LIST = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n';
const run = (args: readonly string[], input: string | Uint8Array = LIST) =>
  spawnSync(process.execPath, [...NODE, ...args], { input, encoding: 'utf8' });

describe('a function as a process', () => {
  test('5 MB through a slow pipe arrive whole, and the exit code is 0', async () => {
    const child = spawn(process.execPath, [...NODE, 'big'], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(LIST);
    let bytes = 0;
    let last = '';
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      last = chunk.toString('utf8').slice(-20);
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 2);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, bytes, last.endsWith('end\n')]).toEqual([0, 5_000_004, true]);
  });

  test('a reader that goes away ends it without a trace', async () => {
    const child = spawn(process.execPath, [...NODE, 'big'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.once('data', () => child.stdout.destroy());
    child.stdin.end(LIST);
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
    expect(stderr).toBe('');
  });

  test('console.log in a rule cannot reach stdout', () => {
    const { stdout, stderr, status } = run(['noisy']);
    expect([status, stdout, stderr]).toEqual([0, LIST, 'log\ninfo\nwarn\n']);
  });

  test('a bug is one line on stderr, exit 2, and nothing on stdout', () => {
    const { stdout, stderr, status } = run(['throws']);
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'throws failed: of two lines. Nothing was written. This is a bug; please report it.\n',
    ]);
  });

  test('errors are told on stderr too, since kustomize shows nothing else; the list still comes', () => {
    const { stdout, stderr, status } = run(['errors']);
    expect([status, stdout]).toEqual([1, LIST]);
    expect(stderr.split('\n')).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `error: f${String(index).padStart(2, '0')}.yaml: wrong ${index}`),
      'and 5 more errors',
      '',
    ]);
  });

  const SETUP = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- {apiVersion: tenantplane.io/v1alpha1, kind: IsolationProfile, metadata: {name: restricted}, spec: {level: restricted}}
- apiVersion: tenantplane.io/v1alpha1
  kind: SyncPolicy
  metadata: {name: default}
  spec: {resources: [{apiVersion: apps/v1, kind: Deployment, direction: toHost}]}
- apiVersion: tenantplane.io/v1alpha1
  kind: TenantCluster
  metadata: {name: dev, namespace: team-dev}
  spec: {isolationProfileRef: {name: restricted}, syncPolicyRef: {name: default}}
`;
  const web = (name: string, annotations = ''): string => `- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: ${name}, namespace: shop${annotations}}
  spec:
    selector: {matchLabels: {app: web}}
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: nginx, image: "nginx:1.29"}]}}
`;
  const config = (fields: string): string => `functionConfig:
  apiVersion: fn.tenantplane.io/v1alpha1
  kind: RenderTenant
  spec: {tenant: {name: dev, namespace: team-dev}, host: {version: "1.34"}${fields}}
`;

  test('what is refused is told on stderr under kustomize, which shows no results, with its kind and name; a screenful at most', () => {
    const one = run(['render-tenant'], SETUP + web('web') + config(''));
    expect(one.status).toBe(0);
    expect(one.stderr).toMatch(/^warning: Deployment shop\/web \(spec\.template\.spec[^)]*\): TP3003 [^\n]*container nginx/m);
    const many = Array.from({ length: 30 }, (_, index) => web(`web-${index}`)).join('');
    const lines = run(['render-tenant'], SETUP + many + config(''))
      .stderr.trimEnd()
      .split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toMatch(/^and \d+ more warnings$/);
  });

  test('kpt, whose items have paths, shows results itself: nothing is said twice', () => {
    const path = ', annotations: {internal.config.kubernetes.io/path: web.yaml}';
    const { status, stdout, stderr } = run(['render-tenant'], SETUP + web('web', path) + config(''));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('TP3003');
  });

  test('an error names the file, the object and the field', () => {
    const path = ', annotations: {internal.config.kubernetes.io/path: web.yaml}';
    const { status, stderr } = run(['render-tenant'], SETUP + web('web', path) + config(', failOn: refused'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: web\.yaml: Deployment shop\/web \(spec\.template\.spec[^)]*\): TP3003 /m);
  });

  test('empty input and input that is no text are refused', () => {
    const empty = run(['render-tenant'], '');
    expect([empty.status, empty.stdout, empty.stderr]).toEqual([
      1,
      '',
      'error: TP9001 InputInvalid: The input is empty; a function reads a ResourceList on stdin. Run it under kpt or kustomize, or pipe the output of kpt fn source into it.\n',
    ]);
    const binary = run(['render-tenant'], Uint8Array.of(0xff, 0xfe, 0));
    expect([binary.status, binary.stdout, binary.stderr]).toEqual([
      1,
      '',
      'error: the input is not UTF-8 text, or larger than 512 MiB. Check what feeds the function.\n',
    ]);
  });

  test('-i, -o, -f and -d are those of the SDK; --help is for people', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantplane-run-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'in.yaml'), LIST);
    writeFileSync(join(folder, 'config.yaml'), 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nspec: {}\n');
    const through = run(
      ['render-tenant', '-i', join(folder, 'in.yaml'), '-o', join(folder, 'out.yaml'), '-f', join(folder, 'config.yaml')],
      '',
    );
    expect([through.status, through.stdout, through.stderr]).toEqual([0, '', '']);
    expect(readFileSync(join(folder, 'out.yaml'), 'utf8').startsWith(LIST)).toBe(true);
    expect(run(['render-tenant', '-d', 'failOn=sometimes']).stderr).toMatch(/^error: TP9001 InputInvalid: functionConfig: .*failOn/);
    expect(run(['render-tenant', '--nope']).stderr).toBe('render-tenant: unknown argument "--nope"; try --help\n');
    expect(existsSync(join(folder, 'no.yaml'))).toBe(false);
    expect(run(['render-tenant', '--help']).stdout).toMatch(/^render-tenant: a KRM function of tenantplane/);
  });
});
