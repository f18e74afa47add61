import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../support/example.ts';
import { tenantplane } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

function package_(): string {
  const folder = scratch();
  cpSync(join(EXAMPLES, 'first-tenant'), join(folder, 'first'), { recursive: true });
  return folder;
}

function git(cwd: string, ...argv: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...argv], { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

test.each([
  ['tenants/dev/tenant.yaml', 'is a file of the package, by its name'],
  ['report.JSON', 'is a file of the package, by its name'],
  ['host/report.html', 'host/report.html lies in the rendered tree'],
])('is not written to %s of its package', async (file, message) => {
  const cwd = join(package_(), 'first');
  const before = readdirSync(cwd, { recursive: true }).sort();
  const { code, err } = await tenantplane(['report', 'html', '--out', file], { cwd });
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(before);
});

test('writes a page to a file, or to standard output, and changes nothing else', async () => {
  const cwd = package_();
  const { code, out, err } = await tenantplane(['report', 'html', 'first', '--out', 'report.html'], { cwd });
  expect([code, out, err]).toEqual([0, '', 'wrote report.html\n']);
  const page = readFileSync(join(cwd, 'report.html'), 'utf8');
  expect(page).toMatch(/^<!doctype html>/);
  expect((await tenantplane(['report', 'html', 'first'], { cwd })).out).toBe(page);
});

test('is no page for a terminal', async () => {
  const { code, err } = await tenantplane(['report', 'html', 'first'], { cwd: package_(), tty: true });
  expect(code).toBe(2);
  expect(err).toContain('--out report.html');
});

test('a stamp is in it only where it is asked for', async () => {
  const cwd = package_();
  expect((await tenantplane(['report', 'html', 'first', '--stamp', 'build 812'], { cwd })).out).toContain('build 812');
  expect((await tenantplane(['report', 'html', 'first', '--stamp'], { cwd })).out).toMatch(/· \d{4}-\d\d-\d\dT[\d:.]+Z/);
});

test('a file that cannot be written is an error of the environment', async () => {
  const { code, err } = await tenantplane(['report', 'html', 'first', '--out', 'no/such/report.html'], { cwd: package_() });
  expect(code).toBe(3);
  expect(err).toContain('no/such/report.html');
});

test('of two commits it tells what changed, by cause, and that isolation is weaker', async () => {
  const cwd = package_();
  git(cwd, 'init', '-q');
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-qm', 'before');
  const profiles = readFileSync(join(cwd, 'first/platform/profiles.yaml'), 'utf8');
  put(cwd, { 'first/platform/profiles.yaml': profiles.replace('level: restricted', 'level: baseline') });
  git(cwd, 'commit', '-qam', 'after');
  const { code, out } = await tenantplane(['report', 'html', 'first', 'HEAD~1..HEAD'], { cwd });
  expect(code).toBe(0);
  const changes = /<section id="changes"[\s\S]*?<\/section>/.exec(out)?.[0] ?? '';
  expect(changes).toContain('From HEAD~1 to HEAD');
  expect(changes).toMatch(/weaker<\/span> <code>controls\.podSecurity<\/code>/);
  expect(changes).toContain('IsolationProfile restricted');
});

/** What `show` finds between two commits, the second with these files put. */
async function changesOf(files: (root: string) => Readonly<Record<string, string>>): Promise<string> {
  const cwd = package_();
  git(cwd, 'init', '-q');
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-qm', 'before');
  put(cwd, files(join(cwd, 'first')));
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-qm', 'after');
  const { code, out, err } = await tenantplane(['report', 'html', 'first', 'HEAD~1..HEAD'], { cwd });
  expect(code, err).toBe(0);
  return /<section id="changes"[\s\S]*?<\/section>/.exec(out)?.[0] ?? '';
}

test('what a change says is open; annotations that tell why are counted and folded behind it', async () => {
  const changes = await changesOf((root) => ({
    'first/platform/profiles.yaml': readFileSync(join(root, 'platform/profiles.yaml'), 'utf8').replace(
      'level: restricted',
      'level: baseline',
    ),
  }));
  const folded = /<details class="fold"><summary>[^<]*of tenantplane’s own<\/summary>[\s\S]*?<\/details>/g;
  expect(changes.match(folded)?.join('').replaceAll('<wbr>', '')).toContain('tenantplane.io/rewrites');
  expect(changes.replace(folded, '').replaceAll('<wbr>', '')).not.toContain('<dt><code>metadata.annotations[&quot;tenantplane.io/');
  for (const card of changes.split('<li class="changed">').slice(1)) expect(card.indexOf('<dl')).not.toBe(-1);
});

test('an edit is a heading, what changes alike is one card, and an edit that changes nothing is told last', async () => {
  const settings = (name: string, level: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  LEVEL: ${level}\n`;
  const changes = await changesOf((root) => ({
    'first/platform/profiles.yaml': `${readFileSync(join(root, 'platform/profiles.yaml'), 'utf8')}---\napiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: {name: spare}\nspec: {level: restricted}\n`,
    'first/tenants/dev/objects/settings.yaml': `${settings('one', 'info')}---\n${settings('two', 'info')}`,
    'first/tenants/dev/objects/job.yaml': 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: once}\nspec: {}\n',
  }));
  const headings = [...changes.matchAll(/<h3[^>]*>([\s\S]*?)<\/h3>/g)].map(([, text = '']) => text.replace(/<span[^>]*>.<\/span> /, ''));
  expect(headings).toContain('ConfigMap default/one of team-dev/dev');
  expect(headings.at(-1)).toBe('Edits that change no host object');
  expect(changes.slice(changes.indexOf('Edits that change no host object'))).toContain('Job default/once');
});

const WITH_GROUP: Readonly<Record<string, string>> = { Widget: 'example.com/v1/Widget' };

test('what is not on the host has what is near it, in the words of why-not', async () => {
  const cwd = package_();
  put(cwd, {
    'first/tenants/dev/objects/more.yaml': [
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: web, namespace: default}\nspec: {}\n',
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: web, namespace: other}\nspec: {}\n',
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: gadget}\n',
      // a tenant's object of that kind is no policy of the platform
      'apiVersion: tenantplane.io/v1alpha1\nkind: SyncPolicy\nmetadata: {name: default}\nspec: {resources: []}\n',
    ].join('---\n'),
  });
  const { out } = await tenantplane(['report', 'html', 'first'], { cwd });
  const rows = [...(/<section id="why-not"[\s\S]*?<\/section>/.exec(out)?.[0] ?? '').matchAll(/<tr><th[\s\S]*?<\/tr>/g)].map(
    ([row]) => row,
  );
  const shown = rows.map((row) => [...row.matchAll(/<b>near:<\/b> ([^<]*)/g)].map(([, text = '']) => text.replaceAll('&#39;', "'")));
  const asked = rows.map((row) => /<a [^>]*>([^< ]*) (?:([^</]*)\/)?([^<]*)/.exec(row)?.slice(1) ?? []);
  const answers: string[][] = [];
  for (const [kind = '', namespace, name = ''] of asked) {
    const where = namespace === undefined ? [] : ['--virtual-namespace', namespace];
    const answer = await tenantplane(['why-not', `${WITH_GROUP[kind] ?? kind}/${name}`, 'first', '--tenant', 'dev', ...where], { cwd });
    answers.push([...answer.out.matchAll(/^ *near: (.*)$/gm)].map(([, text = '']) => text));
  }
  expect(shown).toEqual(answers);
  expect(shown.flat().join('\n')).toMatch(/there is one in other[\s\S]*of that name there is [\s\S]*SyncPolicy default lists/);
  expect(rows.join('')).toContain('<code>{apiVersion: batch/v1, kind: CronJob, direction: toHost}</code>');
});

describe('a folder of pages', () => {
  test.each([
    ['--output-dir', 'report'],
    ['-o', 'report/'],
  ])('is written by %s %s, and again the same', async (flag, value) => {
    const cwd = package_();
    const argv = ['report', 'html', 'first', flag, value];
    const { code, out, err } = await tenantplane(argv, { cwd });
    expect([code, out, err]).toEqual([0, '', 'wrote 3 pages: report/index.html\n']);
    expect(readdirSync(cwd).sort()).toEqual(['first', 'report']);
    const page = readFileSync(join(cwd, 'report/tenants/team-dev.dev.html'), 'utf8');
    // a page of a tenant that is gone
    writeFileSync(join(cwd, 'report/tenants/team-old.old.html'), page);
    expect((await tenantplane(argv, { cwd })).code).toBe(0);
    expect(readdirSync(join(cwd, 'report/tenants'))).toEqual(['team-dev.dev.html']);
    expect(readFileSync(join(cwd, 'report/tenants/team-dev.dev.html'), 'utf8')).toBe(page);
  });

  test('takes the place of a report alone', async () => {
    const cwd = package_();
    mkdirSync(join(cwd, 'site/css'), { recursive: true });
    writeFileSync(join(cwd, 'site/css/own.html'), '<!doctype html>\n<p>mine');
    const { code, err } = await tenantplane(['report', 'html', 'first', '--output-dir', 'site'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('site holds css/own.html, which no report wrote; nothing was written.');
    expect(readdirSync(join(cwd, 'site'))).toEqual(['css']);
    expect((await tenantplane(['report', 'html', 'first', '--output-dir', 'first/render.yaml'], { cwd })).err).toContain('is no folder');
  });

  test.each([
    ['first', '.', 'is or holds the current folder'],
    ['first', '..', 'is or holds the current folder'],
    ['.', 'host', 'host lies in the rendered tree'],
    ['.', 'host/report', 'host/report lies in the rendered tree'],
    ['link', '../first/host/report', 'first/host/report lies in the rendered tree'],
  ])('of %s is not written to %s', async (from, folder, message) => {
    const top = package_();
    mkdirSync(join(top, 'elsewhere'));
    symlinkSync(join(top, 'first'), join(top, 'elsewhere/link'));
    const cwd = from === '.' ? join(top, 'first') : join(top, 'elsewhere');
    const root = from === 'first' ? '../first' : from;
    const before = readdirSync(top, { recursive: true }).sort();
    const { code, err } = await tenantplane(['report', 'html', root, '--output-dir', folder], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(readdirSync(top, { recursive: true }).sort()).toEqual(before);
  });

  test('and one file at once are not to be had', async () => {
    const { code, err } = await tenantplane(['report', 'html', 'first', '--out', 'a.html', '--output-dir', 'b'], { cwd: package_() });
    expect(code).toBe(2);
    expect(err).toContain('not both');
  });

  test('is what a package of more than 20,000 objects is told to ask for', { timeout: 240_000 }, async () => {
    const cwd = package_();
    const many = Array.from({ length: 20_001 }, (_, index) => `apiVersion: batch/v1\nkind: Job\nmetadata: {name: j${index}}\n`);
    put(cwd, { 'first/tenants/dev/objects/many.yaml': many.join('---\n') });
    const { code, err } = await tenantplane(['report', 'html', 'first', '--out', 'report.html'], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/tell of 20,0\d\d objects; one file holds 20,000 at most\.\n {2}try: Write a folder.*--output-dir DIR/);
    expect(readdirSync(cwd)).toEqual(['first']);
  });
});
