import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PARAMETER_WORDS } from '../../src/cli/whys/parameter-words.ts';
import { WHYS } from '../../src/cli/whys/whys.ts';
import { REASONS, type ReasonName, reasonOf } from '../../src/core/decision/reasons.ts';
import { sourceFiles } from '../arch/source-files.ts';
import { ROOT } from '../docs/markdown.ts';
import { tenantplane } from './harness.ts';

const NAMES = Object.keys(REASONS) as ReasonName[];
const PARAMETER = /\{(\w+)\}/g;

test('every code says why its rule exists, as text and as JSON, and names a page that is there', async () => {
  expect(Object.keys(WHYS).sort()).toEqual([...NAMES].sort());
  const { items } = JSON.parse((await tenantplane(['explain-code', '-o', 'json'])).out);
  expect(items.map(({ name }: { name: string }) => name).sort()).toEqual([...NAMES].sort());
  for (const { name, why, docs } of items) {
    expect({ name, why }).toEqual({ name, why: expect.stringMatching(/^[A-Za-z].{30,250}\.$/) });
    expect(existsSync(join(ROOT, docs)), `${name}: ${docs}`).toBe(true);
    expect((await tenantplane(['explain-code', name])).out).toContain(`\nWhy\n  ${why}\n`);
  }
});

test('every word in braces is told, and no other', async () => {
  const used = NAMES.flatMap((name) =>
    [...`${reasonOf(name).message} ${reasonOf(name).remedy}`.matchAll(PARAMETER)].map(([, word]) => word),
  );
  expect(Object.keys(PARAMETER_WORDS)).toEqual([...new Set(used)].sort());
  for (const name of NAMES) {
    const { out } = await tenantplane(['explain-code', name]);
    for (const [, word = ''] of reasonOf(name).message.matchAll(PARAMETER)) expect(out).toMatch(new RegExp(`^  ${word} +\\w`, 'm'));
  }
});

test('a code is called reserved exactly where nothing gives it', () => {
  // the schemas give no code, and call rules of their own by some of the names
  const tables = /registry\/|\/whys\/|remedy-words|^src\/schema\//;
  const code = sourceFiles('src', 'functions').filter(({ path }) => !tables.test(path));
  const text = code.map((file) => file.text).join('\n');
  const given = (name: ReasonName): boolean => text.includes(`'${name}'`);
  expect(NAMES.filter((name) => WHYS[name][1].startsWith('Reserved'))).toEqual(NAMES.filter((name) => !given(name)));
});
