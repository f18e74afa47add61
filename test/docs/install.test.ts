import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { ROOT, readPage } from './markdown.ts';

const PAGE = 'docs/install.md';

// The page applies them by label before the rest: a pod that starts before its policies stands open.
test('the labels that the page selects by stand on all that has to come first', () => {
  const folder = join(ROOT, 'examples/first-tenant/host/team-dev');
  const objects = readdirSync(folder).map((file) => load(readFileSync(join(folder, file), 'utf8'))) as {
    kind: string;
    metadata: { name: string; labels: Record<string, string> };
  }[];
  const role = (kind: string): Set<string | undefined> =>
    new Set(objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.labels['tenantplane.io/role']));
  expect(role('Namespace')).toEqual(new Set(['workload', 'control-plane']));
  for (const kind of ['NetworkPolicy', 'ResourceQuota', 'LimitRange', 'ServiceAccount']) expect(role(kind)).toEqual(new Set(['isolation']));
  expect(role('Deployment')).toEqual(new Set([undefined]));
  expect(readPage(PAGE)).toContain("'tenantplane.io/role in (workload, control-plane)'");
  expect(readPage(PAGE)).toContain('-l tenantplane.io/role=isolation ');
});
