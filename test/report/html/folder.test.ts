import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InputObject } from '../../../src/core/plan/plan-types.ts';
import { fileNames } from '../../../src/report/html/file-names.ts';
import { reportFolder } from '../../../src/report/html/folder.ts';
import { reportModel } from '../../../src/report/html/model.ts';
import { BEGINNING } from '../../../src/report/html/shell.ts';
import { DEFAULT_CONFIG, render } from '../../support/example.ts';
import { configMap, deployment, fleet } from './reports.ts';

function folderOf(inputs: readonly InputObject[]): ReadonlyMap<string, string> {
  const { plan } = render(inputs, DEFAULT_CONFIG);
  const model = reportModel('fleet', plan, inputs, { apart: true });
  return new Map([...reportFolder(model, plan)].map(({ path, text }) => [path, text]));
}

const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'once', namespace: 'default' }, spec: {} };
const SMALL = fleet(['dev', 'prod'], (tenant) => [configMap('settings'), deployment(`web-${tenant}`), job]);
/** more than one page of objects */
const LARGE = fleet(['big', 'dev'], (tenant) => [
  job,
  ...Array.from({ length: tenant === 'big' ? 600 : 2 }, (_, index) => configMap(`settings-${index}`)),
]);

describe('a report of many pages', () => {
  test('is an index, a page for each tenant, and one of what all share', () => {
    expect([...folderOf(SMALL).keys()]).toEqual(['index.html', 'tenants/team-dev.dev.html', 'tenants/team-prod.prod.html', 'shared.html']);
  });

  test('has the same bytes for the same input in any order', () => {
    expect([...folderOf([...SMALL].reverse())]).toEqual([...folderOf(SMALL)]);
  });

  test('the page of a tenant is the same whatever other tenants there are', () => {
    const more = fleet(['aaa', 'dev', 'prod'], (tenant) => [configMap('settings'), deployment(`web-${tenant}`), job]);
    const page = folderOf(SMALL).get('tenants/team-dev.dev.html');
    expect(page).toContain('web-dev');
    expect(folderOf(more).get('tenants/team-dev.dev.html')).toBe(page);
  });

  test('every page has the one policy, and needs no script for any object', () => {
    const pages = [...folderOf(LARGE)];
    const policies = new Set(pages.map(([, text]) => /Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1]));
    expect(policies.size).toBe(1);
    expect([...policies][0]).toMatch(/^default-src &#39;none&#39;; style-src &#39;sha256-\S+; script-src &#39;sha256-\S+; base-uri/);
    for (const [path, text] of pages) {
      expect(text.startsWith(BEGINNING), path).toBe(true);
      expect(text, path).not.toContain('id="packed"');
      for (const row of text.split('<details class="o ').slice(1))
        expect(row.slice(row.indexOf('</summary>'))).toMatch(/^<\/summary><div class="page">/);
    }
  });

  test('every link is relative and leads somewhere, and no page has an id twice', () => {
    const pages = folderOf(LARGE);
    const ids = new Map([...pages].map(([path, text]) => [path, [...text.matchAll(/ id="?([^"\s>]+)/g)].map(([, id]) => id ?? '')]));
    let between = 0;
    for (const [path, text] of pages) {
      const own = ids.get(path) ?? [];
      expect(own.filter((id, index) => own.indexOf(id) !== index)).toEqual([]);
      for (const [, href = ''] of text.matchAll(/href="([^"]*)"/g)) {
        expect(href).not.toMatch(/^\/|:/);
        const [file = '', id] = href.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), file);
        if (target !== path) between += 1;
        expect(ids.has(target), `${path}: ${href}`).toBe(true);
        if (id !== undefined) expect(ids.get(target), `${path}: ${href}`).toContain(id);
      }
    }
    expect(between).toBeGreaterThan(10);
  });

  test('a tenant of many objects has several files, each object in one of them, and what is not there on the first', () => {
    const pages = folderOf(LARGE);
    const parts = [...pages].filter(([path]) => path.startsWith('tenants/team-big.big'));
    expect(parts.map(([path]) => path)).toEqual([
      'tenants/team-big.big.html',
      'tenants/team-big.big_2.html',
      'tenants/team-big.big_3.html',
    ]);
    const names = parts.flatMap(([, text]) =>
      [...text.matchAll(/<summary><i>ConfigMap<\/i> <b>(settings-\d+)<\/b>/g)].map(([, name]) => name),
    );
    expect(new Set(names).size).toBe(600);
    expect(names.length).toBe(600);
    expect(parts[0]?.[1]).toMatch(/id="why-not"[\s\S]*Job default\/once[\s\S]*near:/);
    expect(parts[2]?.[1]).not.toContain('id="why-not"');
    expect(parts[2]?.[1]).toContain('aria-current="page">objects 501 to ');
  });
});

test('names of files are those of tenants where they are legal, and never a way out of the folder', () => {
  const names = fileNames(['team-a/dev', '../../etc/x', 'Team/X', `a/${'x'.repeat(300)}`, 'team/con me']);
  expect([...names.values()]).toEqual(['team-a.dev', 'tenant_2', 'tenant_3', 'tenant_4', 'tenant_5']);
});
