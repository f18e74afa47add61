import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ok, ROOT, scratch } from './workspace.ts';

/** Commands of the README's first shell blocks. */
function commands(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/```(?:sh|shell|bash|console)\n([\s\S]*?)```/g)].map((match) => (match[1] ?? '').trim());
}

test('the README’s first command, in a fresh clone, renders the example and says what was decided and why', () => {
  const [first] = commands();
  expect(first).toContain('npm ci');
  expect(first).toContain('npm run example');
  const clone = join(scratch(), 'tenantplane');
  ok('git', ['clone', '--quiet', ROOT, clone]);
  const { stdout } = ok('bash', ['-ec', 'npm ci --prefer-offline --no-audit --no-fund >/dev/null && npm run --silent example'], {
    cwd: clone,
  });
  expect(stdout).toMatch(/\bTP\d{4}\b/);
  expect(ok('git', ['status', '--porcelain'], { cwd: clone }).stdout).toBe('');
}, 240_000);

test('the README’s second command is the one that CI runs in its clone', () => {
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  expect(commands()[1]).toMatch(/^npm ci && npm test$/m);
  expect(ci).toMatch(/^need 'npm ci' npm ci/m);
  expect(ci).toMatch(/tests unit npm test$/m);
});
