import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
