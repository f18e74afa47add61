import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { type CallOptions, configMap, HOST_PATH_POD, tenantplane, twoTenants } from '../harness.ts';
import { put, read, scratch } from '../tree/disk.ts';

const WORDS = Array.from({ length: 60 }, (_, index) => `word-${index}`).join(' ');

/** Two folders; the second has a refusal with a long sentence, and a value that is longer than any line. */
function sides(): string {
  const cwd = scratch();
  for (const side of ['a', 'b'])
    for (const [path, text] of Object.entries(read(twoTenants()) ?? {})) put(cwd, { [`${side}/${path}`]: text });
  put(cwd, { 'b/tenants/dev/objects/bad.yaml': HOST_PATH_POD, 'b/tenants/dev/objects/a.yaml': configMap('a', WORDS) });
  return cwd;
}

const diff = async (options: CallOptions, ...words: readonly string[]) =>
  tenantplane(['diff', 'a', 'b', ...words], { cwd: sides(), ...options });
const longest = (text: string): number => Math.max(...text.split('\n').map((line) => stripVTControlCharacters(line).length));
/** Without breaks, which stand where a space was. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');

test.each([
  ['COLUMNS', { env: { COLUMNS: '60' } }, 60],
  ['the terminal', { columns: 90, tty: true }, 90],
  ['COLUMNS before the terminal', { columns: 300, tty: true, env: { COLUMNS: '100' } }, 100],
  ['a pipe', {}, 200],
])('lines are no wider than %s says, and lose nothing', async (_, options, width) => {
  const { out } = await diff(options);
  expect(longest(out)).toBeLessThanOrEqual(width);
  const { out: unbroken } = await diff({ env: { COLUMNS: '9999', ...('tty' in options && { TERM: 'dumb' }) } });
  expect(longest(unbroken)).toBeGreaterThan(200);
  expect(flat(stripVTControlCharacters(out))).toBe(flat(unbroken));
});

test('a word that is longer than the line stays whole, and what is broken hangs', async () => {
  const { out } = await diff({ env: { COLUMNS: '40' } });
  expect(out).toMatch(/^ {10}securityContext\.allowPrivilegeEscalation:$/m);
  expect(out).toMatch(/^ {6}hostPath volume cache is forbidden\n {10}by\n {10}controls\.blockHostPathVolumes\n {10}of/m);
});

test('a report in a file is not wrapped, and -o wide cuts no value', async () => {
  const cwd = sides();
  await tenantplane(['diff', 'a', 'b', '-q', '--report', 'text=long.txt'], { cwd });
  expect(longest(readFileSync(join(cwd, 'long.txt'), 'utf8'))).toBeGreaterThan(200);
  expect((await diff({})).out).not.toContain(WORDS);
  expect((await diff({}, '-o', 'wide')).out).toContain(WORDS);
});
