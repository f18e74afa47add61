import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ConfigKind } from '../../src/schema/config-kinds.ts';
import { fieldsOf } from '../../src/schema/fields.ts';
import { fieldTable, usesOfFields } from './field-tables.ts';
import { ROOT, readPage } from './markdown.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';
const IN_DOCS: readonly ConfigKind[] = ['TenantCluster', 'IsolationProfile', 'SyncPolicy', 'RenderTenant', 'HostFacts'];
const KINDS: readonly ConfigKind[] = [...IN_DOCS, 'RenderSync', 'ValidateTenant'];
const uses = usesOfFields();

describe('docs/fields.md', () => {
  test.each(IN_DOCS)('says what the schema of %s says', (kind) => {
    const block = new RegExp(`(<!-- fields ${kind} -->\n)([\\s\\S]*?)(<!-- /fields -->)`);
    const table = fieldTable(kind, uses.get(kind) ?? new Map());
    if (UPDATE)
      writeFileSync(
        join(ROOT, 'docs/fields.md'),
        readPage('docs/fields.md').replace(block, (_, open: string, __, end: string) => `${open}${table}\n${end}`),
      );
    expect(block.exec(readPage('docs/fields.md'))?.[2]).toBe(`${table}\n`);
  });

  test.each(['RenderSync', 'RenderIsolation', 'ValidateTenant'] as const)('covers %s with the table of RenderTenant', (kind) => {
    const known = new Set(fieldsOf('RenderTenant').map(({ path }) => path));
    expect(fieldsOf(kind).filter(({ path }) => !known.has(path))).toEqual([]);
  });
});

describe('examples', () => {
  test.each(KINDS)('set every field of %s somewhere', (kind) => {
    const used = uses.get(kind) ?? new Map<string, string>();
    expect(
      fieldsOf(kind)
        .map(({ path }) => path)
        .filter((path) => !used.has(path)),
    ).toEqual([]);
  });
});
