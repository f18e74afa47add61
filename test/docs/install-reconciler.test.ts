import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACCESS_ROWS, type AccessRow } from '../../deploy/install/access-rows.ts';
import { code, ROOT, readPage, tableRows } from './markdown.ts';

const PAGE = 'docs/install-reconciler.md';
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const WHERE: Readonly<Record<AccessRow['where'], string>> = {
  cluster: 'everywhere',
  own: '`tenantplane-system`',
  controller: 'everywhere, overlay `controller-delivery`',
};

const section = /(<!-- rights:[^\n]*-->\n)([\s\S]*?)(<!-- \/rights -->)/;

function rights(): string {
  const rows = ACCESS_ROWS.map(({ where, group, resources, names, verbs, why }) => {
    const what = resources.map((resource) => `\`${group === '' ? resource : `${resource}.${group}`}\``).join(', ');
    const named = names === undefined ? '' : ` named ${names.map((name) => `\`${name}\``).join(', ')}`;
    return `| ${verbs.join(', ')} | ${what}${named} | ${WHERE[where]} | ${why} |\n`;
  });
  return `\n| may | what | where | why |\n|---|---|---|---|\n${rows.join('')}\n`;
}

test('the table of rights is the one that the roles are made from', () => {
  const page = readPage(PAGE);
  if (UPDATE)
    writeFileSync(
      join(ROOT, PAGE),
      page.replace(section, (_, begin: string, __: string, end: string) => begin + rights() + end),
    );
  else expect(section.exec(page)?.[2]).toBe(rights());
});

test('every overlay has a row, and every folder and file that a command names is there', () => {
  const page = readPage(PAGE);
  const overlays = tableRows(page.slice(page.indexOf('## Overlays')))
    .map(([path]) => code(path))
    .filter((path) => path.startsWith('deploy/overlays/'));
  expect(overlays.sort()).toEqual(readdirSync(join(ROOT, 'deploy/overlays')).map((name) => `deploy/overlays/${name}`));
  const paths = [...page.matchAll(/"\$TENANTPLANE\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(2);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('says of the memory what the manifest says', () => {
  expect(readFileSync(join(ROOT, 'deploy/base/deployment.yaml'), 'utf8')).toContain('memory: 512Mi');
  expect(readPage(PAGE)).toContain('512 MiB');
});
