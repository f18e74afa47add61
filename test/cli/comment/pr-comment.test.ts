import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markerOf } from '../../../src/report/comment/marker.ts';
import { tenantplane, twoTenants } from '../harness.ts';
import { put } from '../tree/disk.ts';

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flags, namespace: default}\ndata: {k: one}\n';
const FILE = 'tenants/dev/objects/flags.yaml';

/** A package with one edit that is not committed. */
function edited(): string {
  const root = twoTenants({ [FILE]: CONFIG });
  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  };
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a package');
  put(root, { [FILE]: CONFIG.replace('one', 'two') });
  return root;
}

describe('pr-comment', () => {
  test('compares as diff does, and names the edit by file and line', async () => {
    const { code, out } = await tenantplane(['pr-comment', 'main'], { cwd: edited(), env: { PATH: process.env['PATH'] ?? '' } });
    expect(code).toBe(0);
    expect(out.startsWith(`${markerOf('.')}\n### tenantplane: 1 host object changes`)).toBe(true);
    expect(out).toContain('`tenants/dev/objects/flags.yaml:4` `ConfigMap default/flags` changed: `data.k` `"one"` → `"two"`');
  });

  test('says the same of the document that diff prints, without a repository', async () => {
    const root = edited();
    const env = { PATH: process.env['PATH'] ?? '' };
    const direct = await tenantplane(['pr-comment', 'main'], { cwd: root, env });
    const { out: document } = await tenantplane(['diff', 'main', '-o', 'json'], { cwd: root, env });
    const elsewhere = twoTenants({});
    put(elsewhere, { 'diff.json': document });
    // but for the command that was typed, which a document does not hold
    const command = /`tenantplane diff [^`]+`/;
    expect(command.exec(direct.out)?.[0]).toBe('`tenantplane diff main`');
    const read = await tenantplane(['pr-comment', '--from', 'diff.json'], { cwd: elsewhere });
    expect(read.out.replace(command, '')).toBe(direct.out.replace(command, ''));
    expect(command.exec(read.out)?.[0]).toMatch(/^`tenantplane diff [0-9a-f]{12}`$/);
    expect((await tenantplane(['pr-comment', '--from', '-'], { cwd: elsewhere, stdin: document })).out).toBe(read.out);
    const inFolder = await tenantplane(['pr-comment', '--from', '-', 'fleet'], { cwd: elsewhere, stdin: document });
    expect(inFolder.out).toContain('`fleet/tenants/dev/objects/flags.yaml:4`');
    expect(inFolder.out.startsWith(`${markerOf('fleet')}\n### tenantplane \`fleet\`: 1 host object changes`)).toBe(true);
  });

  test('adds a summary to what the file of the step holds already', async () => {
    const root = edited();
    put(root, { 'summary.md': 'before\n' });
    await tenantplane(['pr-comment', 'main', '--step-summary', 'summary.md'], { cwd: root, env: { PATH: process.env['PATH'] ?? '' } });
    expect(readFileSync(join(root, 'summary.md'), 'utf8')).toMatch(
      /^before\n<!-- tenantplane:pr:v1 -->\n### tenantplane: 1 host object changes/,
    );
  });

  test.each([
    [['--from', 'no.json'], 2, /Cannot read no\.json/],
    [['--from', 'tenants/dev/tenant.yaml'], 2, /is not JSON/],
    [['--from', '-', 'a', 'b'], 2, /nothing to compare: b/],
    [['--from', '-'], 2, /is no document of tenantplane diff -o json/],
    [['--budget', '100'], 2, /from 5000 to 65536/],
    [['--link', 'javascript:alert(1)'], 2, /http or https/],
    [['--link', 'https://a.example/)[x](y'], 2, /http or https/],
  ])('%j ends with %s and says why', async (argv, wanted, words) => {
    const { code, err } = await tenantplane(['pr-comment', ...argv], { cwd: edited(), stdin: '{"kind": "Other", "changes": []}' });
    expect(code).toBe(wanted);
    expect(err).toMatch(words);
  });

  test('a document that somebody made up is text, whatever it holds', async () => {
    const evil = {
      kind: 'DiffReport',
      before: 1,
      changes: [
        7,
        { verb: 'evil', host: [], causes: {}, code: '<script>', effects: ['deleted', 'x'], fields: [{ hidden: true, after: 'hunter2' }] },
      ],
      causes: 'x',
      stopped: {},
    };
    const { code, out } = await tenantplane(['pr-comment', '--from', '-'], { cwd: twoTenants({}), stdin: JSON.stringify(evil) });
    expect(code).toBe(0);
    expect(out).toContain('1 host object changes');
    expect(out).toContain('`<script>`');
    expect(out).not.toContain('hunter2');
  });
});
