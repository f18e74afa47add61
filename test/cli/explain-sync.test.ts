import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../src/core/kube/json.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { HOST_PATH_POD, tenantplane, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

async function explain(cwd: string, ...argv: string[]): Promise<Record<string, JsonObject>> {
  const { code, out, err } = await tenantplane(['explain-sync', ...argv, '-o', 'json'], { cwd });
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

describe('without a package', () => {
  const NAMES = ['--tenant', 'dev', '--tenant-namespace', 'team-dev'];

  test('the public shape comes first, and what is not known is said', async () => {
    const { out, err } = await tenantplane(['explain-sync', ...NAMES, '--name', 'nginx'], { cwd: scratch() });
    expect(err).toContain('only names can be told');
    expect(out.split('\n').filter((line) => /^\w/.test(line))).toEqual([
      'tenantResource:',
      'hostResource:',
      'labels:',
      'annotations:',
      'decision:',
      expect.stringMatching(/^reason: /),
    ]);
    const [read] = readDocuments(`apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec:\n${out.replace(/^/gm, '  ')}`, 'x').objects;
    expect(read?.object['spec']).toMatchObject({
      tenantResource: { tenantCluster: 'dev', virtualNamespace: 'default', kind: 'Pod', name: 'nginx' },
      hostResource: { namespace: 'team-dev', name: 'nginx-x-default-x-dev' },
      labels: {
        'app.kubernetes.io/managed-by': 'tenantplane',
        'tenantplane.io/tenant': 'dev',
        'tenantplane.io/virtual-namespace': 'default',
        'tenantplane.io/kind': 'pod',
      },
      annotations: { 'tenantplane.io/virtual-namespace': 'default', 'tenantplane.io/virtual-name': 'nginx' },
      decision: {
        action: 'Create',
        disposition: 'Undecided',
        code: 'TP9006 FactMissing',
        undecided: expect.arrayContaining([expect.stringContaining('SyncPolicy')]),
      },
    });
  });

  test.each([
    [['--virtual-namespace', 'kube-system', '--name', 'coredns'], 'TP2003 SystemNamespace'],
    [['--kind', 'Service', '--name', 'kubernetes'], 'TP2004 ControlPlaneInfrastructure'],
    [['--kind', 'ConfigMap', '--name', 'kube-root-ca.crt'], 'TP2004 ControlPlaneInfrastructure'],
    [['--kind', 'ResourceQuota', '--name', 'q'], 'TP2013 KindNeverProjected'],
    [['--kind', 'ClusterRole', '--name', 'admin'], 'TP2011 KindIsClusterScoped'],
    [['--kind', 'TenantCluster', '--name', 'x'], 'TP2017 ConfigFromTenant'],
    [['--name', 'Not_A_Name'], 'TP1030 InvalidName'],
  ])('what never exists on the host is not predicted: %j', async (argv, code) => {
    const found = await explain(scratch(), ...NAMES, ...argv);
    expect(found['hostResource']).toBeNull();
    expect(found['decision']).toMatchObject({ action: 'Skip', code });
    expect(found).not.toHaveProperty('labels');
  });

  test('without names of a tenant it asks for them', async () => {
    const { code, err } = await tenantplane(['explain-sync', '--name', 'x'], { cwd: scratch() });
    expect(code).toBe(2);
    expect(err).toContain('give both --tenant and --tenant-namespace');
  });
});

describe('with a package', () => {
  test('the decision is the one that a render makes', async () => {
    const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
    await tenantplane(['render', '--ledger'], { cwd: root });
    const ledger = readFileSync(join(root, '.tenantplane/team-dev.dev.ndjson'), 'utf8').trimEnd().split('\n').slice(1);
    const sources = ledger.map((line) => JSON.parse(line)).filter((line) => line.source !== undefined);
    expect(sources).toHaveLength(2);
    for (const line of sources) {
      const [, kind, , name] = line.k.split('|');
      const found = await explain(root, '--tenant', 'dev', '--kind', kind, '--name', name);
      expect(String(found['decision']?.['code'])).toContain(line.code);
      expect(found['decision']).toMatchObject({ action: line.action, disposition: line.disposition });
      if (line.host !== undefined)
        expect(line.host).toBe(`${kind}|${found['hostResource']?.['namespace']}|${found['hostResource']?.['name']}`);
      else expect(found['hostResource']).toBeNull();
    }
  });

  test('labels and annotations are those of the rendered object', async () => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    const text = readFileSync(join(root, 'host/team-dev/configmap_a-x-default-x-dev.yaml'), 'utf8');
    const rendered = readDocuments(text, 'a').objects[0]?.object ?? {};
    const found = await explain(root, '--tenant', 'dev', '--kind', 'cm', '--name', 'a');
    expect(objectAt(rendered, 'metadata', 'labels')).toMatchObject(found['labels'] ?? {});
    expect(objectAt(rendered, 'metadata', 'annotations')).toMatchObject(found['annotations'] ?? {});
  });

  test('a kind that the policy does not list is not predicted', async () => {
    const found = await explain(twoTenants(), '--tenant', 'dev', '--kind', 'deployments', '--name', 'web');
    expect(found).toMatchObject({
      hostResource: null,
      decision: { code: 'TP2002 KindNotListed', remedy: expect.stringContaining('apps/v1') },
    });
    expect(found['decision']).not.toHaveProperty('undecided');
  });

  test('of an object that is only a name, isolation is not claimed to be checked', async () => {
    const found = await explain(twoTenants(), '--tenant', 'dev', '--name', 'nginx');
    expect(found['decision']).toMatchObject({
      code: 'TP2001 PolicyMatched',
      undecided: expect.arrayContaining([expect.stringContaining('-f FILE')]),
    });
    expect(found['decision']).not.toHaveProperty('notes');
  });

  test('a manifest is judged in full, from a file or stdin, several at once', async () => {
    const root = twoTenants();
    put(root, { 'new.yaml': `${HOST_PATH_POD}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, namespace: shop}\n` });
    const both = await explain(root, '--tenant', 'dev', '-f', 'new.yaml');
    expect(both).toMatchObject([
      { hostResource: null, decision: { code: 'TP3004 HostPathBlocked' } },
      { hostResource: { name: 'new-x-shop-x-dev' }, decision: { action: 'Create' } },
    ]);
    const piped = await tenantplane(['explain-sync', '--tenant', 'dev', '-f', '-', '-o', 'text'], { cwd: root, stdin: HOST_PATH_POD });
    expect(piped.out).toContain('is not on the host\n  TP3004 HostPathBlocked');
  });

  test('a manifest of an object that is there already stands in for it', async () => {
    const root = twoTenants();
    put(root, { 'new.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {other: x}\n' });
    expect(await explain(root, '--tenant', 'dev', '-f', 'new.yaml')).toMatchObject({ decision: { action: 'Create' } });
  });

  test('--trace and --fields show how it came about', async () => {
    const found = await explain(twoTenants(), '--tenant', 'dev', '--kind', 'ConfigMap', '--name', 'a', '--trace', '--fields');
    expect(found['trace']).toContainEqual({ rule: 'scope.system-namespace', outcome: 'Passed' });
    expect(found['fields']).toContainEqual({
      pointer: '/metadata/name',
      op: 'Replace',
      before: 'a',
      after: 'a-x-default-x-dev',
      by: 'rw.identity',
    });
  });

  test.each([
    [['--name', 'x'], 'The package has 2 tenants that could be meant'],
    [['--tenant', 'dve', '--name', 'x'], 'Did you mean dev?'],
    [['--tenant', 'dev'], 'neither --name nor -f'],
    [['--tenant', 'dev', '--kind', 'Deploymnt', '--name', 'x'], 'Did you mean Deployment?'],
    [['--tenant', 'dev', '-f', 'no.yaml'], 'no.yaml cannot be read'],
    [['--tenant', 'dev', '-f', 'platform.yml'], 'holds no object'],
    [['--tenant', 'dev', '-f', 'broken.yaml'], 'broken.yaml:3'],
  ])('what is wrong is said: %j', async (argv, message) => {
    const root = twoTenants();
    put(root, { 'platform.yml': '# nothing\n', '.hidden': '' });
    put(root, { 'broken.yaml': 'a: b\nc: [\n' });
    const { code, err } = await tenantplane(['explain-sync', ...argv], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('an object of the host, given by mistake, is named with the right command', () => {
  const rendered = async (): Promise<string> => {
    const root = twoTenants();
    await tenantplane(['render'], { cwd: root });
    return root;
  };

  test.each([
    ['a file', ['host/team-dev/configmap_a-x-default-x-dev.yaml']],
    ['a file with -f', ['-f', 'host/team-dev/configmap_a-x-default-x-dev.yaml']],
    ['a name', ['configmap/a-x-default-x-dev']],
    ['flags', ['--kind', 'cm', '--name', 'a-x-default-x-dev']],
  ])('%s of a projected one', async (_, words) => {
    const { code, err } = await tenantplane(['explain-sync', '.', '--tenant', 'dev', ...words], {
      cwd: await rendered(),
    });
    expect(code).toBe(2);
    expect(err).toContain('ConfigMap team-dev/a-x-default-x-dev on the host: ConfigMap default/a of tenant team-dev/dev, rendered from');
    const command = /try: .*: tenantplane (explain-sync .*)$/m.exec(err)?.[1]?.split(' ') ?? [];
    expect((await tenantplane([...command, '-o', 'text'], { cwd: await rendered() })).out).toContain(
      'becomes ConfigMap team-dev/a-x-default-x-dev',
    );
  });

  test.each([
    ['host/team-dev/namespace_team-dev.yaml', /made by IsolationProfile\/restricted.*explain-code TP3001/s],
    ['host/config/syncpolicy.tenantplane.io_default.yaml', /a copy of platform.yaml; .*Read platform.yaml/s],
    ['limitrange/tenantplane-defaults', /LimitRange team-dev\/tenantplane-defaults on the host, made by/],
  ])('what we make, or copy: %s', async (word, said) => {
    const { code, err } = await tenantplane(['explain-sync', '.', '--tenant', 'dev', word], { cwd: await rendered() });
    expect([code, err]).toEqual([2, expect.stringMatching(said)]);
  });

  test('one that the tenant has copied into its own folder is the tenant’s', async () => {
    const root = await rendered();
    const text = readFileSync(join(root, 'host/team-dev/configmap_a-x-default-x-dev.yaml'), 'utf8');
    put(root, { 'tenants/dev/objects/copy.yaml': text });
    expect((await tenantplane(['explain-sync', '.', 'tenants/dev/objects/copy.yaml'], { cwd: root })).code).toBe(0);
    expect((await tenantplane(['explain-sync', '.', '--tenant', 'dev', 'cm/a-x-default-x-dev'], { cwd: root })).code).toBe(0);
  });
});

test('every refusal is told alike, with what to do', async () => {
  const pod = HOST_PATH_POD.replace('spec:', 'spec:\n  hostNetwork: true');
  const cwd = twoTenants();
  const { out } = await tenantplane(['explain-sync', '--tenant', 'dev', '-f', '-', '-o', 'text'], { cwd, stdin: pod });
  const lines = out.split('\n');
  const refusals = lines.flatMap((line, at) => (/^ {2}TP3\d{3} \w+: /.test(line) ? [at] : []));
  expect(refusals.length).toBeGreaterThan(1);
  for (const at of refusals) expect(lines[at + 1]).toMatch(/^ {2}try: \S/);
  expect(out).not.toMatch(/\? TP3/);
  const told = await tenantplane(['explain-sync', '--tenant', 'dev', '-f', '-', '-o', 'json'], { cwd, stdin: pod });
  const remedies = refusals.slice(1).map((at) => lines[at + 1]?.replace('  try: ', ''));
  expect(JSON.parse(told.out).decision.notes).toEqual(remedies.map((remedy) => expect.stringContaining(remedy ?? '?')));
});
