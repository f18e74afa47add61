import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN, tenantplane } from '../cli/harness.ts';
import { put, scratch } from '../cli/tree/disk.ts';
import { blocksOf, readPage } from './markdown.ts';

const PAGE = 'docs/split-repositories.md';

const PLACE = mkdtempSync(join(tmpdir(), 'tenantplane-split-'));
const FOLLOWED = join(PLACE, 'followed');
afterAll(() => rmSync(PLACE, { recursive: true, force: true }));

/** Runs the page's commands from its first to its last, in a shell, in an empty folder. */
beforeAll(() => {
  mkdirSync(FOLLOWED);
  const program = join(PLACE, 'tenantplane');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' --import '${import.meta.resolve('tsx')}' '${MAIN}' "$@"\n`);
  chmodSync(program, 0o755);
  const blocks = blocksOf(readPage(PAGE)).filter(({ language }) => language === 'sh');
  expect(blocks.length).toBeGreaterThan(4);
  const script = `tenantplane() { '${program}' "$@"; }\n${blocks.flatMap(({ lines }) => lines).join('\n')}`;
  execFileSync('sh', ['-eu', '-c', script], { cwd: FOLLOWED, stdio: 'pipe' });
}, 120_000);

/** What the commands leave, in a folder of the test's own. */
function followed(): string {
  const cwd = scratch();
  cpSync(FOLLOWED, cwd, { recursive: true });
  return cwd;
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
const namesIn = (path: string): string[] =>
  (loadAll(readFileSync(path, 'utf8')) as Named[]).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

test('the commands run, each package renders its own part, and no two print the same name', async () => {
  const cwd = followed();
  const kinds = (folder: string): Set<string> =>
    new Set(existsSync(join(cwd, folder)) ? readdirSync(join(cwd, folder)).map((file) => file.split('.')[0] ?? '') : []);
  expect(kinds('platform/host/platform')).toEqual(
    new Set(['prioritylevelconfiguration', 'validatingadmissionpolicy', 'validatingadmissionpolicybinding']),
  );
  expect(kinds('platform/host/config')).toEqual(new Set(['isolationprofile', 'syncpolicy']));
  expect(kinds('shop/host/platform')).toEqual(new Set(['flowschema']));
  expect(kinds('shop/host/config')).toEqual(new Set(['tenantcluster']));

  for (const tool of ['argocd', 'flux']) {
    const [platform, shop] = [namesIn(join(cwd, tool, 'platform.yaml')), namesIn(join(cwd, tool, 'shop.yaml'))];
    expect(platform.filter((name) => shop.includes(name))).toEqual([]);
    expect(platform.filter((name) => /shop|tenants/.test(name))).toEqual([]);
  }

  // what CI is for: a profile that changed elsewhere
  const profile = join(cwd, 'platform/profiles/restricted.yaml');
  writeFileSync(profile, readFileSync(profile, 'utf8').replace(/level: restricted/, 'level: baseline'));
  const check = ['render', 'shop', '--platform', 'platform', '--check'];
  expect((await tenantplane(check, { cwd })).code).toBe(4);
});

interface Workflow {
  readonly jobs: { readonly platform: { readonly steps: readonly { readonly run?: string }[] } };
}

test('the job of a tenant repository tells of a platform that moved: trees that are behind, objects that no longer pass, tenants that are frozen', async () => {
  const cwd = followed();
  const [block] = blocksOf(readPage(PAGE)).filter(({ language }) => language === 'yaml');
  const { jobs } = load((block?.lines ?? []).join('\n')) as Workflow;
  const commands = jobs.platform.steps.flatMap(({ run }) => run ?? []);
  const job = async (): Promise<{ code: number; text: string }[]> => {
    const ended = [];
    for (const command of commands) {
      const [, words = ''] = command.split(' -- tenantplane ');
      const { code, out, err } = await tenantplane(words.split(' '), { cwd });
      ended.push({ code, text: out + err });
    }
    return ended;
  };
  expect((await job()).map(({ code }) => code)).toEqual([0, 0]);

  const path = join(cwd, 'platform/profiles/restricted.yaml');
  const before = readFileSync(path, 'utf8');
  const stricter = `${before.trimEnd()}\n  limits: { min: { memory: 100Mi } }\n`;
  writeFileSync(path, stricter);
  const [behind, refused] = await job();
  expect(behind).toMatchObject({ code: 4, text: expect.stringContaining('limitrange_tenantplane-defaults.yaml') });
  expect(refused?.code).toBe(1);

  writeFileSync(path, before.replace('level: restricted', 'level: sandboxed'));
  put(cwd, { 'shop/tenants/shop/objects/bad.yaml': 'a: [' });
  const [frozen, invalid] = await job();
  expect(frozen).toMatchObject({ code: 4, text: expect.stringMatching(/^frozen: tenant .*shop, whose own objects stay/m) });
  expect(frozen?.text).toContain('namespace_');
  expect(invalid).toMatchObject({ code: 1, text: expect.stringContaining('ProfileMovedOn') });
});

const FACTS = 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: { name: host }\nspec: { version: "1.34" }\n';
const RENDER =
  'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: { name: render }\nspec: { host: { trustedWriters: [jane] } }\n';

test('facts and config of the platform count once', async () => {
  const cwd = scratch();
  await tenantplane(['init', 'shop'], { cwd });
  put(cwd, { 'platform/facts.yaml': FACTS, 'platform/render.yaml': RENDER });
  const argv = ['render', 'shop', '--platform', 'platform', '-o', 'json'];
  const { out } = await tenantplane([...argv], { cwd });
  expect(JSON.parse(out).findings.map(({ reason }: { reason: string }) => reason)).not.toContain('PlatformContradiction');
  expect((await tenantplane(['render', 'shop', '--platform', 'platform', '-o', 'stdout'], { cwd })).out).toContain('jane');

  put(cwd, { 'shop/facts.yaml': FACTS });
  expect(await tenantplane(argv, { cwd })).toMatchObject({ code: 2, err: expect.stringContaining('TP3069') });
  put(cwd, { 'shop/facts.yaml': '', 'shop/render.yaml': RENDER });
  expect(await tenantplane(argv, { cwd })).toMatchObject({ code: 2, err: expect.stringContaining('2 RenderTenant') });
  expect((await tenantplane([...argv, '--config', 'shop/render.yaml'], { cwd })).code).toBe(0);
});

test('a profile of the same name in both stops the render', async () => {
  const cwd = scratch();
  await tenantplane(['init', 'shop'], { cwd });
  await tenantplane(['init', 'platform'], { cwd });
  expect((await tenantplane(['render', 'shop', '--platform', 'platform'], { cwd })).code).toBe(2);
});
