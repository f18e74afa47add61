import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { bytes, copyPackage, hostFiles, ok, renderedByCommand, run, scratch } from './workspace.ts';

const ALLOW = ['--allow-exec', '--truncate-output=false'];

describe.each(['examples/first-tenant', 'examples/shop'])('real kpt on %s', (example) => {
  let expected: Map<string, string>;
  beforeAll(() => {
    expected = renderedByCommand(example);
    expect(expected.size).toBeGreaterThan(20);
  });

  test('`kpt fn render` writes the files that the command writes, byte for byte, and a second run changes nothing', () => {
    const folder = copyPackage(example);
    ok('kpt', ['fn', 'render', folder, ...ALLOW]);
    expect(hostFiles(folder)).toEqual(expected);
    const first = bytes(folder);
    ok('kpt', ['fn', 'render', folder, ...ALLOW]);
    expect(bytes(folder)).toEqual(first);
  });

  test('without configPath the package’s own RenderTenant holds, as for the command', () => {
    const folder = copyPackage(example);
    const kptfile = join(folder, 'Kptfile');
    writeFileSync(kptfile, readFileSync(kptfile, 'utf8').replace(/^ *configPath: render\.yaml\n/m, ''));
    ok('kpt', ['fn', 'render', folder, ...ALLOW]);
    expect(hostFiles(folder)).toEqual(expected);
  });

  test('the command finds nothing stale in what kpt rendered', () => {
    const folder = copyPackage(example);
    ok('kpt', ['fn', 'render', folder, ...ALLOW]);
    ok('tenantplane', ['render', folder, '--check']);
  });

  test('`kpt fn eval` with the package’s own config', () => {
    const folder = copyPackage(example);
    const args = ['fn', 'eval', folder, '--exec', 'tenantplane-fn render-tenant', '--fn-config', join(folder, 'render.yaml')];
    ok('kpt', args);
    expect(hostFiles(folder)).toEqual(expected);
    const first = bytes(folder);
    ok('kpt', args);
    expect(bytes(folder)).toEqual(first);
  });

  test('`kpt fn source | tenantplane-fn | kpt fn sink`', () => {
    const folder = copyPackage(example);
    const config = readFileSync(join(folder, 'render.yaml'), 'utf8');
    const list = ok('kpt', ['fn', 'source', folder]).stdout;
    const indented = config.trimEnd().replaceAll('\n', '\n  ');
    const rendered = ok('tenantplane-fn', ['render-tenant'], { input: `${list.trimEnd()}\nfunctionConfig:\n  ${indented}\n` }).stdout;
    const sink = join(scratch(), 'sink');
    ok('kpt', ['fn', 'sink', sink], { input: rendered });
    expect(hostFiles(sink)).toEqual(expected);

    const again = ok('kpt', ['fn', 'source', sink]).stdout;
    const second = ok('tenantplane-fn', ['render-tenant'], { input: `${again.trimEnd()}\nfunctionConfig:\n  ${indented}\n` }).stdout;
    const other = join(scratch(), 'sink');
    ok('kpt', ['fn', 'sink', other], { input: second });
    expect(bytes(other)).toEqual(bytes(sink));
  });

  test('the container image, in the package’s pipeline', () => {
    const folder = copyPackage(example);
    const kptfile = join(folder, 'Kptfile');
    const image = `${inject('images')}/render-tenant`;
    writeFileSync(kptfile, readFileSync(kptfile, 'utf8').replace('exec: tenantplane-fn render-tenant', `image: ${image}`));
    ok('kpt', ['fn', 'render', folder, '--image-pull-policy', 'never']);
    expect(hostFiles(folder)).toEqual(expected);
    const first = bytes(folder);
    ok('kpt', ['fn', 'render', folder, '--image-pull-policy', 'never']);
    expect(bytes(folder)).toEqual(first);
  });
});

describe('what kpt does with a refusal', () => {
  test('a configuration kind among a tenant’s objects fails the run, and no file is written', () => {
    const folder = copyPackage('examples/first-tenant');
    const smuggled = 'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata:\n  name: loose\nspec:\n  level: baseline\n';
    const tenant = readdirSync(join(folder, 'tenants'))[0] ?? '';
    writeFileSync(join(folder, 'tenants', tenant, 'objects', 'smuggled.yaml'), smuggled);
    const before = bytes(folder);
    const ran = run('kpt', ['fn', 'render', folder, ...ALLOW]);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('objects/smuggled.yaml');
    expect(bytes(folder)).toEqual(before);
  });
});
