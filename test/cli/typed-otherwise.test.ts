import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { HOST_PATH_POD, tenantplane, twoTenants } from './harness.ts';
import { scratch } from './tree/disk.ts';

/** What people type who know kubectl, or the other commands. */

test('why-not of several objects answers each, in the order asked, with its own line', async () => {
  const root = twoTenants({ 'tenants/dev/objects/pod.yaml': HOST_PATH_POD });
  const { code, out } = await tenantplane(['why-not', 'pod/worker', 'cm/a', 'deploy/none', '--tenant', 'dev'], { cwd: root });
  expect(code).toBe(0);
  const heads = out.split('\n').filter((line) => /^\S/.test(line));
  expect(heads).toEqual([
    'Pod default/worker is not on the host.',
    'ConfigMap default/a is on the host after all.',
    'Deployment default/none is not defined anywhere in the tenant’s objects.',
  ]);
  expect(out).toContain('tenants/dev/objects/pod.yaml:11');
  const report = JSON.parse((await tenantplane(['why-not', 'pod/worker', 'cm/a', '--tenant', 'dev', '-o', 'json'], { cwd: root })).out);
  expect(report.subjects.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['not on the host', 'on the host']);
  expect((await tenantplane(['why-not', 'cm/a', 'pod/worker', '--tenant', 'dev', '--exit-code'], { cwd: root })).code).toBe(1);
});

test('a kind with its group and a name are one object', async () => {
  const { out } = await tenantplane(['why-not', 'v1/ConfigMap', 'a', '--tenant', 'dev'], { cwd: twoTenants() });
  expect(out).toMatch(/^ConfigMap default\/a is on the host after all/);
});

test.each([
  ['why', 'cm/a', 'pod/worker'],
  ['why', 'cm', 'pod/worker'],
  ['why-not', 'cm', 'pod/worker'],
])('%s %s %s is told that this is more than one object', async (...words) => {
  const { code, err } = await tenantplane([...words, '--tenant', 'dev'], { cwd: twoTenants() });
  expect(code).toBe(2);
  expect(err).toContain(`error: ${words.slice(1).join(' ')} is more than one object.`);
});

test.each([
  ['why', 'cm/a', 'nosuch'],
  ['why', 'cm', 'a', 'nosuch'],
  ['why', 'cm/a', 'no/such'],
  ['why', 'tenants/dev/objects/a.yaml', 'nosuch'],
  ['why-not', 'cm/a', 'nosuch'],
  ['why-not', 'cm/a', 'pod/worker', 'nosuch'],
  ['graph', 'cm/a', 'nosuch'],
])('%s %s %s … is told that the last word is no folder', async (...words) => {
  const { code, err } = await tenantplane(words, { cwd: twoTenants() });
  expect(code).toBe(2);
  expect(err).toContain(`error: There is no folder ${words.at(-1)}.`);
  expect(err).toContain('try: Name the folder of the package, or leave it out for the folder here.');
});

test.each(['json', 'html', 'sarif'])('report html -o %s writes no file of that name', async (format) => {
  const root = twoTenants();
  const before = readdirSync(root);
  const { code, err } = await tenantplane(['report', 'html', '-o', format], { cwd: root });
  expect(code).toBe(2);
  expect(err).toContain(`-o of report html is the file to write, and ${format} is the name of a format.`);
  expect(err).toContain('try: Name a file: -o report.html.');
  expect(readdirSync(root)).toEqual(before);
});

describe('a short flag with its value behind an equals sign, as kubectl takes it', () => {
  const withShort = (command: Command, path: readonly string[] = []): (readonly [string, string])[] => [
    ...command.options.flatMap(({ short, required }) => (required && short !== undefined ? [[path.join(' '), short] as const] : [])),
    ...command.commands.flatMap((child) => withShort(child, [...path, child.name()])),
  ];
  const all = withShort(createProgram({} as never));

  test('is the same for every command that has one', async () => {
    expect(all.length).toBeGreaterThan(20);
    for (const [path, flag] of all) {
      const cwd = scratch();
      const spaced = await tenantplane([...path.split(' '), flag, 'no-such-word'], { cwd });
      const signed = await tenantplane([...path.split(' '), `${flag}=no-such-word`], { cwd });
      const words = ({ code, err }: { code: number; err: string }): object => ({ path, flag, code, err });
      expect(words(signed)).toEqual(words(spaced));
    }
  });

  test('gives JSON, and no file called =json', async () => {
    expect(JSON.parse((await tenantplane(['version', '-o=json'])).out)).toHaveProperty('mapping');
    const root = twoTenants();
    for (const word of ['json', 'yaml', 'text', 'markdown']) {
      const { code, err } = await tenantplane(['report', 'html', `-o=${word}`], { cwd: root });
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`-o of report html is the file to write, and ${word} is the name of a format`),
      });
    }
    expect(readdirSync(root).filter((name) => /json|yaml$|text|markdown/.test(name))).toEqual(['platform.yaml']);
  });

  test('is a word of its own behind --', async () => {
    expect((await tenantplane(['validate', '--', '-o=json'], { cwd: scratch() })).err).toContain('-o=json');
  });
});
