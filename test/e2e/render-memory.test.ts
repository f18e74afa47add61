import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../cli/bad-input/run-row.ts';
import { PLATFORM, tenantYaml } from '../cli/harness.ts';
import { put, read, scratch } from '../cli/tree/disk.ts';

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n';
const FACTS = 'apiVersion: tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {}\n';
const HOST_FILE = 'host/team-dev/configmap_settings-x-default-x-dev.yaml';
const RENDER_TENANT = 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: render}\nspec: {}\n';
const FORGED = 'what was remembered\n';

const folder: string = mkdtempSync(join(tmpdir(), 'tenantplane-memory-'));
const dist: string = join(folder, 'dist');
const root: string = join(folder, 'work/package');
const cache: string = join(folder, 'work/cache');
const saved: string = join(folder, 'saved');

beforeAll(() => {
  build(dist);
  remember();
  cpSync(join(folder, 'work'), saved, { recursive: true });
});
beforeEach(() => {
  rmSync(join(folder, 'work'), { recursive: true });
  cpSync(saved, join(folder, 'work'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function render(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Ran {
  const { CI: _, ...own } = process.env;
  const child = spawnSync(process.execPath, [join(dist, 'tenantplane.mjs'), 'render', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...own, TENANTPLANE_CACHE: cache, ...env },
  });
  return { code: child.status, out: child.stdout, err: child.stderr };
}

const entries = (): string[] => readdirSync(join(cache, 'renders')).map((name) => join(cache, 'renders', name));

/** A package whose unchanged render is remembered, under words of ours: they show what was remembered and what was planned. */
function remember(): void {
  put(root, {
    'platform.yaml': PLATFORM,
    'dev/tenant.yaml': tenantYaml('dev'),
    'dev/objects/settings.yaml': CONFIG_MAP,
    'facts.yaml': FACTS,
  });
  render();
  forge(render(['--no-cache']).out);
}

/** @param expected what the entry must have held */
function forge(expected: string): void {
  const [file = ''] = entries();
  const entry = JSON.parse(readFileSync(file, 'utf8')) as { stdout: string };
  expect(entry.stdout).toBe(expected);
  writeFileSync(file, JSON.stringify({ ...entry, stdout: FORGED }));
}

const at = (path: string): string => join(root, path);
const add = (path: string, text: string): void => writeFileSync(at(path), readFileSync(at(path), 'utf8') + text);

const CHANGES: readonly (readonly [what: string, change: () => void])[] = [
  ['a source is edited', () => add('dev/objects/settings.yaml', '# a comment\n')],
  ['a source is added', () => put(root, { 'dev/objects/more.yaml': CONFIG_MAP.replace('settings', 'more') })],
  ['a source is removed', () => rmSync(at('dev/objects/settings.yaml'))],
  ['a source is renamed', () => renameSync(at('dev/objects/settings.yaml'), at('dev/objects/renamed.yaml'))],
  ['bytes move from one source to the next', () => renameSync(at('platform.yaml'), at('dev/objects/platform.yaml'))],
  ['a link is added', () => symlinkSync('/etc/hostname', at('dev/objects/link.yaml'))],
  ['a source is ignored', () => put(root, { '.krmignore': 'dev/objects/settings.yaml\n' })],
  ['facts of the host are edited', () => add('facts.yaml', '# a comment\n')],
  ['a RenderTenant is added', () => put(root, { 'config.yaml': RENDER_TENANT })],
  ['an output is edited by hand', () => add(HOST_FILE, '# a comment\n')],
  ['an output is removed', () => rmSync(at(HOST_FILE))],
  ['a file of others is added to the tree', () => put(root, { 'host/team-dev/README.txt': 'hello' })],
  ['the tree is gone', () => rmSync(at('host'), { recursive: true })],
];

const WRITES: readonly (readonly [what: string, change: () => void])[] = [
  ['adds a file', () => put(root, { 'dev/objects/more.yaml': CONFIG_MAP.replace('settings', 'more') })],
  ['changes a file', () => add('dev/objects/settings.yaml', 'immutable: false\n')],
  ['writes the whole tree', () => rmSync(at('host'), { recursive: true })],
  ['has nothing to write', () => add('dev/objects/settings.yaml', '# a comment\n')],
];

const POLICY_OF_INGRESSES = `apiVersion: tenantplane.io/v1alpha1
kind: SyncPolicy
metadata: {name: default}
spec:
  resources:
  - {apiVersion: v1, kind: ConfigMap, direction: toHost}
  - {apiVersion: networking.k8s.io/v1, kind: Ingress, direction: toHost}
`;
const FLEET: Readonly<Record<string, string>> = {
  'platform.yaml': `${PLATFORM.split('---')[0]}---\n${POLICY_OF_INGRESSES}`.replace(
    '{level: restricted}',
    '{level: restricted, allow: {ingressClasses: [nginx], ingressHostSuffixes: [example.com]}}',
  ),
  'config.yaml': RENDER_TENANT.replace('{}', '{output: {config: exclude}, failOn: never}'),
  ...Object.fromEntries(['dev', 'one', 'two'].map((name) => [`${name}/tenant.yaml`, tenantYaml(name)])),
};
const ingress = (host: string): string => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  ingressClassName: nginx
  rules:
  - {host: ${host}, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}
`;

/** What a render tells of the tree as it stood, and of no other: packages as they are rendered, and what then happens to them. */
const LEANING: readonly (readonly [what: string, word: string, files: Readonly<Record<string, string>>, change: () => void])[] = [
  [
    'who held an Ingress host',
    'IngressHostTaken',
    { 'dev/objects/web.yaml': ingress('a.example.com') },
    () =>
      put(root, {
        'dev/objects/web.yaml': ingress('b.example.com'),
        'one/objects/web.yaml': ingress('a.example.com'),
        'two/objects/web.yaml': ingress('a.example.com'),
      }),
  ],
  [
    'what moved around a frozen tenant that has files of others alone',
    'ProfileMovedOn',
    {},
    () => {
      rmSync(at('host'), { recursive: true });
      put(root, { 'host/team-two/other.yaml': CONFIG_MAP, 'two/objects/bad.yaml': 'a: [' });
    },
  ],
  [
    'what moved under a tenant that is lost, with a tree that is ours no more',
    'ProfileMovedOn',
    { 'two/objects/settings.yaml': CONFIG_MAP },
    () => {
      rmSync(at('two/tenant.yaml'));
      for (const name of readdirSync(at('host/team-two'))) {
        const file = `host/team-two/${name}`;
        put(root, { [file]: readFileSync(at(file), 'utf8').replace('managed-by: tenantplane', 'managed-by: others') });
      }
      rmSync(at('host/platform'), { recursive: true });
    },
  ],
];

const CALLS: readonly { readonly what: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> }[] = [
  { what: '--no-cache', args: ['--no-cache'] },
  { what: '--check', args: ['--check'] },
  { what: 'another flag', args: ['--host-version', '1.34'] },
  { what: 'a platform', args: ['--platform', '.'] },
  { what: 'a ledger', args: ['--ledger'] },
  { what: 'more words', args: ['-v'] },
  { what: 'CI', args: [], env: { CI: 'true' } },
];

function linkAway(file: string): void {
  renameSync(file, `${file}.real`);
  symlinkSync(`${file}.real`, file);
}

const HOSTILE: readonly (readonly [what: string, change: (file: string) => void])[] = [
  ['is no JSON', (file) => writeFileSync(file, '{')],
  ['is torn', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 50))],
  ['holds other types', (file) => writeFileSync(file, JSON.stringify({ stdout: 1, exitCode: 'x', sources: [], tree: null }))],
  ['can be written by others', (file) => chmodSync(file, 0o666)],
  ['is a link', linkAway],
  ['knows other digests', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/"tree":"./, '"tree":"x'))],
];

interface Place {
  readonly what: string;
  readonly env: () => Readonly<Record<string, string>>;
  readonly prepare?: () => void;
}

const home = join(folder, 'work/home');

const WITH_SOURCES: readonly Place[] = [
  { what: 'in the package', env: () => ({ TENANTPLANE_CACHE: at('cache') }) },
  { what: 'in the package, by a relative path', env: () => ({ TENANTPLANE_CACHE: 'cache' }) },
  { what: 'in the package, under a dot', env: () => ({ TENANTPLANE_CACHE: at('.cache') }) },
  { what: 'in its tree', env: () => ({ TENANTPLANE_CACHE: at('host') }) },
  {
    what: 'where .gitignore names it',
    env: () => ({ TENANTPLANE_CACHE: at('cache') }),
    prepare: () => put(root, { '.gitignore': 'cache/\n' }),
  },
  { what: 'where XDG_CACHE_HOME is in the package', env: () => ({ XDG_CACHE_HOME: at('cache') }) },
  { what: 'where the package is somebody’s home', env: () => ({ HOME: root }) },
  {
    what: 'behind a link into the package',
    env: () => ({ TENANTPLANE_CACHE: join(folder, 'work/link') }),
    prepare: () => symlinkSync(root, join(folder, 'work/link')),
  },
  {
    what: 'behind a link in its own place',
    env: () => ({ TENANTPLANE_CACHE: join(folder, 'work/other') }),
    prepare() {
      mkdirSync(join(folder, 'work/other'));
      symlinkSync(at('dev'), join(folder, 'work/other/renders'));
    },
  },
  {
    what: 'elsewhere in the repository',
    env: () => ({ TENANTPLANE_CACHE: cache }),
    prepare: () => put(join(folder, 'work'), { '.git': 'gitdir: elsewhere\n' }),
  },
];

const BESIDE: readonly (Place & { readonly kept: () => string })[] = [
  {
    what: 'beside the repository',
    env: () => ({ XDG_CACHE_HOME: home }),
    prepare: () => put(root, { '.git': 'gitdir: elsewhere\n' }),
    kept: () => join(home, 'tenantplane/renders'),
  },
  {
    what: 'in a folder that begins like the package',
    env: () => ({ TENANTPLANE_CACHE: `${root}-cache` }),
    kept: () => `${root}-cache/renders`,
  },
  {
    what: 'under HOME where XDG_CACHE_HOME is relative',
    env: () => ({ XDG_CACHE_HOME: 'cache', HOME: home }),
    kept: () => join(home, '.cache/tenantplane/renders'),
  },
];

describe('an unchanged render that is remembered', () => {
  test('is told again, in a file that its owner alone may read, and nothing of the tree is in it', () => {
    expect(render()).toEqual({ code: 0, out: FORGED, err: '' });
    const [file = ''] = entries();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object).sort()).toEqual(['exitCode', 'sources', 'stdout', 'tree']);
  });

  test.each(CHANGES)('is planned again where %s', (_, change) => {
    change();
    expect(render().out).not.toContain(FORGED);
  });

  test.each(WRITES)('is known after a render that %s', (_, change) => {
    change();
    expect(render().out).not.toContain(FORGED);
    forge(render(['--no-cache']).out);
    expect(render().out).toBe(FORGED);
  });

  test('is not known after a render that tells of what left', () => {
    rmSync(at('dev/objects/settings.yaml'));
    expect(render().out).toContain('removed 1');
    expect(render().out).toContain('wrote 0 files, removed 0');
    forge(render(['--no-cache']).out);
    expect(render().out).toBe(FORGED);
  });

  test.each(LEANING)('is not known after a render that tells %s', (_, word, files, change) => {
    rmSync(root, { recursive: true });
    put(root, { ...FLEET, ...files });
    expect(render()).toMatchObject({ code: 0, err: '' });
    change();
    expect(render().out).toContain(word);
    const { out } = render();
    expect(out).toContain('wrote 0 files');
    expect(out).toBe(render(['--no-cache']).out);
    expect(render().out).toBe(out);
  });

  test.each(CALLS)('is planned again under $what', ({ args, env }) => {
    expect(render(args, env).out).not.toContain(FORGED);
  });

  test('is planned again by another program', () => {
    const other = join(scratch(), 'dist');
    cpSync(dist, other, { recursive: true });
    const child = spawnSync(process.execPath, [join(other, 'tenantplane.mjs'), 'render'], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], TENANTPLANE_CACHE: cache },
    });
    expect(child.stdout).toContain('wrote 0 files');
  });

  test.each(HOSTILE)('is planned again where what is remembered %s', (_, change) => {
    const [file = ''] = entries();
    change(file);
    const { code, out } = render();
    expect(out).toContain('wrote 0 files');
    expect(code).toBe(0);
  });

  test('is forgotten in time: a cache keeps a hundred, and leaves files of others alone', () => {
    const renders = join(cache, 'renders');
    put(renders, { 'of-others.txt': 'mine' });
    for (let i = 0; i < 120; i += 1) writeFileSync(join(renders, `${String(i).padStart(64, '0')}.json`), '{}');
    render(['--host-version', '1.34']);
    render(['--host-version', '1.34']);
    expect(readdirSync(renders)).toHaveLength(101);
    expect(readdirSync(renders)).toContain('of-others.txt');
  });

  test('a cache that cannot be written is no failure', () => {
    rmSync(cache, { recursive: true });
    writeFileSync(cache, '');
    expect(render()).toMatchObject({ code: 0, out: expect.stringContaining('wrote 0 files') });
  });
  test.each(WITH_SOURCES)('is not looked for, and nothing is written, $what', ({ env, prepare }) => {
    const before = read(folder);
    prepare?.();
    const prepared = readdirSync(root).sort();
    const { code, out, err } = render([], { TENANTPLANE_CACHE: '', XDG_CACHE_HOME: '', HOME: '', ...env() });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('wrote 0 files') });
    expect(err).toMatch(
      /^note: nothing is remembered for the next render: the cache .+renders \((TENANTPLANE_CACHE|XDG_CACHE_HOME|HOME)\) lies in the package, /,
    );
    expect(readdirSync(root).sort()).toEqual(prepared);
    expect(Object.keys(read(folder) ?? {}).filter((path) => before?.[path] === undefined && path.includes('renders'))).toEqual([]);
    expect(render(['-q'], { TENANTPLANE_CACHE: '', XDG_CACHE_HOME: '', HOME: '', ...env() }).err).toBe('');
  });

  test('what a repository was committed with is not believed, whatever its rights', () => {
    mkdirSync(at('.cache'), { mode: 0o700 });
    cpSync(join(cache, 'renders'), at('.cache/renders'), { recursive: true });
    const { out } = render([], { TENANTPLANE_CACHE: at('.cache') });
    expect(out).toContain('wrote 0 files');
  });

  test.each(BESIDE)('is kept $what', ({ env, prepare, kept }) => {
    prepare?.();
    for (let i = 0; i < 2; i += 1) expect(render([], { TENANTPLANE_CACHE: '', ...env() })).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(kept())).toHaveLength(1);
  });
});
