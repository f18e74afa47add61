import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostName } from '../../src/core/identity/host-name.ts';
import { KINDS } from '../../src/core/kube/kinds.ts';
import { blocksOf, code, pages, ROOT, readPage, tableRows } from './markdown.ts';

describe('pages', () => {
  test('there are some to check', () => {
    expect(pages().length).toBeGreaterThan(10);
  });

  test.each(pages())('%s links to files that exist', (page) => {
    const links = [...readPage(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map((match) => match[1] ?? '')
      .filter((link) => !/^[a-z]+:/.test(link));
    expect(links.filter((link) => !existsSync(normalize(join(ROOT, dirname(page), link))))).toEqual([]);
  });

  test.each(pages())('%s shows manifests as the files hold them', (page) => {
    // A block ```yaml <file> is an excerpt of that file; a line of three dots leaves lines out.
    for (const block of blocksOf(readPage(page)).filter(({ language, info }) => language === 'yaml' && info !== '')) {
      const file = readFileSync(join(ROOT, block.info), 'utf8').split('\n');
      let from = 0;
      for (const line of block.lines) {
        if (/^\s*\.\.\.$/.test(line)) continue;
        const found = file.indexOf(line, from);
        expect(found, `${page}:${block.line}: "${line}" does not stand in ${block.info} after line ${from}`).toBeGreaterThanOrEqual(0);
        from = found + 1;
      }
    }
  });
});

describe('docs/names.md', () => {
  const text = readPage('docs/names.md');
  const vectors = tableRows(text.slice(text.indexOf('<!-- vectors'), text.indexOf('<!-- /vectors'))).slice(1);

  test('holds vectors', () => {
    expect(vectors.length).toBeGreaterThan(5);
  });

  test.each(vectors.map((row) => row.map(code)))('%s of %s in %s, a %s, is %s', (name, namespace, tenant, kind, host) => {
    const row = KINDS.find((candidate) => candidate.kind === kind);
    if (row === undefined) throw new Error(`no kind ${kind}`);
    expect(hostName(name ?? '', namespace ?? '', tenant ?? '', row).name).toBe(host);
  });
});

describe('docs/kinds.md', () => {
  const text = readPage('docs/kinds.md');
  const section = (title: string): string => text.slice(text.indexOf(`## ${title}`)).split('\n## ')[0] ?? '';

  test('lists exactly the projected kinds, with their versions and name limits', () => {
    const listed = tableRows(section('Projected'))
      .slice(1)
      .map(([kind = '', versions = '', limit = '']) => `${kind} ${versions.replaceAll('`', '')} ${limit}`);
    const known = KINDS.filter(({ role }) => role === 'projected').map(
      ({ kind, group, versions, nameLimit }) =>
        `${kind} ${versions.map((version) => (group === '' ? version : `${group}/${version}`)).join(', ')} ${nameLimit}`,
    );
    expect([...listed].sort()).toEqual([...known].sort());
  });

  test('lists exactly the kinds that are facts', () => {
    const listed = tableRows(section('Read, not projected'))
      .slice(1)
      .map(([kind = '']) => kind);
    expect(listed.sort()).toEqual(
      KINDS.filter(({ role }) => role === 'fact')
        .map(({ kind }) => kind)
        .sort(),
    );
  });

  test.each(['config', 'never'] as const)('names every kind of role %s', (role) => {
    const words = new Set((section('Refused in a tenant') + section('Never projected')).match(/\b[A-Z]\w+\b/g));
    expect(KINDS.filter((row) => row.role === role && !words.has(row.kind)).map(({ kind }) => kind)).toEqual([]);
  });
});
