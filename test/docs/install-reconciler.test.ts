import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { ACCESS_ROWS, type AccessRow } from '../../deploy/install/access-rows.ts';
import { GUARDS } from '../../deploy/install/guard-objects.ts';
import type { PolicyObject } from '../../src/core/isolation/admission/policy-object.ts';
import type { JsonObject } from '../../src/core/kube/json.ts';
import { RELEASE } from '../core/controlplane/tenant-clusters.ts';
import { type Verdict, verdictsOf } from '../support/admission-policy.ts';
import { ELSEWHERE, GUARD_CASES, NAMESPACES, PLANE } from '../support/guard-cases.ts';
import { code, ROOT, readPage, tableRows } from './markdown.ts';

const PAGE = 'docs/install-reconciler.md';
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

const WHERE: Readonly<Record<AccessRow['where'], string>> = {
  cluster: 'everywhere',
  own: '`tenantplane-system`',
  controller: 'everywhere, overlay `controller-delivery`',
};

const section = (name: string): RegExp => new RegExp(`(<!-- ${name}:[^\\n]*-->\\n)([\\s\\S]*?)(<!-- /${name} -->)`);

function rights(): string {
  const rows = ACCESS_ROWS.map(({ where, group, resources, names, verbs, why }) => {
    const what = resources.map((resource) => `\`${group === '' ? resource : `${resource}.${group}`}\``).join(', ');
    const named = names === undefined ? '' : ` named ${names.map((name) => `\`${name}\``).join(', ')}`;
    return `| ${verbs.join(', ')} | ${what}${named} | ${WHERE[where]} | ${why} |\n`;
  });
  return `\n| may | what | where | why |\n|---|---|---|---|\n${rows.join('')}\n`;
}

function guards(): string {
  const rows = GUARDS.flatMap(({ where, matches, operations, rules }) => {
    const of = matches.flatMap(({ resources }) => resources.map((resource) => `\`${resource}\``)).join(', ');
    const overlay = where === 'controller' ? ', overlay' : '';
    return rules.map(({ id, may, why }) => `| \`${id}\` | ${of}: ${operations.join(', ').toLowerCase()}${overlay} | ${may} | ${why} |\n`);
  });
  return `\n| rule | when it writes | it may | why |\n|---|---|---|---|\n${rows.join('')}\n`;
}

test.each([
  ['rights', rights],
  ['guards', guards],
])('the table of %s is the one that the manifests are made from', (name, table) => {
  const page = readPage(PAGE);
  if (UPDATE)
    writeFileSync(
      join(ROOT, PAGE),
      page.replace(section(name), (_, begin: string, __: string, end: string) => begin + table() + end),
    );
  else expect(section(name).exec(page)?.[2]).toBe(table());
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

test('the policy for images admits those, and no others', () => {
  const [, text = ''] = /```yaml\n([^`]*control-plane-images[^`]*)```/.exec(readPage(PAGE)) ?? [];
  const policies = (loadAll(text) as JsonObject[]).map((object): PolicyObject => ({ object, controls: [], rules: [] }));
  expect(policies).toHaveLength(2);
  const row = GUARD_CASES.find(({ object }) => object['kind'] === 'StatefulSet');
  const from = (registry: string, where: string): readonly Verdict[] => {
    const object = JSON.parse(JSON.stringify(row?.object).replaceAll(RELEASE.image, `${registry}/k3s:v1.34.2-k3s1`)) as JsonObject;
    const namespace = NAMESPACES.find(({ metadata }) => JSON.stringify(metadata).includes(`"name":"${where}"`)) ?? {};
    const request = {
      operation: 'CREATE',
      group: 'apps',
      resource: 'statefulsets',
      object,
      namespace,
      user: 'anybody',
      groups: [],
    } as const;
    return verdictsOf(policies, request);
  };
  expect(from('registry.example.com', PLANE)).toEqual([]);
  expect(from('docker.io/mallory', PLANE)).toHaveLength(1);
  expect(from('docker.io/mallory', ELSEWHERE)).toEqual([]);
});

test('says of the memory what the manifest says', () => {
  expect(readFileSync(join(ROOT, 'deploy/base/deployment.yaml'), 'utf8')).toContain('memory: 512Mi');
  expect(readPage(PAGE)).toContain('512 MiB');
});
