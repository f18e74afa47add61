import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { EXAMPLES } from '../support/example.ts';
import { tenantplane, tenantYaml } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly path: string;
    readonly dependsOn?: readonly { readonly name: string }[];
    readonly destinations: readonly { readonly namespace: string }[];
    readonly clusterResourceWhitelist: readonly { readonly group: string; readonly kind: string }[];
    readonly destination: Readonly<Record<string, string>>;
    readonly source: Readonly<Record<string, unknown>>;
  };
}

async function print(...argv: string[]): Promise<Printed[]> {
  const { code, out, err } = await tenantplane(['render', ...argv], { cwd: EXAMPLES });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return loadAll(out) as Printed[];
}

/** Values that flags of `render` take. */
const SAMPLES: Readonly<Record<string, string>> = {
  '--report': 'sarif=/nowhere/x.sarif',
  '--host-version': '1.34',
  '--fail-on': 'warning',
  '--max-deletions': '3',
};

const REPO = ['--repo', 'https://git.example.com/fleet.git', '--path', 'host'];
const SOURCE = ['--source', 'GitRepository/fleet', '--path', 'host'];

/** A tree with a folder for the platform, one tenant and the configuration. */
function treeWithPlatform(): string {
  const root = scratch();
  const files = {
    'platform/policy.yaml': ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'walls', ''],
    'platform/levels.yaml': ['flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', 'tenants', ''],
    'team-dev/namespace.yaml': ['v1', 'Namespace', 'team-dev', ''],
    'team-dev/web.yaml': ['apps/v1', 'Deployment', 'web', 'team-dev'],
    'config/tenant.yaml': ['tenantplane.io/v1alpha1', 'TenantCluster', 'dev', 'team-dev'],
  };
  for (const [path, [apiVersion, kind, name, namespace]] of Object.entries(files)) {
    mkdirSync(join(root, 'host', path, '..'), { recursive: true });
    const place = namespace === '' ? '' : `\n  namespace: ${namespace}`;
    const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}${place}\n  labels: { app.kubernetes.io/managed-by: tenantplane }\n  annotations: { tenantplane.io/origin: git, tenantplane.io/decision: x }\n`;
    writeFileSync(join(root, 'host', path), text);
  }
  writeFileSync(join(root, 'host/notes.yaml'), 'of: nobody\n');
  return root;
}

describe('render application', () => {
  test('goes by folder: platform first, configuration last, each held to what it has', async () => {
    const printed = await print('application', treeWithPlatform(), ...REPO);
    expect(printed.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'AppProject tenantplane-platform',
      'AppProject tenantplane-team-dev',
      'AppProject tenantplane-config',
      'Application tenantplane-platform',
      'Application tenantplane-team-dev',
      'Application tenantplane-config',
    ]);
    const projects = printed.slice(0, 3).map(({ spec }) => ({
      namespaces: spec.destinations.map(({ namespace }) => namespace),
      kinds: spec.clusterResourceWhitelist.map(({ kind }) => kind),
    }));
    expect(projects).toEqual([
      { namespaces: [''], kinds: ['ValidatingAdmissionPolicy', 'PriorityLevelConfiguration'] },
      { namespaces: ['team-dev'], kinds: ['Namespace'] },
      { namespaces: ['', 'team-dev'], kinds: [] },
    ]);
  });

  test.each([
    ['application', REPO],
    ['applicationset', REPO],
    ['kustomization', SOURCE],
  ])('and %s prints nothing for a folder that the tree has not', async (command, flags) => {
    const root = treeWithPlatform();
    const all = await print(command, root, ...flags);
    for (const folder of ['platform', 'config']) {
      expect(all.some(({ metadata }) => metadata.name.endsWith(folder))).toBe(true);
      rmSync(join(root, 'host', folder), { recursive: true });
    }
    const left = await print(command, root, ...flags);
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter(({ metadata }) => /-(platform|config)$/.test(metadata.name))).toEqual([]);
  });

  test('and neither, nor applicationset, prints anything for tenants of a tree that has none', async () => {
    const root = treeWithPlatform();
    rmSync(join(root, 'host/team-dev'), { recursive: true });
    for (const [command, flags] of [
      ['application', REPO],
      ['applicationset', REPO],
      ['applicationset', [...REPO, '--project', 'ops']],
      ['kustomization', SOURCE],
    ] as const) {
      const names = (await print(command, root, ...flags)).map(({ metadata }) => metadata.name);
      expect([...new Set(names)].sort()).toEqual(['tenantplane-config', 'tenantplane-platform']);
    }
  });

  test('takes the words that argocd app create takes', async () => {
    const flags = [
      '--revision',
      'v1',
      '--path',
      './fleet/host/',
      '--project',
      'ops',
      '--dest-name',
      'host-eu',
      '--name',
      'eu',
      '--namespace',
      'cd',
    ];
    const printed = await print('application', 'first-tenant', ...REPO, ...flags);
    expect(printed.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'Application cd/eu-platform',
      'Application cd/eu-team-dev',
      'Application cd/eu-config',
    ]);
    expect(printed[1]?.spec).toMatchObject({
      project: 'ops',
      source: { targetRevision: 'v1', path: 'fleet/host/team-dev' },
      destination: { name: 'host-eu', namespace: 'team-dev' },
    });
  });
});

describe('a tree that is older than the package', () => {
  const stale = (): string => {
    const root = treeWithPlatform();
    put(root, {
      'tenants/dev/tenant.yaml': tenantYaml('dev'),
      'tenants/qa/tenant.yaml': tenantYaml('qa'),
      // a tenant's own is no configuration
      'tenants/dev/objects/own.yaml': tenantYaml('own'),
    });
    return root;
  };

  test.each([
    ['application', REPO],
    ['applicationset', REPO],
    ['kustomization', SOURCE],
  ])('is said by render %s', async (command, flags) => {
    const root = stale();
    const { code, out, err } = await tenantplane(['render', command, root, ...flags]);
    expect({ code, err }).toEqual({
      code: 0,
      err: `warning: the tree holds nothing of team-qa/qa, so nothing is printed for it\n  try: tenantplane render ${root}\n`,
    });
    expect(out).not.toContain('team-qa');
    expect((await tenantplane(['render', command, root, ...flags, '--quiet'])).err).toBe('');
  });
});

test('a tenant whose Application would be too large is said, and not where Flux takes each shard by itself', {
  timeout: 60_000,
}, async () => {
  const root = treeWithPlatform();
  const shard = (index: number): string => `host/team-dev/shard-0${index % 8}/c${index}.yaml`;
  const configMap = (index: number): string =>
    `{apiVersion: v1, kind: ConfigMap, metadata: {name: c${index}, namespace: team-dev, labels: {app.kubernetes.io/managed-by: tenantplane}, annotations: {tenantplane.io/origin: git, tenantplane.io/decision: x}}}\n`;
  put(root, Object.fromEntries(Array.from({ length: 3500 }, (_, index) => [shard(index), configMap(index)])));
  const said = async (...argv: string[]): Promise<string> => (await tenantplane(['render', argv[0] ?? '', root, ...argv.slice(1)])).err;
  const warning = /^warning: TP9030 TenantTooLarge: Tenant team-dev has 3502 objects; past 3500 .*\n {2}try: Split the tenant .*\n$/;
  expect(await said('application', ...REPO)).toMatch(warning);
  expect(await said('applicationset', ...REPO)).toMatch(warning);
  expect(await said('applicationset', ...REPO, '--quiet')).toBe('');
  expect(await said('kustomization', ...SOURCE)).toBe('');
});

test('a copy of each TenantCluster in one Application is said where they are too many', async () => {
  const root = treeWithPlatform();
  const copy = (index: number): string =>
    `{apiVersion: tenantplane.io/v1alpha1, kind: TenantCluster, metadata: {name: t${index}, namespace: n${index}, labels: {app.kubernetes.io/managed-by: tenantplane}, annotations: {tenantplane.io/origin: git, tenantplane.io/decision: x}}}\n`;
  const said = async (): Promise<string> => (await tenantplane(['render', 'application', root, ...REPO])).err;
  expect(await said()).toBe('');
  put(root, Object.fromEntries(Array.from({ length: 3500 }, (_, index) => [`host/config/c${index}.yaml`, copy(index)])));
  expect(await said()).toMatch(
    /^warning: TP9035 SharedTooLarge: host\/config has 350\d objects; past 3500 .*\n {2}try: Split the fleet .*\n$/,
  );
}, 60_000);

describe('render kustomization', () => {
  const order = async (...argv: string[]): Promise<Record<string, string[]>> => {
    const printed = await print('kustomization', ...argv, ...SOURCE);
    return Object.fromEntries(printed.map(({ metadata, spec }) => [metadata.name, (spec.dependsOn ?? []).map(({ name }) => name)]));
  };

  test('puts a tenant’s pods behind its policies, and the configuration behind all policies', async () => {
    expect(await order(treeWithPlatform())).toEqual({
      'tenantplane-platform': [],
      'tenantplane-team-dev.isolation': ['tenantplane-platform'],
      'tenantplane-team-dev': ['tenantplane-team-dev.isolation'],
      'tenantplane-config': ['tenantplane-platform', 'tenantplane-team-dev.isolation'],
    });
  });

  test('gives each shard its own, so that none is built together with another', async () => {
    const isolation = 'tenantplane-team-dev.isolation';
    expect(await order('fields/output')).toEqual({
      'tenantplane-platform': [],
      [isolation]: ['tenantplane-platform'],
      'tenantplane-team-dev.shard-00': [isolation],
      'tenantplane-team-dev.shard-01': [isolation],
      'tenantplane-team-dev.shard-02': [isolation],
    });
  });

  test('cuts a name that is too long for a label, and keeps it one', async () => {
    const names = Object.keys(await order('fleet', '--name', 'a-rather-long-prefix-for-a-fleet'));
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(63);
    expect(new Set(names).size).toBe(102);
  });
});

test.each([
  ['no tree yet', ['application', 'delivery/flux', ...REPO], 'There is no rendered tree'],
  ['no package', ['applicationset', 'nowhere', ...REPO], 'There is no package'],
  ['no repository', ['application', 'fleet'], '--repo'],
  ['two destinations', ['application', 'fleet', ...REPO, '--dest-server', 'https://a', '--dest-name', 'b'], 'cannot be used with'],
  ['a source of a kind that Flux has not', ['kustomization', 'fleet', '--source', 'Git/fleet'], 'KIND/NAME'],
  ['a path out of the repository', ['application', 'fleet', ...REPO, '--path', '../host'], 'a folder in the repository'],
  ['a prefix that is no name', ['application', 'fleet', ...REPO, '--name', 'No_Name'], 'DNS label'],
  ['an interval that is none', ['kustomization', 'fleet', ...SOURCE, '--interval', 'often'], 'a duration'],
  ['an empty repository', ['application', 'fleet', '--repo', ''], 'the URL of a Git repository'],
  ['a repository of two lines', ['application', 'fleet', '--repo', 'https://a/b\nc: d'], 'the URL of a Git repository'],
  ['an empty revision', ['application', 'fleet', ...REPO, '--revision', ''], 'a branch, a tag or a commit'],
  ['an empty server', ['application', 'fleet', ...REPO, '--dest-server', ''], 'the URL of an API server'],
  ['a server that is no URL', ['application', 'fleet', ...REPO, '--dest-server', 'in-cluster'], 'the URL of an API server'],
  ['an empty cluster', ['application', 'fleet', ...REPO, '--dest-name', ''], 'the name of a cluster'],
  ['a namespace that is none', ['application', 'fleet', ...REPO, '--namespace', 'Bad NS'], 'a DNS label such as'],
  ['a namespace that Flux has not', ['kustomization', 'fleet', ...SOURCE, '--namespace', ''], 'a DNS label such as'],
  ['a project that is none', ['applicationset', 'fleet', ...REPO, '--project', 'p q'], 'the name of an AppProject'],
  ['a path that is a template', ['applicationset', 'fleet', ...REPO, '--path', '{{ .x }}'], 'It holds a template'],
  ['a path that is a pattern', ['applicationset', 'fleet', ...REPO, '--path', 'fleet/*'], 'without * ? [ ]'],
  ['a source without a legal name', ['kustomization', 'fleet', '--source', 'GitRepository/No Name'], 'NAME a DNS subdomain'],
  ['an output that is a render’s', ['kustomization', 'fleet', ...SOURCE, '-o', 'stdout'], '-o yaml or -o json'],
])('%s is said, with exit code 2', async (_, argv, words) => {
  const { code, out, err } = await tenantplane(['render', ...argv], { cwd: EXAMPLES });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(words);
});

describe('without --path', () => {
  const path = async (command: string, flags: readonly string[], at: string, cwd = '/'): Promise<{ path: unknown; err: string }> => {
    const { out, err } = await tenantplane(['render', command, at, ...flags.slice(0, 2)], { cwd });
    const specs = (loadAll(out) as Printed[]).map(({ kind, metadata, spec }) => ({ kind, name: metadata.name, spec }));
    const found = specs.find(({ kind, name }) => kind !== 'AppProject' && name.endsWith('-config'))?.spec;
    return { path: found?.source?.['path'] ?? found?.path, err };
  };

  test.each([
    ['application', REPO],
    ['applicationset', REPO],
    ['kustomization', SOURCE],
  ])('%s has the tree where git has it, wherever it is called', async (command, flags) => {
    const repository = scratch();
    const root = join(repository, 'clusters/eu');
    mkdirSync(join(repository, 'clusters'));
    renameSync(treeWithPlatform(), root);
    const alone = await path(command, flags, root);
    expect(alone).toEqual({ path: expect.stringMatching(/^(\.\/)?host\/config$/), err: expect.stringContaining('in no git repository') });
    for (const dotGit of ['folder', 'file']) {
      if (dotGit === 'folder') mkdirSync(join(repository, '.git'));
      else {
        rmSync(join(repository, '.git'), { recursive: true });
        writeFileSync(join(repository, '.git'), 'gitdir: /elsewhere\n');
      }
      const wanted = { path: expect.stringMatching(/^(\.\/)?clusters\/eu\/host\/config$/), err: '' };
      expect(await path(command, flags, root)).toEqual(wanted);
      expect(await path(command, flags, '.', root)).toEqual(wanted);
    }
    mkdirSync(join(root, '.git'));
    expect(await path(command, flags, root)).toEqual({ path: expect.stringMatching(/^(\.\/)?host\/config$/), err: '' });
  });
});

describe('a flag of render at what is printed', () => {
  const PRINTERS = [
    ['application', 'fleet', ...REPO],
    ['applicationset', 'fleet', ...REPO],
    ['kustomization', 'fleet', ...SOURCE],
    ['tenantcluster', 'dev'],
    ['isolationprofile', 'strict'],
    ['syncpolicy', 'all'],
  ];
  // every flag that render has, so that one which is added is not passed over
  const render = createProgram({} as never).commands.find((command) => command.name() === 'render');
  const flags = (render?.options ?? []).filter(({ long }) => long !== '--output');

  test.each(PRINTERS)('is refused by %s, behind it and before it', async (...argv) => {
    expect(flags.length).toBeGreaterThan(9);
    const [command = ''] = argv;
    for (const { long, required } of flags) {
      const words = [long ?? '', ...(required ? [SAMPLES[long ?? ''] ?? 'x'] : [])];
      for (const typed of [
        ['render', ...argv, ...words],
        ['render', ...words, ...argv],
      ]) {
        const { code, out, err } = await tenantplane(typed, { cwd: EXAMPLES });
        expect({ typed, code, out }).toEqual({ typed, code: 2, out: '' });
        expect(err).toMatch(new RegExp(`^error: ${long} is a flag of render itself, and render ${command} takes .+\\.\n {2}try: .+\n$`));
      }
    }
  });

  test('says what compares instead', async () => {
    const { err } = await tenantplane(['render', 'application', 'fleet', ...REPO, '--check'], { cwd: EXAMPLES });
    expect(err).toContain('try: Print it again and compare: tenantplane render application | diff FILE -\n');
  });

  test('an example object is printed as YAML or JSON', async () => {
    const yaml = await tenantplane(['render', 'tenantcluster', 'dev', '-o', 'yaml']);
    const json = await tenantplane(['render', 'tenantcluster', 'dev', '-o', 'json']);
    expect(loadAll(yaml.out)).toEqual([JSON.parse(json.out)]);
    expect((await tenantplane(['render', 'tenantcluster', 'dev'])).out).toBe(yaml.out);
  });
});
