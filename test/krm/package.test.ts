import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readPackage } from '../../src/krm/package.ts';

const CM = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

function packageOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'tenantplane-package-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const told = (findings: Awaited<ReturnType<typeof readPackage>>['findings']): string[] =>
  findings.map(({ code, severity, source, message }) => `${source.path} ${code} ${severity} ${message}`);

describe('a package on disk', () => {
  test('gives its objects in the order of paths, and the old tree apart', async () => {
    const root = packageOf({
      'b.yaml': CM('b'),
      'a/z.yml': CM('z'),
      'a/y.json': '{"apiVersion":"v1","kind":"A"}',
      'host/x/o.yaml': CM('o'),
      'README.md': '# no',
      'sub/host/p.yaml': CM('p'),
    });
    const { files, inputs, findings, host } = await readPackage(root);
    expect(inputs.map(({ source }) => source.path)).toEqual(['a/y.json', 'a/z.yml', 'b.yaml', 'sub/host/p.yaml']);
    expect(files.map(({ path }) => path)).toEqual(['a/y.json', 'a/z.yml', 'b.yaml', 'sub/host/p.yaml']);
    expect([...(host?.texts ?? [])]).toEqual([['x/o.yaml', CM('o')]]);
    expect(findings).toEqual([]);
  });

  // kpt runs the pipeline of a nested package first, with the rights of whoever renders
  test.each([
    'Kptfile',
    'kptfile',
    'deep/er/Kptfile',
    '.hidden/Kptfile',
    'node_modules/x/Kptfile',
    'left-out/Kptfile',
    'kustomization.yaml',
    'kustomization.yml',
    'a/Kustomization',
  ])('finds what a tool would obey among a tenant’s objects: %s', async (file) => {
    const path = `tenants/dev/objects/${file}`;
    const { findings } = await readPackage(packageOf({ [path]: 'a: 1\n', '.krmignore': 'left-out/\n' }));
    const [first] = findings.filter(({ code }) => code === 'TP2034');
    expect(first).toMatchObject({ severity: 'error', source: { path } });
  });

  test('leaves the platform its own Kptfile and kustomization', async () => {
    const text = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
    const root = packageOf({
      Kptfile: 'x',
      'kustomization.yaml': text,
      'tenants/dev/Kptfile': 'x',
      'host/objects/kustomization.yaml': text,
    });
    expect((await readPackage(root)).findings.filter(({ code }) => code === 'TP2034')).toEqual([]);
  });

  test('passes over what is not its business: dots, node_modules, .krmignore', async () => {
    const root = packageOf({
      '.git/x.yaml': 'a: [',
      '.hidden.yaml': 'a: [',
      'node_modules/x/y.yaml': 'a: [',
      'chart/templates/x.yaml': 'a: {{ x }}',
      'chart/keep.yaml': CM('keep'),
      'deep/tmp/x.yaml': 'a: [',
      'old-1.yaml': 'a: [',
      'sub/.krmignore': 'only.yaml\n',
      'sub/only.yaml': 'a: [',
      'sub/ok.yaml': CM('ok'),
      'only.yaml': CM('only'),
      '.krmignore': '# comment\n/chart/*\n!/chart/keep.yaml\ntmp/\nold-?.yaml\n',
    });
    const { inputs, findings } = await readPackage(root);
    expect(inputs.map(({ source }) => source.path)).toEqual(['chart/keep.yaml', 'only.yaml', 'sub/ok.yaml']);
    expect(findings).toEqual([]);
  });

  test('says what the files of other tools are', async () => {
    const root = packageOf({
      'kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
      'values.yaml': 'a: 1\n',
    });
    expect(told((await readPackage(root)).findings)).toEqual([
      'kustomization.yaml TP2021 info The document is no Kubernetes object (it is kustomize’s own).',
      'values.yaml TP2021 info The document is no Kubernetes object (it has neither apiVersion nor kind).',
    ]);
  });

  test('follows no symbolic link: one that leaves the package is refused', async () => {
    const outside = packageOf({ 'secret.yaml': CM('secret') });
    const root = packageOf({ 'a.yaml': CM('a'), 'd/b.yaml': CM('b') });
    symlinkSync(join(outside, 'secret.yaml'), join(root, 'leak.yaml'));
    symlinkSync(outside, join(root, 'objects'));
    symlinkSync('d', join(root, 'again'));
    symlinkSync('..', join(root, 'd/loop'));
    symlinkSync('nowhere.yaml', join(root, 'dangling.yaml'));
    const { inputs, findings } = await readPackage(root);
    expect(inputs.map(({ source }) => source.path)).toEqual(['a.yaml', 'd/b.yaml']);
    expect(told(findings)).toEqual([
      'again TP9012 info Path again is not allowed: a symbolic link is not followed; what it points at is read where it stands.',
      'd/loop TP9012 info Path d/loop is not allowed: a symbolic link is not followed; what it points at is read where it stands.',
      'dangling.yaml TP9012 error Path dangling.yaml is not allowed: it is a symbolic link to nothing.',
      'leak.yaml TP9012 error Path leak.yaml is not allowed: it is a symbolic link that leaves the package.',
      'objects TP9012 error Path objects is not allowed: it is a symbolic link that leaves the package.',
    ]);
  });

  test('a link in objects/, or in its place, that leads to no object of the tenant is a warning: its objects would be missing', async () => {
    const root = packageOf({
      'shared/web.yaml': CM('web'),
      'shared/notes.txt': 'x',
      't/a/objects/own/b.yaml': CM('b'),
      't/a/objects/.hold/c.yaml': CM('c'),
      't/b/tenant.yaml': CM('t'),
    });
    symlinkSync('../../../shared/web.yaml', join(root, 't/a/objects/web.yaml'));
    symlinkSync('../../../shared', join(root, 't/a/objects/more'));
    symlinkSync('../../../shared/notes.txt', join(root, 't/a/objects/notes.txt'));
    symlinkSync('own/b.yaml', join(root, 't/a/objects/again.yaml'));
    symlinkSync('.hold/c.yaml', join(root, 't/a/objects/held.yaml'));
    symlinkSync('../../shared', join(root, 't/b/objects'));
    const { findings } = await readPackage(root);
    expect(findings.map(({ source, severity }) => `${source.path} ${severity}`)).toEqual([
      't/a/objects/.hold warning',
      't/a/objects/again.yaml info',
      't/a/objects/held.yaml warning',
      't/a/objects/more warning',
      't/a/objects/notes.txt info',
      't/a/objects/web.yaml warning',
      't/b/objects warning',
    ]);
    const web = findings.find(({ source }) => source.path === 't/a/objects/web.yaml');
    expect(web?.message).toContain('shared/web.yaml is no place of this tenant’s objects, so none of it is rendered');
    expect(web?.remedy).toBe('Put a copy in its place, or list the link in .krmignore.');
  });

  test('what begins with a dot below objects/ is a warning where it holds manifests that no .krmignore names', async () => {
    const root = packageOf({
      'objects/.later/deep/a.yaml': CM('a'),
      'objects/.b.yaml': CM('b'),
      'objects/.idea/x.xml': 'x',
      'objects/.off/a.yaml': CM('a'),
      'objects/.git/a.yaml': CM('a'),
      '.github/a.yaml': 'a: 1',
      '.krmignore': '.off/\n',
    });
    expect(told((await readPackage(root)).findings)).toEqual([
      'objects/.b.yaml TP9012 warning Path objects/.b.yaml is not allowed: what begins with a dot is not read, so the manifests there are not rendered.',
      'objects/.later TP9012 warning Path objects/.later is not allowed: what begins with a dot is not read, so the manifests there are not rendered.',
    ]);
  });

  test('refuses what is no text, too large or not readable, each by its file', async () => {
    const root = packageOf({
      'latin.yaml': Uint8Array.of(0x61, 0x3a, 0x20, 0xe9),
      'utf16.yaml': Uint8Array.of(0xff, 0xfe, 0x61, 0),
      'big.yaml': Buffer.alloc(17 * 1024 * 1024, 0x20),
      'ok.yaml': CM('ok'),
    });
    const { inputs, findings } = await readPackage(root);
    expect(inputs).toHaveLength(1);
    expect(told(findings)).toEqual([
      'big.yaml TP9011 error The file is 17825792 bytes; the limit is 16777216.',
      'latin.yaml TP9013 error Line 1: a byte here is no UTF-8.',
      'utf16.yaml TP9013 error The file is UTF-16, not UTF-8.',
    ]);
  });

  test('that is not there, or a file, is one finding', async () => {
    const root = packageOf({ 'a.yaml': CM('a') });
    expect(told((await readPackage(join(root, 'no'))).findings)).toEqual([`. TP9001 error ${join(root, 'no')} cannot be read (ENOENT).`]);
    expect(told((await readPackage(join(root, 'a.yaml'))).findings)).toEqual([
      `. TP9001 error ${join(root, 'a.yaml')} is a file, and a package is a folder.`,
    ]);
  });

  test('stops when it is told to', async () => {
    await expect(readPackage(packageOf({ 'a.yaml': CM('a') }), AbortSignal.abort())).rejects.toThrow();
    chmodSync(packageOf({}), 0o700);
  });
});
