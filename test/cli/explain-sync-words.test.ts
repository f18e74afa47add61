import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configMap, HOST_PATH_POD, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put } from './tree/disk.ts';

const SERVICE =
  'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';

function oneTenant(files: Readonly<Record<string, string>> = {}): string {
  return twoTenants({ 'tenants/dev/objects/web.yaml': SERVICE, ...files });
}

interface Told {
  readonly code: number;
  readonly err: string;
  /** kind, virtual namespace and name, and the name on the host */
  readonly about: readonly string[];
  readonly out: string;
}

async function explain(cwd: string, ...argv: string[]): Promise<Told> {
  const { code, out, err } = await tenantplane(['explain-sync', ...argv, '-o', 'json'], { cwd });
  const documents = code === 0 ? [JSON.parse(out)].flat() : [];
  const about = documents.map(({ tenantResource: { kind, name, virtualNamespace, tenantCluster } }) =>
    [tenantCluster, kind, virtualNamespace, name].join(' '),
  );
  return { code, err, out, about };
}

describe('what people type first names the object', () => {
  const WEB = ['dev Service shop web'];
  test.each<[string[], string[]]>([
    [['svc/web', '--tenant', 'dev', '-n', 'shop'], WEB],
    [['Service/web', '--tenant', 'dev', '--namespace', 'shop'], WEB],
    [['svc', 'web', '--tenant', 'dev', '--virtual-namespace', 'shop'], WEB],
    [['.', 'svc/web', '--tenant', 'dev', '-n', 'shop'], WEB],
    [['.', 'services', 'web', '--tenant', 'team-dev/dev', '-n', 'shop'], WEB],
    [['v1/Service/web', '--tenant', 'dev', '-n', 'shop'], WEB],
    [['--kind', 'Service/web', '--tenant', 'dev', '-n', 'shop'], WEB],
    [['--kind', 'v1/Service', '--name', 'web', '--tenant', 'dev', '-n', 'shop'], WEB],
    [['web', '--kind', 'Service', '--tenant', 'dev', '-n', 'shop'], WEB],
    [['svc', '--name', 'web', '--tenant', 'dev', '-n', 'shop'], WEB],
    [
      ['svc/web', 'cm/x', '--tenant', 'dev', '-n', 'shop'],
      [...WEB, 'dev ConfigMap shop x'],
    ],
    [['new.yaml', '--tenant', 'dev'], WEB],
    [['./new.yaml', '--tenant', 'dev'], WEB],
    [['.', 'new.yaml', '--tenant', 'dev'], WEB],
    [['tenants/dev/objects/web.yaml'], WEB],
    [['tenants/qa/objects/b.yaml'], ['qa ConfigMap default b']],
    [['--name', 'x', '--tenant', 'dev'], ['dev Pod default x']],
    [['cm/app.yaml', '--tenant', 'dev'], ['dev ConfigMap default app.yaml']],
  ])('%j', async (argv, about) => {
    const root = oneTenant();
    put(root, { 'new.yaml': SERVICE });
    const told = await explain(root, ...argv);
    expect(told).toMatchObject({ code: 0, about });
  });

  test('a folder that is called like a kind is the kind where a name follows, and else a folder', async () => {
    const root = oneTenant();
    mkdirSync(join(root, 'cm'));
    expect((await explain(root, 'cm', 'a', '--tenant', 'dev')).about).toEqual(['dev ConfigMap default a']);
    expect((await explain(root, 'cm', '--tenant', 'dev', '--tenant-namespace', 'team-dev', '--name', 'a')).err).toContain(
      'cm is a part of the package .,',
    );
  });

  test('a word alone is a kind that the package declares', async () => {
    const root = oneTenant({
      'crd.yaml':
        'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.shop.io}\nspec: {group: shop.io, names: {kind: Widget, plural: widgets}, scope: Namespaced, versions: [{name: v1}]}\n',
    });
    expect((await explain(root, 'widgets', '--name', 'a', '--tenant', 'dev')).about).toEqual(['dev Widget default a']);
  });

  test('a folder above the package is the package with it', async () => {
    const root = twoTenants();
    const told = await explain(dirname(dirname(root)), root, 'cm/a', '--tenant', 'dev');
    expect(told).toMatchObject({ code: 0, about: ['dev ConfigMap default a'] });
    expect((await explain(join(root, 'tenants'), root, 'cm/a', '--tenant', 'dev')).code).toBe(0);
  });

  test.each([
    [['Deploymnt/web', '--tenant', 'dev'], 'Did you mean Deployment?'],
    [['no/such/thing', '--tenant', 'dev'], 'no folder or file no/such/thing'],
    [['nowhere', '--tenant', 'dev'], 'no package at'],
    [['nope'], 'nope is no kind that is known, and there is no package at nope.'],
    [['nope', '--name', 'web'], 'nope is no kind that is known, and there is no package at nope.'],
    [['something'], 'The kinds of tenants’ objects are Pod, Deployment, '],
    [['nope'], 'Did you mean Node? The kinds of tenants’ objects are Pod, '],
    [['deployy'], 'Did you mean deploy?'],
    [['nowhere', '--kind', 'svc', '--name', 'web', '--tenant', 'dev'], 'There is no package at'],
    [['nowhere', '-f', 'new.yaml', '--tenant', 'dev'], 'There is no package at'],
    [['missing.yaml', '--tenant', 'dev'], 'The manifest missing.yaml cannot be read'],
    [['.', 'no/missing.yaml', '--tenant', 'dev'], 'The manifest no/missing.yaml cannot be read'],
    [['svc', 'web', 'more', '--tenant', 'dev'], 'more than the kind and the name'],
    [['svc/web', '--name', 'x', '--tenant', 'dev'], 'Say it once.'],
    [['svc', '--tenant', 'dev'], 'Which object?'],
    [['new.yaml', '-f', 'other.yaml', '--tenant', 'dev'], 'Two manifests'],
    [['svc/web', '-n', 'a', '--virtual-namespace', 'b', '--tenant', 'dev'], 'say two namespaces: b and a'],
    [['svc/web', '--tenant', 'x/dev', '--tenant-namespace', 'y'], 'say two namespaces: x and y'],
  ])('what is wrong is said: %j', async (argv, message) => {
    const root = oneTenant();
    put(root, { 'new.yaml': SERVICE });
    expect(await explain(root, ...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

describe('what is easily overlooked is said', () => {
  test('an object of that name in another virtual namespace', async () => {
    const root = oneTenant();
    const { err, out } = await explain(root, 'svc/web', '--tenant', 'dev');
    const words = 'the package has no Service web in virtual namespace default, but one in shop (-n shop)';
    expect(err).toBe(`note: ${words}.\n`);
    expect(JSON.parse(out).decision.undecided).toContain(words);
    expect((await explain(root, 'svc/web', '--tenant', 'dev', '-n', 'shop')).err).toBe('');
    expect((await explain(root, 'svc/other', '--tenant', 'dev')).err).toBe('');
  });

  test.each<[string, Record<string, string>]>([
    ['a file that cannot be read', { 'tenants/dev/objects/bad.yaml': 'a: b\nc: [\n' }],
    ['a mode that is not there yet', { 'tenants/dev/tenant.yaml': tenantYaml('dev', '  mode: private\n') }],
    [
      'a profile that is not there',
      { 'platform.yaml': 'apiVersion: tenantplane.io/v1alpha1\nkind: SyncPolicy\nmetadata: {name: default}\nspec: {resources: []}\n' },
    ],
  ])('a tenant that is frozen by %s, with the reason that a render gives first', async (_, files) => {
    const root = oneTenant(files);
    const report = JSON.parse((await tenantplane(['render', '-o', 'json'], { cwd: root })).out);
    const why = report.tenants.find((tenant: { name: string }) => tenant.name === 'dev').frozen;
    const { code, err, out } = await explain(root, 'cm/a', '--tenant', 'dev');
    expect(why).toEqual(expect.any(String));
    expect(code).toBe(0);
    expect(JSON.parse(out).decision.frozen).toBe(why);
    expect(err).toContain(`tenant team-dev/dev is frozen, its tree stays as it last was: ${why}`);
    const text = await tenantplane(['explain-sync', 'cm/a', '--tenant', 'dev', '-o', 'text'], { cwd: root });
    expect(text.out.split('\n')[1]).toBe(`  frozen: the tenant's tree stays as it last was. Why: ${why}`);
  });

  test.each<[string, Record<string, string>]>([
    ['of a frozen tenant', { 'tenants/dev/tenant.yaml': tenantYaml('dev', '  mode: private\n') }],
    ['of a package that stops', { 'broken.yaml': 'a: b\nc: [\n' }],
  ])('an object %s that stands in the tree: its name on the host, and that it stays', async (_, files) => {
    const root = oneTenant();
    await tenantplane(['render'], { cwd: root });
    put(root, { ...files, 'tenants/dev/objects/new.yaml': configMap('new') });
    const said = async (word: string): Promise<string> =>
      (await tenantplane(['explain-sync', word, '--tenant', 'dev', '-o', 'text'], { cwd: root })).out;
    expect(await said('cm/a')).toContain('\n  is ConfigMap team-dev/a-x-default-x-dev on the host, and stays as last rendered\n');
    expect(await said('cm/a')).not.toContain('is not on the host');
    expect(await said('cm/new')).not.toContain('stays as last rendered');
    const { out } = await explain(root, 'cm/a', '--tenant', 'dev');
    expect(JSON.parse(out)).toMatchObject({ hostResource: { namespace: 'team-dev', name: 'a-x-default-x-dev' }, asLastRendered: true });
  });

  test('a package that stops the render', async () => {
    const root = oneTenant({ 'broken.yaml': 'a: b\nc: [\n' });
    const { err, out } = await explain(root, 'cm/a', '--tenant', 'dev');
    expect(err).toContain('note: the render stops, so nothing of this is written: broken.yaml: ');
    expect(JSON.parse(out).decision.stopped).toContain('broken.yaml: ');
  });

  test('one refused object freezes nobody', async () => {
    const { err } = await explain(oneTenant({ 'tenants/dev/objects/p.yaml': HOST_PATH_POD }), 'pod/worker', '--tenant', 'dev');
    expect(err).toBe('');
  });
});

test('a note has one mark, whoever tells it', async () => {
  const web = `apiVersion: v1
kind: Pod
metadata: {name: web, annotations: {example.com/owner: me}}
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
  - {name: web, image: web, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}
`;
  const root = twoTenants({ 'tenants/dev/objects/web.yaml': web });
  const told = (await tenantplane(['explain-sync', 'pod/web', '--tenant', 'dev', '-o', 'text'], { cwd: root })).out;
  const why = (await tenantplane(['why', 'pod/web', '--tenant', 'dev', '-v'], { cwd: root })).out;
  const marks = (text: string): readonly string[] =>
    [...text.matchAll(/^ {2}([?=!]) (TP\d{4}) /gm)].map(([, mark, code]) => `${mark} ${code}`);
  expect(marks(told)).toEqual(marks(why));
  expect(new Set(marks(told))).toEqual(new Set(['= TP3006', '= TP3037']));
});
