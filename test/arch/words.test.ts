import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

const TEXT = /\.(ts|mjs|js|json|md|ya?ml|sh|mod|sum|patch|txt)$|(^|\/)(Dockerfile|Kptfile|LICENSE|run|\.[a-z]+ignore)$/;

function trackedFiles(): { path: string; text: string }[] {
  const { stdout, status } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  if (status !== 0) return [];
  return stdout
    .split('\0')
    .filter((path) => path !== '' && TEXT.test(path))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(ROOT, path), 'utf8') }];
      } catch {
        return []; // removed in the work tree, not yet in the index
      }
    });
}

const FILES = trackedFiles();
const REGISTRIES = ['registry.npmjs' + '.org', 'proxy.golang' + '.org', 'sum.golang' + '.org', 'deb.debian' + '.org', 'pypi' + '.org'];

describe('what the repository says', () => {
  test('the reader sees it', () => {
    expect(FILES.length).toBeGreaterThan(100);
  });

  test('no path of the machine it was written on', () => {
    const machine = new RegExp(`(^|[\\s"'(=:])/(wor${'k'}|roo${'t'}|hom${'e'})/[a-z]`, 'm');
    const expected = /^test\/(krm|cli|core|schema)\//; // hostile inputs hold absolute paths on purpose
    expect(FILES.filter(({ path, text }) => machine.test(text) && !expected.test(path)).map(({ path }) => path)).toEqual([]);
  });

  test('no host of a package registry', () => {
    expect(FILES.filter(({ text }) => REGISTRIES.some((host) => text.includes(host))).map(({ path }) => path)).toEqual([]);
  });

  test('the lock file names no download address', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    expect(lock).toMatch(/"integrity": "sha512-/);
    expect(lock).not.toMatch(/"resolved": "http/);
  });

  test('every dependency has an exact version, and a line in CONTRIBUTING', () => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
    };
    const all = Object.entries({ ...dependencies, ...devDependencies });
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    const papers = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    expect(all.filter(([name, version]) => !papers.includes(`\`${name}\` ${version}`)).map(([name]) => name)).toEqual([]);
  });
});
