import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { copyPackage, ok, ROOT, run, scratch } from './workspace.ts';

interface Expected {
  readonly exitCode?: number;
}

/** Each function's example as the catalogue of functions has it: a package, and under `.expected` what kpt must make of it. */
describe.each(['render-tenant', 'render-sync', 'render-isolation', 'validate-tenant'])('functions/%s/example', (name) => {
  const expected = join(ROOT, 'functions', name, 'example', '.expected');

  test('gives the expected difference and results, and on a second run nothing more', () => {
    const folder = copyPackage(`functions/${name}/example`);
    const git = (...args: string[]): string =>
      ok('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder }).stdout;
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'before');

    const { exitCode = 0 } = load(readFileSync(join(expected, 'config.yaml'), 'utf8')) as Expected;
    for (const time of ['first', 'second']) {
      const results = scratch();
      const ran = run('kpt', ['fn', 'render', folder, '--allow-exec', '--truncate-output=false', '--results-dir', results]);
      expect(ran.status, ran.stderr).toBe(exitCode);
      git('add', '--all');
      // without git's own digests: the content stands below them
      golden(join(expected, 'diff.patch'), git('diff', '--cached').replace(/^index .*\n/gm, ''), `${time} run`);
      golden(join(expected, 'results.yaml'), readFileSync(join(results, 'results.yaml'), 'utf8'), `${time} run`);
    }
  });
});

function golden(file: string, text: string, run: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1' && run === 'first run') writeFileSync(file, text);
  expect(existsSync(file), `${file} is not there: run with UPDATE_GOLDEN=1`).toBe(true);
  expect(text, run).toBe(readFileSync(file, 'utf8'));
}
