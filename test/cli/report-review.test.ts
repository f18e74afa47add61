import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommittedTree, OutOfScopeChange, RefusalChange, RefusalReason, Review } from '../../src/core/review/review.ts';
import { configMap, HOST_PATH_POD, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

function git(cwd: string, ...argv: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...argv], { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

/** Two commits of a package that has its tree, the second with these files. */
async function changed(files: Readonly<Record<string, string>>, root: string = twoTenants()): Promise<string> {
  await tenantplane(['render', '-q'], { cwd: root });
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'before');
  put(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'after');
  return root;
}

const ENV = { env: { PATH: process.env['PATH'] ?? '' } };

interface Told {
  /** the section of the page, as text without white space */
  readonly page: string;
  /** what `diff -o json` says of the same */
  readonly review: Review;
}

async function told(root: string): Promise<Told> {
  const { out, err } = await tenantplane(['report', 'html', '.', 'HEAD~1..HEAD'], { cwd: root, ...ENV });
  const section = /<section id="changes"[\s\S]*?<\/section>/.exec(out)?.[0];
  expect(section, err).toBeDefined();
  const { out: document } = await tenantplane(['diff', 'HEAD~1..HEAD', '-o', 'json'], { cwd: root, ...ENV });
  return { page: textOf(section ?? ''), review: JSON.parse(document) };
}

function textOf(markup: string): string {
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s/g, '');
}

function bare(text: string): string {
  return text.replace(/\s/g, '');
}

function reasonText({ code, reason, message, remedy }: RefusalReason): string {
  return bare(`${code} ${reason} ${message} ${remedy}`);
}

function placeText({ file, line }: Pick<OutOfScopeChange, 'file' | 'line'>): string {
  return `${file}${line === undefined ? '' : `:${line}`}`;
}

test('all reasons of each refusal, and what is out of scope, with their places', async () => {
  const pod = HOST_PATH_POD.replace('spec:', 'spec:\n  hostNetwork: true');
  const root = await changed({
    'tenants/dev/objects/worker.yaml': pod,
    'tenants/dev/objects/cron.yaml': 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec: {schedule: "0 4 * * *"}\n',
  });
  const { page, review } = await told(root);
  const refusal: RefusalChange | undefined = review.refusals.find(({ also }) => also.length > 0);
  expect(refusal?.verb).toBe('added');
  for (const row of review.refusals) {
    for (const reason of [row, ...row.also]) {
      expect(page).toContain(reasonText(reason));
      expect(page).toContain(placeText({ ...row, ...reason }));
    }
  }
  expect(review.outOfScope.map(({ subject }) => subject.kind)).toEqual(['CronJob']);
  for (const row of review.outOfScope) expect(page).toContain(`${reasonText(row)}${placeText(row)}`);
});

test('the committed tree that is not what its package renders, file by file', async () => {
  const root = await changed({
    'tenants/dev/objects/b.yaml': configMap('b'),
    'tenants/qa/objects/a.yaml': configMap('a').replace('data:', 'data:\n  more: x'),
    'host/team-dev/planted.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: planted, namespace: team-dev}\n',
  });
  const { page, review } = await told(root);
  const {
    foreign,
    changed: stale,
    missing,
  }: CommittedTree = review.committed ?? { foreign: [], replaced: [], changed: [], missing: [], extra: [] };
  expect(foreign).toEqual(['host/team-dev/planted.yaml']);
  expect(stale.length + missing.length).toBeGreaterThan(0);
  expect(page).toContain(bare('The committed tree is not what its package renders'));
  for (const file of [...foreign, ...stale, ...missing]) expect(page).toContain(file);
});

test('what freezes a tenant and what stops everything, with its place', async () => {
  const frozen = await told(await changed({ 'tenants/dev/objects/web.yaml': 'a: [' }));
  expect(frozen.review.frozen.map(({ tenant }) => tenant)).toEqual(['team-dev/dev']);
  expect(frozen.review.stops.length).toBeGreaterThan(0);
  for (const { tenant, why } of frozen.review.frozen)
    expect(frozen.page).toContain(bare(`frozen ${tenant} its own objects stay as they last were: ${why}`));
  for (const stop of frozen.review.stops) expect(frozen.page).toContain(`${reasonText(stop)}${placeText(stop)}`);

  const stopped = await told(await changed({ 'tenants/qa/tenant.yaml': tenantYaml('qa').replace('team-qa', 'team-dev') }));
  expect(stopped.page).toContain(bare(`Nothing would be rendered. ${stopped.review.stopped}`));
});

test('in a folder of pages, what stops all stands in the index, and what is a tenant’s in its page', async () => {
  const root = await changed({ 'tenants/dev/objects/web.yaml': 'a: [' });
  const { code, err } = await tenantplane(['report', 'html', '.', 'HEAD~1..HEAD', '--output-dir', 'report'], { cwd: root, ...ENV });
  expect(code, err).toBe(0);
  const pages = Object.fromEntries(
    readdirSync(join(root, 'report/tenants')).map((name) => [name, textOf(readFileSync(join(root, 'report/tenants', name), 'utf8'))]),
  );
  const [dev = '', qa = ''] = ['team-dev.dev.html', 'team-qa.qa.html'].map((name) => pages[name]);
  expect(dev).toContain('‖frozenteam-dev/dev');
  expect(qa).not.toContain('‖frozen');
  expect(dev).not.toContain(bare('The committed tree'));
});

test('of a package in another repository than the folder here', async () => {
  const root = await changed({ 'tenants/dev/objects/b.yaml': configMap('b') });
  const elsewhere = scratch();
  for (const prepare of [() => undefined, () => git(elsewhere, 'init', '-q')]) {
    prepare();
    const { code, out, err } = await tenantplane(['report', 'html', root, 'HEAD~1..HEAD'], { cwd: elsewhere, ...ENV });
    expect(code, err).toBe(0);
    expect(/<section id="changes"[\s\S]*?<\/section>/.exec(out)?.[0]).toContain('ConfigMap default/b of team-dev/dev');
  }
});

test('the range is found where diff takes it, before the package, and alone', async () => {
  const root = await changed({ 'tenants/dev/objects/a.yaml': configMap('a', 'w') });
  const page = async (...words: string[]): Promise<string> => (await tenantplane(['report', 'html', ...words], { cwd: root, ...ENV })).out;
  const wanted = await page('.', 'HEAD~1..HEAD');
  expect(wanted).toContain('id="changes"');
  expect(await page('HEAD~1..HEAD')).toBe(wanted);
  expect(await page('HEAD~1..HEAD', '.')).toBe(wanted);
  expect((await tenantplane(['report', 'html', '../none'], { cwd: root, ...ENV })).err).toContain('There is no package at');
});
