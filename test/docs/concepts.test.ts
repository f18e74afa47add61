import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { KEY } from '../../src/core/identity/metadata.ts';
import { isObject, type Json, objectAt } from '../../src/core/kube/json.ts';
import { deliveryAnnotations, REPLACE } from '../../src/core/plan/delivery.ts';
import { HOST_PATH_POD, tenantplane, twoTenants } from '../cli/harness.ts';
import { EXAMPLES } from '../support/example.ts';
import { code, readPage, tableRows } from './markdown.ts';

const page = readPage('docs/concepts.md');
const section = page.slice(page.indexOf('## Labels and annotations'));

/** The keys that the page lists, each with what it says that the key is; `…/name` is of the domain before it. */
function listed(): ReadonlyMap<string, string> {
  const rows = tableRows(section).slice(1);
  return new Map(
    rows.flatMap(([keys = '', is = '']) => {
      const names = keys.split(', ').map(code);
      const domain = (names[0] ?? '').split('/')[0] ?? '';
      return names.map((name): [string, string] => [name.replace('…', domain), is]);
    }),
  );
}

/** Domains that are ours to write, or an applier's that we speak to: no tenant gets a label or an annotation of them through. */
const WRITTEN =
  /^(tenantplane\.io|pod-security\.kubernetes\.io|argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|client\.lifecycle\.config\.k8s\.io)\/|^endpointslice\.kubernetes\.io\/managed-by$|^app\.kubernetes\.io\/managed-by$/;

/** `label key` or `annotation key`, on objects of all example trees and on the templates in them. */
function found(): ReadonlySet<string> {
  const keys = new Set<string>();
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (value === undefined || !isObject(value)) return;
    for (const [kind, field] of [
      ['label', 'labels'],
      ['annotation', 'annotations'],
    ] as const)
      for (const key of Object.keys(objectAt(value, 'metadata', field) ?? {})) if (WRITTEN.test(key)) keys.add(`${kind} ${key}`);
    Object.values(value).forEach(visit);
  };
  for (const file of readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }))
    if (/(^|\/)host\/.*\.yaml$/.test(file)) visit(load(readFileSync(join(EXAMPLES, file), 'utf8')) as Json);
  return keys;
}

const delivery = (): string[] => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
  const options = { direction: 'fromHost', substitution: true, tenant: { pruneVolumes: false } } as const;
  return [...Object.keys(deliveryAnnotations(namespace, options)), ...Object.keys(REPLACE)];
};

test('the page lists every key that we write, and no other', () => {
  const keys = new Set([...Object.values(KEY), ...delivery(), ...[...found()].map((entry) => entry.split(' ')[1] ?? '')]);
  expect(keys.size).toBeGreaterThan(20);
  expect([...listed().keys()].sort()).toEqual([...keys].sort());
});

test('and says of each whether it is a label or an annotation', () => {
  const wrong = [...found()].filter((entry) => {
    const [kind = '', key = ''] = entry.split(' ');
    return !(listed().get(key) ?? '').split(', ').includes(kind);
  });
  expect(wrong).toEqual([]);
});

test('how-to.md asks of a pod what level restricted leaves to the pod', async () => {
  const root = twoTenants({
    'tenants/dev/objects/pod.yaml': HOST_PATH_POD.replace('hostPath: {path: /var}', 'emptyDir: {}'),
  });
  const { out } = await tenantplane(['validate', '-o', 'json'], { cwd: root });
  const said = JSON.stringify(JSON.parse(out).issues);
  for (const word of ['runAsNonRoot', 'allowPrivilegeEscalation', 'capabilities']) expect(said).toContain(word);
  expect(said).not.toMatch(/seccomp/i);
  expect(readPage('docs/how-to.md')).toContain('asks a pod for three things');
});

test('the word for each count of a render is explained', () => {
  for (const word of ['Projected', 'Made', 'Read', 'Refused', 'Out of scope', 'Held']) expect(page).toContain(`*${word}*`);
});
