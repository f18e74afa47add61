import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ok, ROOT, scratch } from './workspace.ts';

/** The two commands that the README opens with. */
function commands(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const block = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  return block.split('\n').map((line) => line.replace(/ +#.*$/, ''));
}

test('the README’s first command, in a fresh clone, renders the example and says what was decided and why', () => {
  const [first] = commands();
  expect(first).toBe('npm ci && npm run example');
  const clone = join(scratch(), 'tenantplane');
  ok('git', ['clone', '--quiet', ROOT, clone]);
  const { stdout } = ok('bash', ['-c', first ?? ''], {
    cwd: clone,
  });
  expect(stdout).toMatch(/\bTP\d{4}\b/);
  expect(ok('git', ['status', '--porcelain'], { cwd: clone }).stdout).toBe('');
}, 240_000);

test('the README’s second command is the one that CI runs in its clone', () => {
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  expect(commands()[1]).toBe('npm ci && npm test');
  expect(ci).toMatch(/^need 'npm ci' npm ci/m);
  expect(ci).toMatch(/tests unit npm test$/m);
});
