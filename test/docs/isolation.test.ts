import { describe, expect, test } from 'vitest';
import { kindOf, nameOf } from '../../src/core/kube/object.ts';
import type { Plan } from '../../src/core/plan/plan-types.ts';
import { EXAMPLES, PACKAGES, renderPackage } from '../support/example.ts';
import { readPage } from './markdown.ts';

const PAGE = readPage('docs/isolation.md');

/** What isolation is made of in a plan, as `Kind name`; names that a tenant or a profile varies are cut. */
function isolationOf({ shared, tenants }: Plan): string[] {
  return [...shared, ...tenants.flatMap(({ files }) => files)]
    .filter(({ decision }) => ['IsolationObjectCompiled', 'GuardCompiled'].includes(decision.reason))
    .map(({ object }) => `${kindOf(object)} ${nameOf(object)}`);
}

/** Names that the page writes, each with the kinds of its row. */
const NAMED: readonly { readonly kinds: string; readonly name: string }[] = [...PAGE.matchAll(/^\| ([^|]+?) \|/gm)].flatMap(
  ([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ kinds: cell, name })),
);

function isNamed(text: string): boolean {
  const [kind = '', name = ''] = text.split(' ');
  if (kind === 'Namespace') return PAGE.includes('| Namespace `<namespace>`, `cp-x-…`');
  const found = NAMED.filter(({ kinds }) => kinds.includes(kind));
  return found.some((row) => row.name === name || (/[…<]/.test(row.name) && name.startsWith(row.name.split(/[…<]/)[0] ?? name)));
}

describe('docs/isolation.md', () => {
  test.each(PACKAGES)('names every object that isolates a tenant of examples/%s', async (path) => {
    const { plan } = await renderPackage(`${EXAMPLES}/${path}`);
    expect([...new Set(isolationOf(plan))].filter((text) => !isNamed(text))).toEqual([]);
  });

  test('would miss one that it does not name', () => {
    expect(isNamed('NetworkPolicy tenantplane-allow-everything')).toBe(false);
    expect(isNamed('ResourceQuota tenantplane-default-deny')).toBe(false);
  });
});
